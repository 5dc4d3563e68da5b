import { DeliveryError, ParleyError, type Reason } from '@parley/sdk';
import { rateLimited } from '../../kit/failures/rate-limited.ts';

/** Error codes that mean something to us; others are refusals. @see https://developer.work.weixin.qq.com/document/path/90313 */
const codes = {
  /** Another frame is processed; this one is to be sent again. */
  conflict: [6000],
  /** The request id is not known, or not any more. */
  unknownRequest: [846605],
  /** The stream has ended: it was finished, or was open for too long. */
  endedStream: [846608],
  rateLimit: [45009, 45033],
  busy: [-1],
  permission: [48002, 60011],
  unknownTarget: [40003, 60111, 81013, 86001, 86003, 86008, 93006],
} as const;

/** Name and number of a refusal. */
export class WecomRefusal extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`WeCom error ${code}`);
    this.code = code;
  }
}

export interface FailureOptions {
  /** The same call again does no harm. */
  isRepeatable?: boolean;
  /** Reason of a refusal whose code says nothing. Default: `platform_failed`. */
  reason?: Reason;
}

/** The failure that a code stands for. @param text of the platform */
export function failureOf(code: number, text: string, options: FailureOptions = {}): DeliveryError {
  const { isRepeatable = false, reason = 'platform_failed' } = options;
  const message = `WeCom: ${text.slice(0, 300) || 'error'} (${code})`;
  const cause = new WecomRefusal(code);
  const is = (kind: keyof typeof codes) => (codes[kind] as readonly number[]).includes(code);
  if (is('rateLimit')) return rateLimited(message, { pauseMs: null, scope: 'chat' });
  if (is('conflict')) return new DeliveryError('not_sent', 'platform_failed', message, { cause });
  if (is('busy')) return new DeliveryError('unknown', 'platform_failed', message, { cause, isRepeatable });
  if (is('permission')) {
    return new DeliveryError('refused', 'platform_failed', `The bot lacks a permission: ${message}`, { cause });
  }
  return new DeliveryError('refused', is('unknownTarget') ? 'unknown_target' : reason, message, { cause });
}

/** Whether the platform refused a call with a kind of code. */
export function isRefusal(error: unknown, kind: keyof typeof codes): boolean {
  if (!(error instanceof DeliveryError) || !(error.cause instanceof WecomRefusal)) return false;
  return (codes[kind] as readonly number[]).includes(error.cause.code);
}

/** A failure of the first frame, as the service shows it: the platform documents no codes for wrong credentials. */
export function startFailure(error: unknown): unknown {
  if (!(error instanceof DeliveryError)) return error;
  const isRefused = error.kind === 'refused' && error.cause instanceof WecomRefusal;
  if (!isRefused) return new ParleyError('platform_failed', `Connecting to WeCom failed: ${error.message}`);
  return new ParleyError('platform_unauthorized', `WeCom refuses the bot ID or the secret: ${error.message}`);
}

/** A failure as one of a delivery. */
export function asDeliveryError(error: unknown): DeliveryError {
  return DeliveryError.from(error, 'WeCom did not accept the message');
}
