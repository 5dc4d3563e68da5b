import type { EventCounter } from '../../core/limits/event-counter.ts';
import type { DeliveryLedger } from '../../core/messages/delivery-ledger.ts';
import type { MessageLedger } from '../../core/messages/message-ledger.ts';
import type { PluginEffects } from '../../core/messages/plugin-effects.ts';
import type { ReplyContextStore } from '../../core/messages/reply-contexts.ts';

/** The parts of the ledger that write with every message. */
export interface WritingParts {
  messages: MessageLedger;
  deliveries: DeliveryLedger;
  replyContextStore: ReplyContextStore;
  counter: EventCounter;
  effects: PluginEffects;
}
