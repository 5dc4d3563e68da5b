import { createDecipheriv, createHash } from 'node:crypto';
import { ParleyError, type WebhookRequest, type WebhookResponse } from '@parley/sdk';
import { isSameText } from '../../kit/webhooks/signed-request.ts';
import { present } from '../../lib/clock.ts';
import { objectOf } from '../../lib/loose-values.ts';

/**
 * How late a request may be, milliseconds. The platform repeats an event for up to 7 hours and 6 minutes, and does not
 * document whether it signs it again; what was stored is recognized by its message id however late it comes.
 */
export const oldestRequest = 8 * 60 * 60 * 1000;
/** How far the clock of the platform may be ahead, milliseconds. */
const earliest = 5 * 60 * 1000;

/**
 * Answers the verification of the webhook address, which is encrypted but not signed.
 * @returns null for any other request
 * @throws ParleyError `invalid_signature` when it was encrypted with another key
 */
export function verifyAddress(key: string, { method, body }: WebhookRequest): WebhookResponse | null {
  if (method !== 'POST' || body.length > 10_000) return null;
  const { encrypt } = objectOf(parsed(body));
  if (typeof encrypt !== 'string') return null;
  const { type, challenge } = objectOf(decrypted(encrypt, key));
  if (type !== 'url_verification' || typeof challenge !== 'string') return null;
  return { status: 200, content_type: 'application/json', body: JSON.stringify({ challenge }) };
}

/** A request that the platform signed. */
export interface SignedEvent {
  event: unknown;
  /** The signature, which identifies the request. */
  id: string;
  /** Milliseconds since 1970. */
  sentAt: number;
}

/**
 * The event of a request, after its signature was verified on the bytes of the body.
 * @throws ParleyError `invalid_signature`, `invalid_request`
 */
export function readEvent(key: string, { method, path, headers, body }: WebhookRequest): SignedEvent {
  if (method !== 'POST' || path !== '') {
    throw new ParleyError('invalid_request', 'Events must be posted to the webhook URL itself');
  }
  const signed = verify(key, headers, body);
  const value = parsed(body);
  if (value === undefined) throw new ParleyError('invalid_request', 'The body is not JSON');
  const { encrypt } = objectOf(value);
  if (typeof encrypt !== 'string') throw new ParleyError('invalid_request', 'The body is not encrypted');
  return { ...signed, event: decrypted(encrypt, key) };
}

function verify(key: string, headers: WebhookRequest['headers'], body: Uint8Array): Omit<SignedEvent, 'event'> {
  const {
    'x-lark-signature': signature = '',
    'x-lark-request-timestamp': timestamp = '',
    'x-lark-request-nonce': nonce = '',
  } = headers;
  // An empty key would let anyone sign.
  if (key === '') throw invalid('There is no encrypt key to verify requests with');
  const expected = createHash('sha256')
    .update(timestamp + nonce + key)
    .update(body)
    .digest('hex');
  if (timestamp === '' || nonce === '' || !isSameText(signature, expected, 'hex')) {
    throw invalid('The signature is missing or not valid');
  }
  const sentAt = Number(timestamp) * 1000;
  if (!(sentAt <= present() + earliest)) throw invalid('The timestamp of the request is in the future');
  return { id: expected, sentAt };
}

/** @returns undefined when it is no JSON */
function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown;
  } catch {
    return undefined;
  }
}

/** @throws ParleyError `invalid_signature` when it was encrypted with another key */
function decrypted(encrypted: string, key: string): unknown {
  try {
    return JSON.parse(decryptText(encrypted, key)) as unknown;
  } catch {
    throw invalid('The request is encrypted with another key');
  }
}

/** AES-256 in CBC mode: the key is the digest of the configured one, the first 16 bytes are the initialization vector. */
export function decryptText(encrypted: string, key: string): string {
  const bytes = Buffer.from(encrypted, 'base64');
  const digest = createHash('sha256').update(key).digest();
  const decipher = createDecipheriv('aes-256-cbc', digest, bytes.subarray(0, 16));
  const text = Buffer.concat([decipher.update(bytes.subarray(16)), decipher.final()]);
  return new TextDecoder('utf-8', { fatal: true }).decode(text);
}

function invalid(message: string): ParleyError {
  return new ParleyError('invalid_signature', message);
}
