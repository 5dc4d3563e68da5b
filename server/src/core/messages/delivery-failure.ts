import { DeliveryError, ParleyError } from '@parley/sdk';

/** What an adapter threw, as the kinds of failures that decide what follows; see `PlatformAdapter.send`. */
export function deliveryFailureOf(error: unknown): DeliveryError {
  if (error instanceof DeliveryError) return error;
  if (error instanceof ParleyError) {
    const kind = error.reason === 'bot_not_running' ? 'not_sent' : 'refused';
    return new DeliveryError(kind, error.reason, error.message, { cause: error.cause });
  }
  return new DeliveryError('unknown', 'platform_failed', 'Sending failed unexpectedly', { cause: error });
}
