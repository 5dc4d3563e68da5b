/** A search parameter that has to be one of several words; nothing where it is none of them. */
export function oneOf<Key extends string, Value extends string>(
  parameter: Record<Key, unknown>,
  values: readonly Value[],
): { [Name in Key]?: Value } {
  const [[key, given] = ['', undefined]] = Object.entries(parameter);
  const value = values.find((one) => one === given);
  return (value === undefined ? {} : { [key]: value }) as { [Name in Key]?: Value };
}

/** A search parameter that is a text; nothing where it is empty. Numbers in an address come as numbers. */
export function textOrNothing<Key extends string>(parameter: Record<Key, unknown>): { [Name in Key]?: string } {
  const [[key, given] = ['', undefined]] = Object.entries(parameter);
  const isText = (typeof given === 'string' && given !== '') || typeof given === 'number';
  return (isText ? { [key]: String(given) } : {}) as { [Name in Key]?: string };
}
