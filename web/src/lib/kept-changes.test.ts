import { beforeEach, describe, expect, it } from 'vitest';
import { changesBetween, keptChangesIn, withChanges } from './kept-changes.ts';
import { secretTexts } from './secret-texts.ts';

const secret = 'sk-0123456789';
const stored = { name: 'parrot', config: { ai: { prompt: 'Hello', rounds: 3 }, words: ['a'] }, note: null };

/** What a form has after a reload. */
function reloaded<Value>(base: Value, value: Value, now: Value = base): Value {
  const kept: unknown = JSON.parse(JSON.stringify(changesBetween(base, value)));
  return withChanges(now, keptChangesIn(kept));
}

beforeEach(() => {
  secretTexts.add(secret);
  secretTexts.add('••••tail');
});

describe('changes of a form', () => {
  it.each([
    ['nothing', stored],
    ['a text', { ...stored, name: 'lory' }],
    ['something deep', { ...stored, config: { ...stored.config, ai: { prompt: 'Hi', rounds: 4 } } }],
    ['a list', { ...stored, config: { ...stored.config, words: ['a', 'b'] } }],
    ['an emptied list', { ...stored, config: { ...stored.config, words: [] } }],
    ['what was null', { ...stored, note: 'a note' }],
    ['a removed key', { ...stored, config: { ai: stored.config.ai } }],
    ['an added key', { ...stored, config: { ...stored.config, more: { deep: true } } }],
  ])('survive a reload: %s', (_, value) => {
    expect(reloaded<unknown>(stored, value)).toEqual(value);
  });

  it('are put on top of what has been stored since', () => {
    const edited = { ...stored, config: { ...stored.config, ai: { prompt: 'Hi', rounds: 3 } } };
    const now = { ...stored, name: 'macaw' };
    expect(reloaded(stored, edited, now)).toEqual({ ...edited, name: 'macaw' });
  });

  it.each<[string, unknown]>([
    ['an unknown field', [{ path: ['gone'], value: 1 }]],
    ['another type', [{ path: ['name'], value: { first: 'x' } }]],
    ['a list in the place of a text', [{ path: ['name'], value: ['x'] }]],
    ['an object in the place of a list', [{ path: ['config', 'words'], value: {} }]],
    ['a path through a text', [{ path: ['name', 'first'], value: 'x' }]],
    ['no path', [{ path: [], value: 'x' }]],
    ['numbers as keys', [{ path: [1], value: 'x' }]],
    ['a prototype', [{ path: ['__proto__', 'isAdmin'], value: true }]],
    ['no list', { path: ['name'], value: 'x' }],
    ['garbage', ['x', null, 7, { value: 'x' }]],
  ])('of an older version of the form, or of no form, are left out: %s', (_, kept) => {
    expect(withChanges(stored, keptChangesIn(kept))).toEqual(stored);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });
});

describe('secrets', () => {
  const base = { name: 'x', token: '••••tail', keys: ['••••tail'], headers: [{ name: 'A', value: '••••tail' }] };

  it.each<[string, Partial<typeof base>]>([
    ['a field', { token: secret }],
    ['a list of texts', { keys: ['••••tail', secret] }],
    ['an element of a list', { headers: [{ name: 'A', value: secret }] }],
  ])('are not kept: %s', (_, change) => {
    const kept = JSON.stringify(changesBetween(base, { ...base, ...change, name: 'y' }));
    expect(kept).not.toContain(secret);
    expect(kept).not.toContain('tail');
    expect(reloaded(base, { ...base, ...change, name: 'y' })).toEqual({ ...base, name: 'y' });
  });

  it('leave an empty place in a new element, whose other fields are kept', () => {
    const value = { ...base, headers: [...base.headers, { name: 'B', value: secret }] };
    expect(reloaded(base, value)).toEqual({ ...base, headers: [...base.headers, { name: 'B', value: '' }] });
  });

  it('do not get to another element when one is removed', () => {
    const two = { ...base, headers: [...base.headers, { name: 'B', value: '••••tail' }] };
    const value = { ...two, headers: [{ name: 'B', value: '••••tail' }] };
    expect(reloaded(two, value).headers).toEqual([{ name: 'B', value: '' }]);
  });

  it('are left out of values that replace another kind', () => {
    expect(reloaded<unknown>({ config: null }, { config: { deep: { token: secret, url: 'u' } } })).toEqual({
      config: { deep: { token: '', url: 'u' } },
    });
  });
});

describe('a text', () => {
  it('is secret as long as an input has it', () => {
    secretTexts.add('one');
    secretTexts.add('one');
    secretTexts.remove('one');
    expect(secretTexts.has('one')).toBe(true);
    secretTexts.remove('one');
    expect(secretTexts.has('one')).toBe(false);
  });

  it('that is empty is no secret', () => {
    secretTexts.add('');
    expect(secretTexts.has('')).toBe(false);
  });
});
