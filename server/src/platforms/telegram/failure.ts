import { DeliveryError, type DeliveryFailureKind, ParleyError } from '@parley/sdk';
import { causesOf, failureKindOf, networkFailureOf } from '../../kit/failures/network-failure.ts';
import { rateLimited } from '../../kit/failures/rate-limited.ts';
import { parseRetryAfter } from '../../kit/retry-after.ts';

interface FailureDetails {
  /** Telegram's error code, similar to an HTTP status; 0 if none. */
  code?: number;
  /** Time after which Telegram takes calls again, milliseconds. */
  retryAfterMs?: number;
  /** The group has become another one. */
  migratedTo?: number;
}

/** A failed call of the Bot API. Its message is Telegram's description and never contains the token. */
export class TelegramFailure extends Error {
  /**
   * A rate limit counts as `not_sent`. Telegram documents for no status of 500 and above that the call was not carried
   * out, so these are `unknown`. @see https://core.telegram.org/bots/api#making-requests
   */
  readonly kind: DeliveryFailureKind;
  readonly code: number;
  readonly retryAfterMs: number | null;
  readonly migratedTo: number | null;

  constructor(kind: DeliveryFailureKind, message: string, { code = 0, retryAfterMs, migratedTo }: FailureDetails = {}) {
    super(message);
    this.name = 'TelegramFailure';
    this.kind = kind;
    this.code = code;
    this.retryAfterMs = retryAfterMs ?? null;
    this.migratedTo = migratedTo ?? null;
  }

  /** Whether Telegram does not know the token: 401, or 404 when it does not even look like one. */
  get isUnauthorized(): boolean {
    return this.kind === 'refused' && (this.code === 401 || this.code === 404);
  }
}

/**
 * The failure inside whatever was thrown.
 * @param token taken out of the message
 * @returns a ParleyError as it is, else a TelegramFailure
 */
export function failureOf(error: unknown, token: string): Error {
  const known = causesOf(error).find((cause) => cause instanceof ParleyError || cause instanceof TelegramFailure);
  if (known !== undefined) return known as Error;
  const refusal = error as Partial<{ error_code: unknown; description: unknown; parameters: unknown }>;
  if (typeof refusal?.description === 'string') {
    const { retry_after, migrate_to_chat_id } = (refusal.parameters ?? {}) as Record<string, unknown>;
    const code = typeof refusal.error_code === 'number' ? refusal.error_code : 0;
    const retryAfterMs = parseRetryAfter(retry_after);
    return new TelegramFailure(failureKindOf(code), without(token, refusal.description), {
      code,
      ...(retryAfterMs === null ? {} : { retryAfterMs }),
      ...(typeof migrate_to_chat_id === 'number' ? { migratedTo: migrate_to_chat_id } : {}),
    });
  }
  const { kind, code, isTimeout } = networkFailureOf(error);
  if (isTimeout) return new TelegramFailure('unknown', 'Telegram did not answer in time');
  const description = kind === 'not_sent' ? 'Telegram cannot be reached' : 'The connection to Telegram broke off';
  return new TelegramFailure(kind, code === null ? description : `${description} (${code})`);
}

function without(token: string, text: string): string {
  return text.replaceAll(token, '…');
}

const unknownTarget =
  /chat not found|user not found|chat_id is empty|peer_id_invalid|chat_id_invalid|group chat was deactivated|message thread not found/i;

/**
 * A failure as a delivery error for the caller of `send`.
 * @param isRepeatable whether the call is idempotent
 */
export function asDeliveryError(failure: unknown, isRepeatable = false): DeliveryError {
  if (!(failure instanceof TelegramFailure)) return DeliveryError.from(failure, 'Telegram did not accept the message');
  const { kind, code, message, retryAfterMs } = failure;
  if (code === 429) return rateLimited(`Telegram: ${message}`, { pauseMs: retryAfterMs, scope: 'chat' });
  if (kind === 'unknown') {
    const text = isRepeatable ? message : `${message}; whether the message was delivered is not known`;
    return new DeliveryError('unknown', 'platform_failed', text, { isRepeatable });
  }
  if (kind === 'not_sent') return new DeliveryError('not_sent', 'platform_failed', message);
  // 403 is that the user blocked or never started the bot, or that it was removed from the group.
  if (code === 403) return new DeliveryError('refused', 'blocked', `Telegram: ${message}`);
  if (code === 400 && unknownTarget.test(message)) {
    return new DeliveryError('refused', 'unknown_target', `Telegram: ${message}`);
  }
  return new DeliveryError('refused', 'platform_failed', `Telegram: ${message}`);
}
