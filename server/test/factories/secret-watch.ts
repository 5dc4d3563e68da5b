const secretFields = new Set([
  'password',
  'current_password',
  'new_password',
  'recovery_key',
  'recovery_codes',
  'setup_token',
  'token',
  'key',
  'api_key',
  'secret',
  'api_keys',
  'api-key',
]);
/** Shorter texts turn up by chance. */
const shortestSecret = 12;
/** What the defaults of a pipeline show where a key is due. */
const placeholder = 'your-api-key';

/** Remembers every secret that went in or out and finds those that an answer gives away. */
export class SecretWatch {
  readonly #secrets = new Set<string>();

  /** Records the values of secret fields in a body, except for masked ones. */
  learn(body: unknown): void {
    if (typeof body !== 'object' || body === null) return;
    for (const [field, value] of Object.entries(body)) {
      if (secretFields.has(field)) for (const text of [value].flat()) this.#add(text);
      this.learn(value);
    }
  }

  /** The secrets known so far that stand in a text. */
  foundIn(text: string): string[] {
    return [...this.#secrets].filter((secret) => text.includes(secret));
  }

  #add(text: unknown): void {
    if (typeof text !== 'string' || text.length < shortestSecret) return;
    if (text !== placeholder && !text.includes('…')) this.#secrets.add(text);
  }
}
