import { act, fireEvent, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { button, input, label, options, showField } from '../../../testing/show-field.tsx';
import { english } from '../../../testing/texts.ts';

describe.each(['string', 'webhook-url'])('a field of the type %s', (type) => {
  it('takes a text', async () => {
    const { user, latest } = await showField({ type }, 'Beagle');
    expect(input().value).toBe('Beagle');
    await user.clear(input());
    await user.type(input(), 'Fram');
    expect(latest()).toBe('Fram');
  });

  it.each([undefined, null])('is empty for %s', async (value) => {
    await showField({ type }, value);
    expect(input().value).toBe('');
  });

  it('suggests values and takes others', async () => {
    const { user, latest } = await showField({ type, options: [{ name: 'b', label: { en_US: 'Beagle' } }] });
    const list = document.getElementById(input().getAttribute('list') as string) as HTMLElement;
    expect([...list.querySelectorAll('option')].map(({ value, textContent }) => [value, textContent])).toEqual([
      ['b', 'Beagle'],
    ]);
    await user.type(input(), 'x');
    expect(latest()).toBe('x');
  });
});

describe('a field of the type text', () => {
  it('takes several lines as they are', async () => {
    const { user, latest } = await showField({ type: 'text' }, ' one');
    await user.type(input(), '{Enter}two ');
    expect(latest()).toBe(' one\ntwo ');
  });
});

describe.each(['integer', 'number', 'float'])('a field of the type %s', (type) => {
  it('passes on numbers', async () => {
    const { user, latest } = await showField({ type }, 5);
    await user.clear(input());
    await user.type(input(), '42');
    expect(latest()).toBe(42);
  });

  it.each(['abc', '-', '1e', '1.', ' ', ''])('leaves %j as it is typed and does not pass it on', async (text) => {
    const { user, values } = await showField({ type, default: 5 }, 5);
    act(() => input().focus());
    fireEvent.change(input(), { target: { value: text } });
    expect([values(), input().value, input().getAttribute('aria-invalid')]).toEqual([[], text, null]);
    expect(document.activeElement).toBe(input());
    await user.tab();
    if (text === '1.') return;
    expect([values(), input().value, input().getAttribute('aria-invalid')]).toEqual([[], text, 'true']);
    expect(input().getAttribute('aria-describedby')).toBe(screen.getByText(english.common.invalidNumber).id);
    fireEvent.change(input(), { target: { value: '6' } });
    expect(screen.queryByText(english.common.invalidNumber)).toBeNull();
    expect(values()).toEqual([6]);
  });

  it('completes a number when it is left', async () => {
    const { user, latest } = await showField({ type }, 5);
    await user.clear(input());
    await user.type(input(), '1.');
    await user.tab();
    expect([latest(), input().value]).toEqual([1, '1']);
  });

  it.each([undefined, null])('is emptied if it is empty by default: %s', async (initial) => {
    const { user, latest, values } = await showField({ type, ...(initial === null && { default: initial }) }, 5);
    await user.clear(input());
    await user.tab();
    expect([values().length, latest(), input().value]).toEqual([1, initial, '']);
    expect(input().getAttribute('aria-invalid')).toBeNull();
  });

  it.each(['Infinity', '1e999'])('does not pass on %s', async (text) => {
    const { values } = await showField({ type }, 5);
    fireEvent.change(input(), { target: { value: text } });
    expect(values()).toEqual([]);
  });

  it('leaves what is being typed as it is', async () => {
    const { user, latest } = await showField({ type }, 0);
    await user.clear(input());
    await user.type(input(), '-1.50');
    expect(input().value).toBe('-1.50');
    expect(latest()).toBe(-1.5);
    await user.tab();
    expect(input().value).toBe('-1.5');
  });

  it('shows a number that was changed elsewhere', async () => {
    const { replace } = await showField({ type }, 5);
    replace(7);
    expect(input().value).toBe('7');
  });
});

describe('a field of the type boolean', () => {
  it.each([
    [undefined, true],
    [false, true],
    [true, false],
  ])('that is %s is switched to %s', async (value, next) => {
    const { user, values } = await showField({ type: 'boolean' }, value);
    expect(screen.getByRole<HTMLInputElement>('switch', { name: label }).checked).toBe(value === true);
    await user.click(screen.getByText(label));
    expect(values()).toEqual([next]);
  });

  it('is not called optional', async () => {
    await showField({ type: 'boolean', required: false });
    expect(screen.queryByText(new RegExp(english.common.optional))).toBeNull();
  });
});

describe('a field of the type select', () => {
  const type = 'select';
  const choices = [
    { name: 'a', label: { en_US: 'Alpha', ja_JP: 'アルファ' } },
    { name: 'b', label: { en_US: 'Beta' } },
  ];

  it('offers its options', async () => {
    const { user, values } = await showField({ type, options: choices }, 'a');
    expect(options(input())).toEqual([
      ['a', 'Alpha'],
      ['b', 'Beta'],
    ]);
    await user.selectOptions(input(), 'b');
    expect(values()).toEqual(['b']);
  });

  it('asks for a choice while there is none', async () => {
    await showField({ type, options: choices });
    expect(options(input())[0]).toEqual(['', english.common.choose]);
    expect(input().value).toBe('');
  });

  it('keeps a value that is not offered any more until another is chosen', async () => {
    const { user, values } = await showField({ type, options: choices }, 'gone');
    expect([options(input())[0], input().value]).toEqual([['gone', 'gone'], 'gone']);
    await user.selectOptions(input(), 'a');
    expect(values()).toEqual(['a']);
    expect(options(input())).toHaveLength(2);
  });
});

describe('a field of the type array[string]', () => {
  const type = 'array[string]';

  it('has one text per line', async () => {
    const { user, latest } = await showField({ type }, ['one', 'two']);
    expect(input().value).toBe('one\ntwo');
    await user.type(input(), '{Enter}  three ');
    expect(latest()).toEqual(['one', 'two', 'three']);
  });

  it('leaves empty lines while they are typed, and passes on none', async () => {
    const { user, latest } = await showField({ type }, []);
    await user.type(input(), 'a{Enter}{Enter} b');
    expect(input().value).toBe('a\n\n b');
    expect(latest()).toEqual(['a', 'b']);
  });

  it('shows lines that were changed elsewhere', async () => {
    const { replace } = await showField({ type }, ['one']);
    replace(['two', 'three']);
    expect(input().value).toBe('two\nthree');
  });

  it.each([undefined, 'text', { a: 1 }])('is empty for %j', async (value) => {
    await showField({ type }, value);
    expect(input().value).toBe('');
  });
});

describe.each([
  ['json', { a: [1] }],
  ['of an extension', { a: [1] }],
])('a field of the type %s with an object', (type, stored) => {
  it('takes JSON', async () => {
    const { latest } = await showField({ type }, stored);
    expect(JSON.parse(input().value)).toEqual(stored);
    fireEvent.change(input(), { target: { value: '{"b": null}' } });
    expect(latest()).toEqual({ b: null });
    expect(input().value).toBe('{"b": null}');
  });

  it('marks what is no JSON, and does not pass it on', async () => {
    const { values } = await showField({ type }, stored);
    act(() => input().focus());
    fireEvent.change(input(), { target: { value: '{"b":' } });
    expect([values(), input().value]).toEqual([[], '{"b":']);
    // It is not another element, in which the cursor would be lost.
    expect(document.activeElement).toBe(input());
    expect(input().getAttribute('aria-invalid')).toBe('true');
    expect(input().getAttribute('aria-describedby')).toBe(screen.getByText(english.common.invalidJson).id);
    fireEvent.change(input(), { target: { value: '{"b":1}' } });
    expect(screen.queryByText(english.common.invalidJson)).toBeNull();
    expect(values()).toEqual([{ b: 1 }]);
  });

  it('shows what was changed elsewhere', async () => {
    const { replace } = await showField({ type }, stored);
    replace({ c: 3 });
    expect(JSON.parse(input().value)).toEqual({ c: 3 });
  });
});

describe('other fields', () => {
  it('of the type json that store a text pass on a text', async () => {
    const { latest } = await showField({ type: 'json' }, '{"a":1}');
    expect(input().value).toBe('{"a":1}');
    fireEvent.change(input(), { target: { value: '{"a": 2}' } });
    expect(latest()).toBe('{"a": 2}');
  });

  it('of an unknown type take a text', async () => {
    const { user, latest } = await showField({ type: 'of-an-extension' }, 'x');
    await user.type(input(), 'y');
    expect(latest()).toBe('xy');
  });
});

describe.each(['string', 'text'])('a secret of the type %s', (type) => {
  it('is hidden until it is shown', async () => {
    const { user } = await showField({ type, secret: true }, '••••1234');
    expect(input().type).toBe('password');
    await user.click(button(english.common.show));
    expect(input().type).toBe('text');
    await user.click(button(english.common.hide));
    expect(input().type).toBe('password');
  });

  it('is replaced as a whole by typing', async () => {
    const { user, latest } = await showField({ type, secret: true }, '••••1234');
    act(() => input().focus());
    await user.keyboard('new');
    expect(latest()).toBe('new');
  });

  it('is not stored by the browser', async () => {
    await showField({ type, secret: true }, '');
    expect(input().autocomplete).toBe('off');
  });
});
