import { DeliveryError, type DeliveryFailureKind, ParleyError } from '@parley/sdk';
import { rateLimited } from '../../kit/failures/rate-limited.ts';
import { parseRetryAfter } from '../../kit/retry-after.ts';

/** A call that the platform refused or failed. Its message is the platform's own. */
export class LarkFailure extends Error {
  readonly kind: DeliveryFailureKind;
  /** The platform's code; the HTTP status where there is none. */
  readonly code: number;
  /** When a rate limit ends, milliseconds; null if it is not named. */
  readonly retryAfterMs: number | null;

  constructor(code: number, message: string, details: { status: number; headers: Headers }) {
    super(`${message} (${code})`);
    this.name = 'LarkFailure';
    this.code = code;
    this.kind = kindOf(code, details.status);
    const { headers } = details;
    this.retryAfterMs = parseRetryAfter(headers.get('x-ogw-ratelimit-reset') ?? headers.get('retry-after'));
  }
}

/** @see https://open.feishu.cn/document/server-docs/api-call-guide/generic-error-code */
const codes = {
  /** The access token is missing, wrong or expired. */
  token: [99991661, 99991663, 99991664, 99991668, 99991671],
  /** App id or secret. */
  credentials: [10003, 10014, 10015, 99991543, 1000040351],
  rateLimit: [429, 99991400, 11232],
  chatRateLimit: [230020],
  /** Sending is not possible for now. */
  unavailable: [230101],
  internal: [1, 1500, 2200, 5000, 10001, 99991001, 1000040343],
  unknownTarget: [230002, 230013, 230034, 230035, 230053],
  /** The message that is replied to is gone. */
  vanished: [230011, 230110, 230019, 231003],
  /** A card that is not streamed any more. */
  closedCard: [200850, 300309],
  outdatedSequence: [300317],
};

function kindOf(code: number, status: number): DeliveryFailureKind {
  if (isRateLimit(code) || status === 429 || codes.unavailable.includes(code)) return 'not_sent';
  // A token that is refused keeps a call from being carried out.
  if (codes.token.includes(code)) return 'not_sent';
  return status >= 500 || codes.internal.includes(code) ? 'unknown' : 'refused';
}

function isRateLimit(code: number): boolean {
  return codes.rateLimit.includes(code) || codes.chatRateLimit.includes(code);
}

function has(list: keyof typeof codes): (error: unknown) => boolean {
  return (error) => error instanceof LarkFailure && codes[list].includes(error.code);
}

export const isTokenRefused = has('token');
export const isUnauthorized = has('credentials');
export const isVanished = has('vanished');
export const isClosedCard = has('closedCard');
export const isOutdatedSequence = has('outdatedSequence');

/** A failure as a delivery error. @param isRepeatable whether the call may be made again, as one with a `uuid` */
export function asDeliveryError(failure: unknown, isRepeatable = false): DeliveryError {
  if (!(failure instanceof LarkFailure)) return DeliveryError.from(failure, 'Lark did not accept the message');
  const { kind, code, retryAfterMs } = failure;
  const message = `Lark: ${failure.message}`;
  if (isRateLimit(code)) {
    const scope = codes.chatRateLimit.includes(code) ? 'chat' : 'bot';
    return rateLimited(message, { pauseMs: retryAfterMs, scope });
  }
  if (kind !== 'refused') return new DeliveryError(kind, 'platform_failed', message, { isRepeatable });
  return new DeliveryError(
    'refused',
    codes.unknownTarget.includes(code) ? 'unknown_target' : 'platform_failed',
    message,
  );
}

/** A failure of a start as the service shows it. */
export function startFailure(error: unknown): unknown {
  if (error instanceof ParleyError || !(error instanceof LarkFailure)) return error;
  return isUnauthorized(error)
    ? new ParleyError('platform_unauthorized', `Lark refuses the app ID or the app secret: ${error.message}`)
    : new ParleyError('platform_failed', `Connecting to Lark failed: ${error.message}`);
}
