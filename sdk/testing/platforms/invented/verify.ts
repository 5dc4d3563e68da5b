import { createHmac, timingSafeEqual } from 'node:crypto';
import { ParleyError } from '../../../src/errors.ts';
import type { PlatformContext, WebhookRequest, WebhookResponse } from '../../../src/platform.ts';
import type { Shared } from './config.ts';

/** How far a timestamp may be from now, milliseconds. */
const window = 300_000;

/** @returns what identifies the request. @throws ParleyError `invalid_signature` */
export async function verifyRequest(
  { headers, body }: WebhookRequest,
  shared: Shared,
  { isFirstUse }: Pick<PlatformContext, 'isFirstUse'>,
): Promise<string> {
  const { 'x-invented-time': time = '', 'x-invented-nonce': nonce = '', 'x-invented-signature': signature } = headers;
  const signed = verifySignature(signature, [time, nonce, body], shared);
  const sentAt = Number(time) * 1000;
  if (!(Math.abs(Date.now() - sentAt) <= window) && !shared.has('no time window')) throw invalid('too old or too new');
  const isNew = await isFirstUse(signed, new Date(sentAt + window + 1000));
  if (!isNew && !shared.has('no replay guard')) throw invalid('received before');
  return signed;
}

/** Answers the question whether the address is the bot's. */
export function verifyAddress({ method, query }: WebhookRequest, shared: Shared): WebhookResponse | null {
  const { challenge, time = '', nonce = '', signature } = query;
  if (method !== 'GET' || challenge === undefined) return null;
  verifySignature(signature, [time, nonce, challenge], shared);
  return { status: 200, body: challenge };
}

/** @returns the signature in its only spelling */
function verifySignature(given: string | undefined, parts: (string | Uint8Array)[], shared: Shared): string {
  if (given === undefined && shared.has('accepts a missing signature')) return String(Math.random());
  const hmac = createHmac('sha256', shared.settings.signing_key);
  for (const part of parts) hmac.update(part).update('\n');
  const expected = hmac.digest('hex');
  if (shared.has('compares a prefix of the signature') && given && expected.startsWith(given)) return expected;
  const bytes = Buffer.from(given ?? '');
  if (bytes.length !== expected.length || !timingSafeEqual(bytes, Buffer.from(expected))) throw invalid('wrong');
  return expected;
}

function invalid(what: string): ParleyError {
  return new ParleyError('invalid_signature', `The request is ${what}`);
}
