import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { ParleyError } from '@parley/sdk';
import { isSameText } from './webhooks/signed-request.ts';

/** What the platform shows when callbacks are set up. */
export interface WechatSecrets {
  token: string;
  /** `EncodingAESKey`, 43 characters. */
  encodingAesKey: string;
  /** Whom messages are for: corp id or app id; empty for bots of WeCom. */
  receiveId: string;
}

/** The parameters of a callback. */
export interface SignedText {
  /** `msg_signature`. */
  signature: string | undefined;
  timestamp: string;
  nonce: string;
  /** `Encrypt`, or `echostr`. */
  encrypted: string;
}

/** Random bytes before a message, and bytes of its length. */
const prefix = { random: 16, length: 4 };
/** Padding fills blocks of this size, bytes; that of AES itself is 16. */
const paddedTo = 32;

/**
 * Encryption of callbacks of WeChat and WeCom.
 * @see https://developer.work.weixin.qq.com/document/path/90968
 */
export class WechatCrypto {
  readonly #token: string;
  readonly #receiveId: string;
  readonly #key: Buffer;

  /** @throws ParleyError `invalid_request` for a key that is none */
  constructor({ token, encodingAesKey, receiveId }: WechatSecrets) {
    this.#token = token;
    this.#receiveId = receiveId;
    this.#key = Buffer.from(`${encodingAesKey}=`, 'base64');
    if (!/^[A-Za-z0-9+/]{43}$/.test(encodingAesKey) || token === '') {
      throw new ParleyError(
        'invalid_request',
        'The token is empty, or the EncodingAESKey has not 43 letters and digits',
      );
    }
  }

  /** SHA-1 of what is signed, in hexadecimal. Plain mode of WeChat signs timestamp and nonce only. */
  sign(...parts: string[]): string {
    return createHash('sha1')
      .update([this.#token, ...parts].sort().join(''))
      .digest('hex');
  }

  /**
   * Verifies and decrypts a callback.
   * @throws ParleyError `invalid_signature`
   */
  open({ signature, timestamp, nonce, encrypted }: SignedText): string {
    if (!isSameText(signature ?? '', this.sign(timestamp, nonce, encrypted), 'hex')) throw invalid();
    const plain = this.#decrypt(encrypted);
    const start = prefix.random + prefix.length;
    if (plain.length < start) throw invalid();
    const end = start + plain.readUInt32BE(prefix.random);
    if (end > plain.length || !isSameText(plain.toString('utf8', end), this.#receiveId)) throw invalid();
    return plain.toString('utf8', start, end);
  }

  /** Encrypts and signs a reply. */
  seal(text: string, timestamp: string, nonce: string): SignedText & { signature: string } {
    const message = Buffer.from(text);
    const length = Buffer.alloc(prefix.length);
    length.writeUInt32BE(message.length);
    const plain = Buffer.concat([randomBytes(prefix.random), length, message, Buffer.from(this.#receiveId)]);
    const padding = paddedTo - (plain.length % paddedTo);
    const cipher = createCipheriv('aes-256-cbc', this.#key, this.#key.subarray(0, 16)).setAutoPadding(false);
    const encrypted = Buffer.concat([
      cipher.update(plain),
      cipher.update(Buffer.alloc(padding, padding)),
      cipher.final(),
    ]);
    const encoded = encrypted.toString('base64');
    return { signature: this.sign(timestamp, nonce, encoded), timestamp, nonce, encrypted: encoded };
  }

  #decrypt(encrypted: string): Buffer {
    const bytes = Buffer.from(encrypted, 'base64');
    if (bytes.length === 0 || bytes.length % 16 !== 0) throw invalid();
    const decipher = createDecipheriv('aes-256-cbc', this.#key, this.#key.subarray(0, 16)).setAutoPadding(false);
    return withoutPadding(Buffer.concat([decipher.update(bytes), decipher.final()]));
  }
}

/** @throws ParleyError `invalid_signature`, the same for every fault: which one it is helps an attacker only */
function withoutPadding(padded: Buffer): Buffer {
  const count = padded.at(-1) ?? 0;
  const end = padded.length - count;
  if (count < 1 || count > paddedTo || end < 0 || !padded.subarray(end).every((byte) => byte === count))
    throw invalid();
  return padded.subarray(0, end);
}

function invalid(): ParleyError {
  return new ParleyError('invalid_signature', 'The signature is not valid, or the message is for someone else');
}
