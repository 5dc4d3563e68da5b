import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { vi } from 'vitest';
import type { FormField } from '../src/components/forms/form-field.ts';
import { SchemaField } from '../src/components/forms/schema-field.tsx';
import { renderInConsole } from './render.tsx';

/** The label of a shown field. */
export const label = 'Ship name';

/** Shows a field whose value is what was entered last, as in a form. */
export async function showField(field: Partial<FormField> & { type: string }, initial?: unknown, error?: string) {
  const onChange = vi.fn();
  let setValue: (value: unknown) => void = () => undefined;
  function Form() {
    const [value, set] = useState(initial);
    const [unfinished, setUnfinished] = useState<string>();
    setValue = set;
    return (
      <SchemaField
        field={{ name: 'field', label: { en_US: label }, required: true, ...field }}
        value={value}
        error={error}
        unfinished={unfinished}
        onUnfinished={setUnfinished}
        onChange={(next) => {
          onChange(next);
          set(next);
        }}
      />
    );
  }
  await renderInConsole(<Form />);
  return {
    user: userEvent.setup(),
    /** All values that were passed on. */
    values: () => onChange.mock.calls.map(([value]) => value),
    /** The last of them. */
    latest: () => onChange.mock.lastCall?.[0],
    /** The record changes elsewhere. */
    replace: (value: unknown) => act(() => setValue(value)),
  };
}

/** The control with a label. */
export function input(name: string = label): HTMLInputElement {
  return screen.getByLabelText(name);
}

/** The options of a select: values and texts. */
export function options(select: HTMLElement): [value: string, text: string][] {
  return within(select)
    .getAllByRole<HTMLOptionElement>('option')
    .map((option) => [option.value, option.textContent]);
}

export function button(name: string): HTMLButtonElement {
  return screen.getByRole('button', { name });
}
