/** A search parameter with allowed values; undefined for others. */
export function oneOf<Key extends string, Value extends string>(
  parameter: Record<Key, unknown>,
  values: readonly Value[],
): { [Name in Key]?: Value } {
  const [[key, given] = ['', undefined]] = Object.entries(parameter);
  const value = values.find((one) => one === given);
  return (value === undefined ? {} : { [key]: value }) as { [Name in Key]?: Value };
}

/** A search parameter with text; undefined if empty. The router parses number-like values as numbers. */
export function textOrNothing<Key extends string>(parameter: Record<Key, unknown>): { [Name in Key]?: string } {
  const [[key, given] = ['', undefined]] = Object.entries(parameter);
  const isText = (typeof given === 'string' && given !== '') || typeof given === 'number';
  return (isText ? { [key]: String(given) } : {}) as { [Name in Key]?: string };
}

/** A search parameter with text of a form; undefined for others. The router parses number-like values as numbers. */
export function matching<Key extends string>(
  parameter: Record<Key, unknown>,
  form: RegExp,
): { [Name in Key]?: string } {
  const found = textOrNothing(parameter);
  return Object.values<string | undefined>(found).every((text = '') => form.test(text)) ? found : {};
}
