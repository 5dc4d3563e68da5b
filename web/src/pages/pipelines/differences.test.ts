import { describe, expect, it } from 'vitest';
import type { FormField } from '../../components/forms/form-field.ts';
import { differences, isSame, lineChanges, type ValueWords, valueText } from './differences.ts';
import type { FormTab } from './pipeline-fields.ts';
import { findFields, placeAt, shownFields, tabOf, withGroup } from './pipeline-fields.ts';

const label = (en_US: string) => ({ en_US });
const field = (name: string, type: string, more: Partial<FormField> = {}): FormField => ({
  name,
  label: label(name),
  type,
  required: false,
  ...more,
});

const tabs: FormTab[] = [
  {
    name: 'trigger',
    label: label('Trigger'),
    stages: [
      {
        name: 'rules',
        label: label('Rules'),
        config: [field('at', 'boolean', { default: true }), field('prefix', 'array[string]', { default: [] })],
      },
    ],
  },
  {
    name: 'ai',
    label: label('AI'),
    stages: [
      {
        name: 'runner',
        label: label('Runner'),
        config: [
          field('runner', 'select', {
            options: [
              { name: 'agent', label: label('Agent') },
              { name: 'service', label: label('Service') },
            ],
          }),
        ],
      },
      {
        name: 'agent',
        label: label('Agent'),
        config: [field('prompt', 'text', { description: label('Instructions.') })],
      },
      {
        name: 'service',
        label: label('Service'),
        config: [
          field('key', 'string', { secret: true }),
          field('header', 'string', { show_if: { field: 'key', operator: 'neq', value: '' } }),
        ],
      },
    ],
  },
];

const config = {
  trigger: { rules: { at: true, prefix: ['ai'] } },
  ai: { runner: { runner: 'agent' }, agent: { prompt: 'Be kind.' }, service: { key: '', header: '' } },
  more: { unchanged: { as: 'it is' } },
};

describe('the differences of two configurations', () => {
  it('are the fields whose values differ, with old and new', () => {
    const edited = withGroup(config, 'trigger', 'rules', { at: false, prefix: ['ai'] });
    expect(differences(tabs, config, edited)).toMatchObject([
      { path: 'config.trigger.rules.at', before: true, after: false },
    ]);
    expect(differences(tabs, config, structuredClone(config))).toEqual([]);
  });

  it('hold a default to be the same as nothing', () => {
    expect(differences(tabs, withGroup(config, 'trigger', 'rules', { prefix: ['ai'] }), config)).toEqual([]);
  });

  it('include hidden groups', () => {
    const edited = withGroup(config, 'ai', 'service', { key: 'abc', header: '' });
    expect(differences(tabs, config, edited).map(({ path }) => path)).toEqual(['config.ai.service.key']);
  });

  it('do not see the order of keys, but that of lists', () => {
    expect(isSame({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true);
    expect(isSame([1, 2], [2, 1])).toBe(false);
    expect(isSame({ a: undefined }, { b: undefined })).toBe(false);
    expect(isSame([], {})).toBe(false);
  });

  it('leave the rest of a configuration as it is', () => {
    expect(withGroup(config, 'ai', 'agent', {})).toMatchObject({ more: { unchanged: { as: 'it is' } } });
  });
});

describe('a value in words', () => {
  const words: ValueWords = {
    on: 'On',
    off: 'Off',
    nothing: 'None',
    secret: '•••',
    nameOf: (uuid) => `name of ${uuid}`,
    localized: ({ en_US }) => en_US,
    roleOf: (role) => role.toUpperCase(),
  };
  it.each<[FormField, unknown, string]>([
    [field('a', 'boolean'), false, 'Off'],
    [field('a', 'string'), '', 'None'],
    [field('a', 'string', { secret: true }), 'very secret', '•••'],
    [field('a', 'select', { options: [{ name: 'x', label: label('Ex') }] }), 'x', 'Ex'],
    [field('a', 'select', { options: [] }), 'gone', 'gone'],
    [field('a', 'array[string]'), ['one', 'two'], 'one\ntwo'],
    [field('a', 'array[string]'), [], 'None'],
    [field('a', 'model-fallback-selector'), { primary: '1', fallbacks: ['2'] }, 'name of 1\nname of 2'],
    [field('a', 'model-fallback-selector'), { primary: '', fallbacks: [] }, 'None'],
    [field('a', 'knowledge-base-multi-selector'), ['3'], 'name of 3'],
    [field('a', 'prompt-editor'), [{ role: 'system', content: 'Be kind.' }], 'SYSTEM: Be kind.'],
    [field('a', 'json'), { b: 1 }, '{\n  "b": 1\n}'],
    [field('a', 'integer'), 0, '0'],
  ])('%# %o is described', (one, value, text) => {
    expect(valueText(one, value, words)).toBe(text);
  });
});

describe('the lines of two texts', () => {
  it('include unchanged context', () => {
    expect(lineChanges('a\nb\nc\nd\ne\nf\ng', 'a\nb\nc\nX\nY\ne\nf\ng')).toEqual([
      { kind: 'same', text: 'b' },
      { kind: 'same', text: 'c' },
      { kind: 'removed', text: 'd' },
      { kind: 'added', text: 'X' },
      { kind: 'added', text: 'Y' },
      { kind: 'same', text: 'e' },
      { kind: 'same', text: 'f' },
    ]);
  });

  it('are not counted twice where a line was repeated', () => {
    expect(lineChanges('a\na', 'a\na\na')).toEqual([
      { kind: 'same', text: 'a' },
      { kind: 'same', text: 'a' },
      { kind: 'added', text: 'a' },
    ]);
  });
});

describe('the fields of a configuration', () => {
  const paths = (places: { path: string }[]) => places.map(({ path }) => path);
  const localized = ({ en_US }: { en_US: string }) => en_US;

  it('are shown for the chosen runner only, and as far as their conditions hold', () => {
    expect(paths(shownFields(tabs, config))).toEqual([
      'config.trigger.rules.at',
      'config.trigger.rules.prefix',
      'config.ai.runner.runner',
      'config.ai.agent.prompt',
    ]);
    const other = withGroup(config, 'ai', 'runner', { runner: 'service' });
    expect(paths(shownFields(tabs, other)).slice(3)).toEqual(['config.ai.service.key']);
  });

  it('are found by their labels first, then by their help', () => {
    const places = shownFields(tabs, config);
    expect(paths(findFields(places, 'instructions', localized))).toEqual(['config.ai.agent.prompt']);
    expect(paths(findFields(places, 'AI runner', localized))).toEqual(['config.ai.runner.runner']);
    expect(paths(findFields(places, 'run', localized))[0]).toBe('config.ai.runner.runner');
    expect(findFields(places, '  ', localized)).toEqual([]);
  });

  it('are where the server says that something is wrong', () => {
    const places = shownFields(tabs, config);
    expect(placeAt(places, 'config.trigger.rules.prefix[0]')?.path).toBe('config.trigger.rules.prefix');
    expect(placeAt(places, 'name')).toBeNull();
    expect(['config.ai.runner', 'name', 'extensions_preferences.mcp_servers[0]'].map(tabOf)).toEqual([
      'ai',
      'general',
      'extensions',
    ]);
  });
});
