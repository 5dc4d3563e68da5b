import { createDecipheriv } from 'node:crypto';
import { ParleyError } from '@parley/sdk';

/** Padding fills blocks of this size, bytes. */
const paddedTo = 32;

/**
 * Decrypts a file of a message while it is read: AES-256 in CBC mode, whose initialization vector is the first 16 bytes
 * of the key.
 * @param key base64
 * @throws ParleyError `not_found` when it was encrypted with another key, or is no such file
 * @see https://developer.work.weixin.qq.com/document/path/100719
 */
export async function* decryptedFile(content: AsyncIterable<Uint8Array>, key: string): AsyncGenerator<Uint8Array> {
  const secret = Buffer.from(key, 'base64');
  if (secret.length !== 32) throw unreadable();
  const decipher = createDecipheriv('aes-256-cbc', secret, secret.subarray(0, 16)).setAutoPadding(false);
  // The padding is behind the last byte, which is known at the end only.
  let tail: Buffer = Buffer.alloc(0);
  for await (const chunk of content) {
    const plain = Buffer.concat([tail, decipher.update(chunk)]);
    const end = Math.max(0, plain.length - paddedTo);
    if (end > 0) yield plain.subarray(0, end);
    tail = plain.subarray(end);
  }
  try {
    decipher.final();
  } catch {
    throw unreadable();
  }
  const rest = tail.length - (tail.at(-1) ?? 0);
  const isPadded = rest >= 0 && rest < tail.length && tail.subarray(rest).every((byte) => byte === tail.at(-1));
  if (!isPadded) throw unreadable();
  if (rest > 0) yield tail.subarray(0, rest);
}

function unreadable(): ParleyError {
  return new ParleyError('not_found', 'The file cannot be decrypted with the key of its message');
}
