import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const version = 'v1';

/** Encrypts texts at rest with AES-256-GCM under a key that is stored outside of the database. */
export class SecretBox {
  readonly #key: Buffer;

  /** @param key 32 bytes */
  constructor(key: Buffer) {
    if (key.length !== 32) throw new RangeError('the key must be 32 bytes');
    this.#key = key;
  }

  /** @param context names the record; the text opens only under the same name, so rows cannot be swapped */
  seal(text: string, context: string): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce);
    cipher.setAAD(Buffer.from(context));
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return `${version}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')}`;
  }

  /** @throws Error when the text was sealed with another key or context, or was changed */
  open(sealed: string, context: string): string {
    const [tag, payload] = sealed.split('.');
    if (tag !== version || payload === undefined) throw new Error('unknown format of a sealed text');
    const bytes = Buffer.from(payload, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, 12));
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
  }
}
