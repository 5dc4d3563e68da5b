import type { ParleyApiErrorDetail } from '@parley/client';
import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { renderInConsole } from '../../../testing/render.tsx';
import { english } from '../../../testing/texts.ts';
import { isAt } from '../../lib/field-path.ts';
import { unfinished, useTypedTexts } from '../../lib/typed-texts.ts';
import { defaultsOf, type FormField, type FormValue, isShown } from './form-field.ts';
import { SchemaForm } from './schema-form.tsx';

function field(name: string, part: Partial<FormField> = {}): FormField {
  return { name, label: { en_US: `Field ${name}` }, type: 'string', required: true, ...part };
}

const mode = field('mode', {
  type: 'select',
  default: 'polling',
  options: [
    { name: 'polling', label: { en_US: 'By polling' } },
    { name: 'push', label: { en_US: 'By push' } },
  ],
});
const whenPush = { field: 'mode', operator: 'eq', value: 'push' };

async function show(
  fields: FormField[],
  initial: FormValue,
  faults: ParleyApiErrorDetail[] = [],
  texts: Record<string, string> = {},
) {
  const onChange = vi.fn();
  function Form() {
    const [value, setValue] = useState(initial);
    const typed = useTypedTexts(texts);
    return (
      <SchemaForm
        fields={fields}
        value={value}
        faults={faults}
        path="config"
        typed={typed}
        onChange={(next) => {
          onChange(next);
          setValue(next);
        }}
      />
    );
  }
  await renderInConsole(<Form />);
  return { user: userEvent.setup(), latest: () => onChange.mock.lastCall?.[0] };
}

const control = (name: string) => screen.queryByLabelText<HTMLInputElement>(`Field ${name}`);

describe('a form', () => {
  it('has the fields of its schema in order, each with its place', async () => {
    await show([field('b'), field('a')], {});
    const places = [...document.querySelectorAll('[data-field]')].map((one) => one.getAttribute('data-field'));
    expect(places).toEqual(['config.b', 'config.a']);
  });

  it('shows what is unfinished by the place of its field, says so once, and unfolds it', async () => {
    const json = field('a', { advanced: true, type: 'json' });
    const faults = [{ path: 'config.a', message: 'is unfinished', rule: unfinished }];
    await show([json, field('b')], { a: { x: 1 } }, faults, { 'config.a': '{"x":', 'config.gone': '{' });
    expect(control('a')?.value).toBe('{"x":');
    expect(screen.getAllByText(english.common.invalidJson)).toHaveLength(1);
    expect(screen.queryByText(english.fieldRules.unfinished)).toBeNull();
    expect(document.querySelector('details')?.open).toBe(true);
  });

  it('folds advanced fields, and unfolds them for an error', async () => {
    const fields = [field('a', { advanced: true }), field('b')];
    const { user } = await show(fields, {});
    const folded = () => document.querySelector('details');
    expect([folded()?.open, folded()?.querySelector('[data-field="config.a"]') !== null]).toEqual([false, true]);
    expect(folded()?.querySelector('[data-field="config.b"]')).toBeNull();
    await user.click(screen.getByText(english.forms.advanced));
    expect(folded()?.open).toBe(true);
    cleanup();
    await show(fields, {}, [{ path: 'config.a', message: 'not a number' }]);
    expect([folded()?.open, screen.getByText('not a number')]).toEqual([true, expect.anything()]);
    cleanup();
    await show([field('b')], {});
    expect(folded()).toBeNull();
  });

  it('shows advanced fields that are not as usual', async () => {
    const fields = [field('a', { advanced: true, default: '1' }), field('b', { advanced: true })];
    const isOpen = () => document.querySelector('details')?.open;
    const { user } = await show(fields, { a: '1', b: '' });
    expect(isOpen()).toBe(false);
    cleanup();
    const shown = await show(fields, { a: '2' });
    expect(isOpen()).toBe(true);
    // It can be folded again, and is not by typing.
    await shown.user.click(screen.getByText(english.forms.advanced));
    expect(isOpen()).toBe(false);
    await user.click(screen.getByText(english.forms.advanced));
    await user.clear(control('a') as HTMLElement);
    await user.type(control('a') as HTMLElement, '1');
    expect(isOpen()).toBe(true);
  });

  it('passes on the whole value, with what it does not know', async () => {
    const { user, latest } = await show([field('name')], { name: 'a', other: [1] });
    await user.type(control('name') as HTMLElement, 'b');
    expect(latest()).toEqual({ name: 'ab', other: [1] });
  });

  it('shows defaults, without passing them on', async () => {
    const { user, latest } = await show([field('port', { default: '80' }), field('name')], {});
    expect(control('port')?.value).toBe('80');
    await user.type(control('name') as HTMLElement, 'x');
    expect(latest()).toEqual({ name: 'x' });
  });

  it.each([
    ['config.name', true],
    ['config.name[2]', true],
    ['config.name.first', true],
    ['config.named', false],
    ['name', false],
    ['config', false],
  ])('shows a fault at %s beside the field: %s', async (path, isShownThere) => {
    await show([field('name')], {}, [{ path, message: 'is taken' }]);
    expect(control('name')?.getAttribute('aria-invalid')).toBe(isShownThere ? 'true' : null);
    expect(screen.queryByText('is taken') !== null).toBe(isShownThere);
  });

  it('says that a value is wrong if the server does not say why', async () => {
    await show([field('name')], {}, [{ path: 'config.name', message: '' }]);
    expect(screen.getByText(english.common.invalid)).toBeTruthy();
  });

  it('shows the texts of a language that lacks a translation in English', async () => {
    await show([field('name', { label: { en_US: 'Field name', ja_JP: '名前' } })], {});
    expect(control('name')).not.toBeNull();
  });
});

