import { english } from '../src/locales/en/index.ts';

export { english };

/** The values for the places of a text: `{ name: 'Telegram' }` for `Connect {{name}}`. */
export type Values = Readonly<Record<string, string | number>>;

/**
 * A text of the console with values in its places, as a page shows it.
 * @throws Error when a place has no value
 */
export function fill(text: string, values: Values): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`“${text}” has a place for “${name}”, and no value`);
    return String(value);
  });
}

/** One of two texts, by a number: `counted(english.models, 'added', 1)`. @throws Error when a place has no value */
export function counted<Key extends string>(
  texts: Readonly<Record<`${NoInfer<Key>}_one` | `${NoInfer<Key>}_other`, string>>,
  key: Key,
  count: number,
  values: Values = {},
): string {
  return fill(texts[`${key}_${count === 1 ? 'one' : 'other'}`], { count, ...values });
}

/** What the button is called that opens the menu of a record. */
export function moreActions(record: string): string {
  return `${english.common.moreActions}: ${record}`;
}
