import { ParleyError, type ParleyErrorOptions, type Reason } from './errors.ts';

/**
 * How a call ended that did not deliver.
 * `refused`: the platform answered that it does not take the message.
 * `not_sent`: the message did not reach the platform, or the platform documents that it did not process it: no
 * connection, no address, a rate limit.
 * `unknown`: the request left and there is no conclusive answer, so the message may have arrived.
 */
export type DeliveryFailureKind = 'refused' | 'not_sent' | 'unknown';

export interface DeliveryErrorOptions extends ParleyErrorOptions {
  /**
   * The platform named a rate limit: nothing is to be sent before so many milliseconds have passed. Null where it
   * limited the sender without naming a time.
   */
  rateLimit?: { pauseMs: number | null; scope: 'chat' | 'bot' };
  /** The call may be repeated even if the first one was carried out, such as an edit. Default: false. */
  isRepeatable?: boolean;
}

/**
 * A message that was not, or may not have been, delivered. The adapter classifies the failure; the core decides on
 * retries.
 */
export class DeliveryError extends ParleyError {
  readonly kind: DeliveryFailureKind;
  readonly rateLimit: DeliveryErrorOptions['rateLimit'];
  readonly isRepeatable: boolean;

  constructor(kind: DeliveryFailureKind, reason: Reason, message: string, options: DeliveryErrorOptions = {}) {
    super(reason, message, options);
    this.name = 'DeliveryError';
    this.kind = kind;
    this.rateLimit = options.rateLimit;
    this.isRepeatable = options.isRepeatable ?? false;
  }

  /**
   * What an adapter threw, as a failure of a delivery.
   * @param message for what is no error of the service
   * @param kind of what is no error of the service
   */
  static from(error: unknown, message: string, kind: DeliveryFailureKind = 'unknown'): DeliveryError {
    if (error instanceof DeliveryError) return error;
    if (error instanceof ParleyError) {
      const isNotSent = error.reason === 'bot_not_running';
      const { cause } = error;
      return new DeliveryError(isNotSent ? 'not_sent' : 'refused', error.reason, error.message, { cause });
    }
    return new DeliveryError(kind, 'platform_failed', message, { cause: error });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof ParleyError && value.name === 'DeliveryError';
  }
}