describe('a field that depends on another', () => {
  const token = field('token', { show_if: whenPush });

  it('appears and disappears with it, and keeps its value', async () => {
    const { user, latest } = await show([mode, token], { mode: 'push', token: 'secret' });
    expect(control('token')?.value).toBe('secret');
    await user.selectOptions(control('mode') as HTMLElement, 'polling');
    expect(control('token')).toBeNull();
    expect(latest()).toEqual({ mode: 'polling', token: 'secret' });
    await user.selectOptions(control('mode') as HTMLElement, 'push');
    expect(control('token')?.value).toBe('secret');
  });

  it('depends on the default of a field without a value, which is what the form shows', async () => {
    const interval = field('interval', { show_if: { ...whenPush, value: 'polling' } });
    await show([mode, interval, token], {});
    expect(control('mode')?.value).toBe('polling');
    expect(control('interval')).not.toBeNull();
    expect(control('token')).toBeNull();
  });

  it.each([
    ['eq', 'push', { mode: 'push' }, true],
    ['eq', 'push', { mode: 'polling' }, false],
    ['eq', 'push', {}, false],
    ['neq', 'push', { mode: 'polling' }, true],
    ['neq', 'push', { mode: 'push' }, false],
    ['in', ['a', 'push'], { mode: 'push' }, true],
    ['in', ['a', 'b'], { mode: 'push' }, false],
    ['in', 'push', { mode: 'push' }, false],
    ['of an extension', true, { mode: true }, true],
  ])('by %s %j is with %j shown: %s', (operator, value, values, shown) => {
    expect(isShown(field('token', { show_if: { field: 'mode', operator, value } }), values)).toBe(shown);
  });
});

it('a form begins with its defaults, false and null among them', () => {
  const fields = [mode, field('name'), field('on', { default: false }), field('none', { default: null })];
  expect(defaultsOf(fields)).toEqual({ mode: 'polling', on: false, none: null });
});

it.each([
  ['config.list[0]', 'config.list', true],
  ['config.list', 'config.list[0]', false],
  ['config.listing', 'config.list', false],
])('the path %s is at %s: %s', (path, place, isThere) => {
  expect(isAt(path, place)).toBe(isThere);
});
