import { createHmac, timingSafeEqual } from 'node:crypto';
import { present } from '../../lib/clock.ts';
import { isUuid } from '../../lib/uuid.ts';

/** What a link shows: a citation of the answer to a message, until a time. */
export interface LinkedCitation {
  /** Of the message that was answered. */
  message_uuid: string;
  /** The number in the answer: `[1]`. */
  number: number;
  /** Milliseconds since 1970, whole seconds. */
  expires_at: number;
}

/*
 * A token is the base64url form, without padding bits, of: version (1 byte), message (16), number (2), expiry in seconds
 * (6), HMAC-SHA-256 of these (32).
 */
const version = 1;
const contentLength = 25;
const signatureLength = 32;
const tokenShape = /^[A-Za-z0-9_-]{76}$/;
const mostNumbers = 0xff_ff;
const day = 24 * 3_600_000;

/** Signs and verifies the links by which users of messaging platforms see a cited passage. */
export class CitationLinks {
  readonly #key: Buffer;
  readonly #publicUrl: string | null;

  /** @param publicUrl the address of this server for users, without a slash at its end; null if there is none */
  constructor(key: Buffer, publicUrl: string | null) {
    this.#key = key;
    this.#publicUrl = publicUrl;
  }

  /** @returns null when there is no public URL, or no number */
  link({ message_uuid, number }: Omit<LinkedCitation, 'expires_at'>, days: number): string | null {
    const isNumber = Number.isInteger(number) && number >= 1 && number <= mostNumbers;
    if (this.#publicUrl === null || !isUuid(message_uuid) || !isNumber) return null;
    const content = Buffer.alloc(contentLength);
    content.writeUInt8(version, 0);
    content.write(message_uuid.replaceAll('-', ''), 1, 'hex');
    content.writeUInt16BE(number, 17);
    content.writeUIntBE(Math.ceil((present() + days * day) / 1000), 19, 6);
    const token = Buffer.concat([content, this.#signature(content)]).toString('base64url');
    return `${this.#publicUrl}/cited/${token}`;
  }

  /** @returns null for a token that was not signed here; it may have expired */
  read(token: string): LinkedCitation | null {
    if (!tokenShape.test(token)) return null;
    const bytes = Buffer.from(token, 'base64url');
    const content = bytes.subarray(0, contentLength);
    const signature = bytes.subarray(contentLength);
    if (signature.length !== signatureLength || !timingSafeEqual(signature, this.#signature(content))) return null;
    if (content.readUInt8(0) !== version) return null;
    const hex = content.toString('hex', 1, 17);
    return {
      message_uuid: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
      number: content.readUInt16BE(17),
      expires_at: content.readUIntBE(19, 6) * 1000,
    };
  }

  #signature(content: Uint8Array): Buffer {
    return createHmac('sha256', this.#key).update(content).digest();
  }
}
