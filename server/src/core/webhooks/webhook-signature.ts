import { createHmac, randomBytes } from 'node:crypto';

/** Prefix of webhook secrets in the Standard Webhooks specification. */
const prefix = 'whsec_';
const secretBytes = 32;

/** A new secret of 256 random bits: `whsec_` and base64. */
export function newWebhookSecret(): string {
  return prefix + randomBytes(secretBytes).toString('base64');
}

/** The headers that prove who sent a body, by the specification of Standard Webhooks, version 1. */
export interface SignatureHeaders {
  'webhook-id': string;
  /** Unix seconds. */
  'webhook-timestamp': string;
  'webhook-signature': string;
}

/**
 * Signs a body.
 * @param id names the event; the same each time that it is sent
 * @param now milliseconds since 1970
 */
export function signatureHeaders(secret: string, id: string, now: number, body: string): SignatureHeaders {
  const timestamp = String(Math.floor(now / 1000));
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

/** All representations of a secret. */
export function secretTexts(secret: string): string[] {
  return [secret, secret.slice(prefix.length)];
}
