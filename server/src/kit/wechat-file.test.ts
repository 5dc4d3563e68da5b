import { createCipheriv, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { decryptedFile } from './wechat-file.ts';

const key = randomBytes(32);

function encrypted(content: Uint8Array, padding = 32 - (content.length % 32)): Buffer {
  const cipher = createCipheriv('aes-256-cbc', key, key.subarray(0, 16)).setAutoPadding(false);
  return Buffer.concat([cipher.update(content), cipher.update(Buffer.alloc(padding, padding)), cipher.final()]);
}

async function read(bytes: Uint8Array, size: number, secret = key.toString('base64')): Promise<Buffer> {
  const chunks = async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };
  const parts: Uint8Array[] = [];
  for await (const part of decryptedFile(chunks(), secret)) parts.push(part);
  return Buffer.concat(parts);
}

it.each([1, 16, 31, 1000])('decrypts files of every padding in chunks of %i bytes', async (size) => {
  for (let length = 0; length < 70; length += 1) {
    const content = randomBytes(length);
    expect((await read(encrypted(content), size)).equals(content)).toBe(true);
  }
});

it.each<[string, Uint8Array, string?]>([
  ['another key', encrypted(Buffer.from('content')), randomBytes(32).toString('base64')],
  ['a key of another length', encrypted(Buffer.from('content')), 'c2hvcnQ='],
  ['no encryption', Buffer.from('<html>Forbidden</html>')],
  ['nothing', Buffer.alloc(0)],
  ['an end that is missing', encrypted(randomBytes(100)).subarray(0, 70)],
])('refuses a file with %s', async (_, bytes, secret) => {
  await expect(read(bytes, 10, secret)).rejects.toMatchObject({ reason: 'not_found' });
});
