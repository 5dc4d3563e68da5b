import type { DeliveryError } from '@parley/sdk';
import type { BotEventEntry } from '../bots/bot-event.ts';
import type { Message } from './message.ts';

/** The entry in the event log of a bot for a message that did not, or may not have, reached the platform. */
export function undelivered(message: Message, failure: DeliveryError): BotEventEntry {
  const isUncertain = failure.kind === 'unknown';
  return {
    level: isUncertain ? 'warning' : 'error',
    code: isUncertain ? 'delivery_uncertain' : 'delivery_failed',
    reason: failure.reason,
    text: `${isUncertain ? 'The delivery of a message is uncertain' : 'A message was not delivered'}: ${failure.message}`,
    message_session_id: `${message.session_type}_${message.session_id}`,
  };
}
