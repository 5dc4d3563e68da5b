import { DeliveryError, type DeliveryFailureKind, ParleyError, type Reason } from '@parley/sdk';
import { rateLimited } from '../../kit/failures/rate-limited.ts';
import type { PlatformResponse } from '../../kit/platform-calls/platform-api.ts';
import { parseRetryAfter } from '../../kit/retry-after.ts';
import { listOf, objectOf, textOf } from '../../lib/loose-values.ts';

/** Longest part of a message of the platform that is shown. */
const longestMessage = 300;

/** What a refusal means to the adapter. */
type Meaning =
  | 'token'
  | 'credentials'
  | 'permission'
  | 'rate'
  | 'send_limit'
  | 'unknown_target'
  | 'session_over'
  | 'failed'
  | 'refused';

/**
 * Numbers of the old host and the session webhook.
 * @see https://open.dingtalk.com/document/orgapp/custom-bot-send-message-type (error codes of robots)
 * @see https://open.dingtalk.com/document/orgapp/server-api-error-codes-1
 */
const numbers: readonly [Meaning, readonly number[]][] = [
  ['failed', [-1]],
  ['token', [40001, 40014, 42001]],
  ['credentials', [40089]],
  ['permission', [60011, 60020]],
  ['rate', [90002, 90003, 90004, 90005, 90006, 90018]],
  ['send_limit', [130101, 410100]],
  ['unknown_target', [400013]],
  // No token of the session, or the session or its robot is gone.
  ['session_over', [300001, 400101, 400102, 400106]],
];

/**
 * Codes of the new host, which are words.
 * @see https://open.dingtalk.com/document/orgapp/error-code (global error codes)
 */
const words: readonly [Meaning, RegExp][] = [
  ['token', /^InvalidAuthentication$/i],
  ['credentials', /^(invalidClientIdOrSecret|authFailed|invalidAppKey|invalidAppSecret)$/i],
  ['permission', /^Forbidden\.AccessDenied\.(AccessTokenPermissionDenied|IpNotInWhiteList)$/i],
  ['rate', /^Forbidden\.AccessDenied\.Q[ps][sm]Limit|^(Throttling|TooManyRequests)/i],
  ['unknown_target', /conversation|staff|user(id|ids)?\b|spaceId|chatbot\.?not|robot\.?not/i],
  ['failed', /^(ServiceUnavailable|InternalError|system\.?error|unknownError)$/i],
];

/** A call that DingTalk refused or failed. Its message is the platform's own. */
export class DingTalkFailure extends Error {
  readonly meaning: Meaning;
  /** When a rate limit ends, milliseconds; null if it is not named. */
  readonly retryAfterMs: number | null;
  /** The permissions that the app lacks. */
  readonly scopes: readonly string[];

  constructor(meaning: Meaning, message: string, more: { retryAfterMs?: number | null; scopes?: string[] } = {}) {
    super(message.slice(0, longestMessage));
    this.name = 'DingTalkFailure';
    this.meaning = meaning;
    this.retryAfterMs = more.retryAfterMs ?? null;
    this.scopes = more.scopes ?? [];
  }
}

/** The failure in a response of the new host; null for a success. */
export function failureIn(response: PlatformResponse): DingTalkFailure | null {
  const { status, headers, body } = response;
  const { code, message, accessdenieddetail } = objectOf(body);
  if (status === 200 && body !== undefined && typeof code !== 'string') return null;
  const retryAfterMs = parseRetryAfter(headers.get('retry-after'));
  if (typeof code !== 'string') {
    const meaning = status === 429 ? 'rate' : status === 401 ? 'token' : 'failed';
    return new DingTalkFailure(meaning, `The response (status ${status}) is not from DingTalk`, { retryAfterMs });
  }
  const scopes = listOf(objectOf(accessdenieddetail).requiredScopes).map(textOf).filter(Boolean).slice(0, 10);
  const known = words.find(([, pattern]) => pattern.test(code))?.[0];
  const other = status === 429 ? 'rate' : status === 401 ? 'token' : status >= 500 ? 'failed' : 'refused';
  const lack = scopes.length === 0 ? '' : `; missing permission: ${scopes.join(', ')}`;
  const text = `${code}${lack}; ${textOf(message)}`;
  return new DingTalkFailure(known ?? other, text, { retryAfterMs, scopes });
}

/** The failure in a response of the old host; null for a success. */
export function oldFailureIn({ status, body }: PlatformResponse): DingTalkFailure | null {
  const { errcode: number, sub_code, errmsg } = objectOf(body);
  if (status === 200 && number === 0) return null;
  // A number for several faults, which a second one tells apart.
  const errcode = number === 88 ? Number(sub_code) : number;
  if (typeof errcode !== 'number') {
    const meaning = status === 429 ? 'rate' : 'failed';
    return new DingTalkFailure(meaning, `The response (status ${status}) is not from DingTalk`);
  }
  const meaning = numbers.find(([, codes]) => codes.includes(errcode))?.[0] ?? (status >= 500 ? 'failed' : 'refused');
  return new DingTalkFailure(meaning, `${textOf(errmsg)} (${errcode})`);
}

export function means(error: unknown, meaning: Meaning): boolean {
  return error instanceof DingTalkFailure && error.meaning === meaning;
}

/** Whether nothing of a call was carried out, and a repetition would be refused as well. */
export function isRefused(error: unknown): boolean {
  return asDeliveryError(error).kind === 'refused';
}

const kinds: Partial<Record<Meaning, DeliveryFailureKind>> = { failed: 'unknown', token: 'not_sent' };
const reasons: Partial<Record<Meaning, Reason>> = {
  unknown_target: 'unknown_target',
  session_over: 'reply_expired',
};

/**
 * A failure as a delivery error.
 * @param isRepeatable whether the call may be made again, as one with an `outTrackId`
 */
export function asDeliveryError(error: unknown, isRepeatable = false): DeliveryError {
  if (!(error instanceof DingTalkFailure)) return DeliveryError.from(error, 'DingTalk did not accept the message');
  const { meaning, retryAfterMs: pauseMs } = error;
  const message = `DingTalk: ${error.message}`;
  if (meaning === 'rate' || meaning === 'send_limit') {
    return rateLimited(message, { pauseMs, scope: meaning === 'rate' ? 'bot' : 'chat' });
  }
  const kind = kinds[meaning] ?? 'refused';
  return new DeliveryError(kind, reasons[meaning] ?? 'platform_failed', message, { isRepeatable });
}

/** A failure of a start as the service shows it. */
export function startFailure(error: unknown): unknown {
  if (!(error instanceof DingTalkFailure)) return error;
  return means(error, 'credentials') || means(error, 'token')
    ? new ParleyError('platform_unauthorized', `DingTalk refuses the client ID or the client secret: ${error.message}`)
    : new ParleyError('platform_failed', `Connecting to DingTalk failed: ${error.message}`);
}
