import { createHmac, timingSafeEqual } from 'node:crypto';
import { type BotAccount, ParleyError, type PlatformContext } from '@parley/sdk';
import { present } from '../../lib/clock.ts';

/** A signature as a platform sends it: HMAC of parts of the request. */
export interface SentSignature {
  /** Of the header or parameter, without its prefix such as `v0=`. */
  value: string | undefined;
  encoding: 'hex' | 'base64';
  algorithm: 'sha1' | 'sha256' | 'sha512';
  key: string;
  /** What is signed, in this order; the body as raw bytes. */
  content: readonly (string | Uint8Array)[];
}

/** How far the clocks of a platform and of this server may differ, and how late a request may be, milliseconds. */
const defaultWindow = 300_000;

/**
 * @returns the signature in one spelling, which identifies the request for {@link verifyFirstUse}
 * @throws ParleyError `invalid_signature`
 */
export function verifySignature({ value, encoding, algorithm, key, content }: SentSignature): string {
  // An empty key would let anyone sign.
  if (key === '') throw invalid('The configuration has no key to verify the signature with');
  const hmac = createHmac(algorithm, key);
  for (const part of content) hmac.update(part);
  const expected = hmac.digest(encoding);
  if (!isSameText(value ?? '', expected, encoding)) throw invalid('The signature is not valid');
  return expected;
}

/**
 * Compares a signature with the expected one, in a time that does not depend on where they differ. Hex digits may be
 * upper or lower case.
 */
export function isSameText(given: string, expected: string, encoding: 'hex' | 'base64' | 'text' = 'text'): boolean {
  const bytes = Buffer.from(encoding === 'hex' ? given.toLowerCase() : given);
  const wanted = Buffer.from(expected);
  return bytes.length === wanted.length && timingSafeEqual(bytes, wanted);
}

export interface TimedRequest {
  /** Identifies the request in its only spelling: what {@link verifySignature} returned, or a nonce that is signed. */
  id: string;
  /** The signed timestamp, milliseconds since 1970; NaN if there is none. */
  sentAt: number;
  /** Milliseconds. Default: 5 minutes. */
  window?: number;
}

/**
 * Refuses a request that is too old, from the future, or was seen before. Call it after the signature is verified. A
 * platform that repeats a request without signing it again is refused then: acknowledge only what is stored.
 * @throws ParleyError `invalid_signature`
 */
export async function verifyFirstUse(
  { isFirstUse }: Pick<PlatformContext, 'isFirstUse'>,
  { id, sentAt, window = defaultWindow }: TimedRequest,
): Promise<void> {
  if (!(Math.abs(present() - sentAt) <= window)) {
    throw invalid('The timestamp of the request is too far from the time of this server; check the clock');
  }
  // Right at its limit, it would be expired when it is stored.
  const expiresAt = new Date(sentAt + window + 1000);
  if (!(await isFirstUse(id, expiresAt))) throw invalid('The request was received before');
}

/**
 * Takes a request for the first time, as {@link verifyFirstUse}. After a failure it counts as not received: the platform
 * may repeat it without signing it again.
 * @throws ParleyError `invalid_signature`, or why it was not taken
 */
export async function takeFirstUse<Result>(
  context: Pick<PlatformContext, 'isFirstUse' | 'forgetUse'>,
  request: TimedRequest,
  take: () => Promise<Result>,
): Promise<Result> {
  await verifyFirstUse(context, request);
  return forgottenIfItFails(context, request.id, take);
}

/** Has a request that is marked as used forgotten when it cannot be taken. @throws why it was not taken */
export async function forgottenIfItFails<Result>(
  { forgetUse }: Pick<PlatformContext, 'forgetUse'>,
  id: string,
  take: () => Promise<Result>,
): Promise<Result> {
  try {
    return await take();
  } catch (error) {
    await forgetUse(id);
    throw error;
  }
}

/**
 * The account that a bot was connected with last.
 * @throws ParleyError `bot_not_running` while that is not known: the platform sends a request again
 */
export function requireStoredAccount({ storedAccount }: Pick<PlatformContext, 'storedAccount'>): BotAccount {
  const account = storedAccount();
  if (account === null) throw new ParleyError('bot_not_running', 'The account of the bot is not known yet');
  return account;
}

function invalid(message: string): ParleyError {
  return new ParleyError('invalid_signature', message);
}
