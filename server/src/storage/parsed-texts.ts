/** Maximum size of cached texts, characters in total. */
const maximumCharacters = 1_000_000;

/**
 * Caches parsed JSON that is read often, such as configurations. The text is the key, so a change by another process is
 * never missed. Callers share the value, so its objects are frozen; arrays are not, because `JSON.stringify` takes
 * twice as long over frozen ones.
 */
export class ParsedTexts<Value> {
  readonly #values = new Map<string, Value>();
  #characters = 0;

  /** @throws SyntaxError when the text is not JSON */
  parse(text: string): Value {
    const known = this.#values.get(text);
    if (known !== undefined) return known;
    const value = freezeObjects(JSON.parse(text)) as Value;
    if (this.#characters + text.length > maximumCharacters) {
      this.#values.clear();
      this.#characters = 0;
    }
    this.#values.set(text, value);
    this.#characters += text.length;
    return value;
  }
}

function freezeObjects(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  Object.values(value).forEach(freezeObjects);
  return Array.isArray(value) ? value : Object.freeze(value);
}
