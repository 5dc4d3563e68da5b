import type { Reason } from '@parley/sdk';
import type { MessageEvents } from './message-events.ts';
import type { MessageLedger } from './message-ledger.ts';
import type { CancelReason, RunningAnswers } from './running-answers.ts';

export interface StoppingParts {
  messages: Pick<MessageLedger, 'stopWaiting'>;
  running: Pick<RunningAnswers, 'cancelBefore'>;
  events: MessageEvents;
}

/** Cancels the running answer of a conversation before a position in it, and ends the messages that wait before it. */
export async function stopAnswers(
  { messages, running, events }: StoppingParts,
  conversation_uuid: string,
  before: number,
  reason: CancelReason & Reason,
): Promise<void> {
  running.cancelBefore(conversation_uuid, before, reason);
  for (const message of await messages.stopWaiting(conversation_uuid, before, reason)) {
    events.publish({ ...message, conversation_uuid, direction: 'inbound' }, 'stopped', reason);
  }
}
