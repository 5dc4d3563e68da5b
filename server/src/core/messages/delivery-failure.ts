import { DeliveryError } from '@parley/sdk';

/** What an adapter threw, as the kinds of failures that decide what follows; see `PlatformAdapter.send`. */
export function deliveryFailureOf(error: unknown): DeliveryError {
  return DeliveryError.from(error, 'Sending failed unexpectedly');
}
