import type { ParleyError } from '@parley/sdk';
import type { BotEventEntry } from '../bots/bot-event.ts';
import type { Message } from './message.ts';

/** What the event log of a bot says of a message that did not reach the platform. */
export function undelivered(message: Message, failure: ParleyError): BotEventEntry {
  return {
    level: 'error',
    text: `A message was not delivered: ${failure.message}`,
    message_session_id: `${message.session_type}_${message.session_id}`,
  };
}
