import type { Reason } from '@parley/sdk';
import type { Cancellations } from './cancellations.ts';
import type { MessageEvents } from './message-events.ts';
import type { MessageLedger } from './message-ledger.ts';
import type { CancelReason } from './running-answers.ts';

export interface StoppingParts {
  messages: Pick<MessageLedger, 'stopWaiting'>;
  cancellations: Pick<Cancellations, 'cancelHere' | 'cancelElsewhere'>;
  events: MessageEvents;
}

/** Cancels the running answer of a conversation before a position in it, and ends the messages that wait before it. */
export async function stopAnswers(
  { messages, cancellations, events }: StoppingParts,
  conversation_uuid: string,
  before: number,
  reason: CancelReason & Reason,
): Promise<void> {
  cancellations.cancelHere(conversation_uuid, before, reason);
  for (const message of await messages.stopWaiting(conversation_uuid, before, reason)) {
    events.publish({ ...message, conversation_uuid, direction: 'inbound' }, 'stopped', reason);
  }
  await cancellations.cancelElsewhere(conversation_uuid, before, reason);
}
