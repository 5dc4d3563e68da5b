import { createCipheriv } from 'node:crypto';
import { decrypt, encrypt, getSignature } from '@wecom/crypto';
import { describe, expect, it } from 'vitest';
import { WechatCrypto } from './wechat-crypto.ts';

const token = 'a-token';
const encodingAesKey = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG';
const receiveId = 'ww1234567890abcdef';
const crypto = new WechatCrypto({ token, encodingAesKey, receiveId });
const [timestamp, nonce] = ['1700000000', 'nonce'];
const refusal = expect.objectContaining({ reason: 'invalid_signature' });

/** A callback as the vendor's package makes it. */
const callback = (text: string, id = receiveId, signedWith = token) => {
  const encrypted = encrypt(encodingAesKey, text, id);
  return { signature: getSignature(signedWith, timestamp, nonce, encrypted), timestamp, nonce, encrypted };
};

const texts = ['', 'a', '你好 👋', '<xml><Content>1 < 2</Content></xml>', 'x'.repeat(20_000)];

describe("with the vendor's package", () => {
  it.each(texts)('opens what it encrypted: %.20s', (text) => {
    expect(crypto.open(callback(text))).toBe(text);
  });

  it.each(texts)('encrypts so that it is opened there: %.20s', (text) => {
    const sealed = crypto.seal(text, timestamp, nonce);
    expect(decrypt(encodingAesKey, sealed.encrypted)).toMatchObject({ message: text, id: receiveId });
    expect(sealed.signature).toBe(getSignature(token, timestamp, nonce, sealed.encrypted));
    expect(crypto.open(sealed)).toBe(text);
  });

  it('opens texts of every length, so of every padding', () => {
    for (let length = 0; length < 64; length += 1) {
      expect(crypto.open(callback('x'.repeat(length)))).toBe('x'.repeat(length));
    }
  });

  it('needs no receive id for bots of WeCom', () => {
    const bot = new WechatCrypto({ token, encodingAesKey, receiveId: '' });
    expect(bot.open(callback('Hello', ''))).toBe('Hello');
    expect(() => bot.open(callback('Hello'))).toThrow(refusal);
  });
});

describe('a callback is refused', () => {
  it.each<[string, () => Parameters<WechatCrypto['open']>[0]]>([
    ['without a signature', () => ({ ...callback('a'), signature: undefined })],
    ['signed with another token', () => callback('a', receiveId, 'another')],
    ['with another timestamp', () => ({ ...callback('a'), timestamp: '1700000001' })],
    ['with another nonce', () => ({ ...callback('a'), nonce: 'other' })],
    ['with another text', () => ({ ...callback('a'), encrypted: callback('b').encrypted })],
    ['for someone else', () => callback('a', 'ww-someone-else')],
    ['for no one', () => callback('a', '')],
  ])('%s', (_, made) => {
    expect(() => crypto.open(made())).toThrow(refusal);
  });

  /** A signed callback of any plain bytes. */
  const signed = (plain: Buffer) => {
    const key = Buffer.from(`${encodingAesKey}=`, 'base64');
    const cipher = createCipheriv('aes-256-cbc', key, key.subarray(0, 16)).setAutoPadding(false);
    const encrypted = Buffer.concat([cipher.update(plain), cipher.final()]).toString('base64');
    return { signature: crypto.sign(timestamp, nonce, encrypted), timestamp, nonce, encrypted };
  };
  const padded = (size: number, padding: number, length = 0) => {
    const plain = Buffer.alloc(size, padding);
    plain.writeUInt32BE(length, 16);
    return plain;
  };

  it.each<[string, Buffer]>([
    ['no padding', padded(32, 0)],
    ['too much padding', padded(64, 33)],
    ['more padding than text', Buffer.alloc(16, 32)],
    ['different bytes of padding', Buffer.concat([padded(32, 3), Buffer.alloc(29, 1), Buffer.from([2, 3, 3])])],
    ['a length beyond its end', padded(64, 4, 0xffffffff)],
    ['no length', Buffer.alloc(16, 1)],
  ])('with %s, although it is signed', (_, plain) => {
    expect(() => crypto.open(signed(plain))).toThrow(refusal);
  });

  it.each(['', 'AAAA', '!!!', 'A'.repeat(23)])('that is not encrypted: %j', (encrypted) => {
    const callbackOf = { signature: crypto.sign(timestamp, nonce, encrypted), timestamp, nonce, encrypted };
    expect(() => crypto.open(callbackOf)).toThrow(refusal);
  });
});

it('signs timestamp and nonce alone in plain mode, and accepts upper-case signatures', () => {
  expect(crypto.sign(timestamp, nonce)).toMatch(/^[0-9a-f]{40}$/);
  const made = callback('a');
  expect(crypto.open({ ...made, signature: made.signature.toUpperCase() })).toBe('a');
});

it.each([
  { encodingAesKey: '' },
  { encodingAesKey: encodingAesKey.slice(1) },
  { encodingAesKey: `${encodingAesKey}=` },
  { encodingAesKey: `${encodingAesKey.slice(1)}…` },
  { token: '' },
])('refuses %j', (over) => {
  expect(() => new WechatCrypto({ token, encodingAesKey, receiveId, ...over })).toThrow(
    expect.objectContaining({ reason: 'invalid_request' }),
  );
});
