import type { StateEvents } from '../events/state-events.ts';
import type { DeliveryState } from './delivery.ts';
import type { Message } from './message.ts';
import type { MessageEnd, MessageOutcome } from './message-ledger.ts';

type PublishedMessage = Pick<Message, 'uuid' | 'bot_uuid' | 'conversation_uuid' | 'direction'>;
type PublishedState = 'received' | 'processing' | MessageOutcome['state'] | Exclude<DeliveryState, 'pending'>;

/** Publishes states of messages, never their texts. To be called when a change is on disk. */
export class MessageEvents {
  readonly #events: Pick<StateEvents, 'publish'>;

  constructor(events: Pick<StateEvents, 'publish'>) {
    this.#events = events;
  }

  publish(message: PublishedMessage, state: PublishedState, reason: Message['reason'] = null): void {
    const { uuid, bot_uuid, conversation_uuid, direction } = message;
    this.#events.publish({ type: 'message', data: { uuid, bot_uuid, conversation_uuid, direction, state, reason } });
  }

  /** Messages that were merged into one. */
  merged(message: PublishedMessage, uuids: readonly string[]): void {
    for (const uuid of uuids) this.publish({ ...message, uuid }, 'stopped', 'merged');
  }

  /** An inbound message ended. */
  ended(message: PublishedMessage, outcome: MessageOutcome, { answer, merged }: MessageEnd): void {
    if (answer !== null) {
      const { uuid, delivery } = answer;
      this.publish({ ...message, uuid, direction: 'outbound' }, delivery.state, delivery.reason);
    }
    this.merged(message, merged);
    this.publish(message, outcome.state, outcome.reason);
  }
}
