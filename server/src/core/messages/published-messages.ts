import type { MessageChain, MessageEvent } from '@parley/sdk';
import type { Conversation, ConversationKey } from '../conversations/conversation.ts';
import type { StateEvents } from '../events/state-events.ts';
import type { Message } from './message.ts';
import type { DeliveryOutcome, MessageOutcome, MessageStore, StoredReceipt } from './message-store.ts';

/** What an event says of a message; never what was said in it. */
interface MessageChange {
  uuid: string;
  bot_uuid: string;
  conversation_uuid: string;
  direction: Message['direction'];
  state: 'received' | 'processing' | MessageOutcome['state'] | 'sending' | DeliveryOutcome['state'];
  reason: Message['reason'];
}

/** The ledger, and whoever watches is told of each change once it is on disk. */
export class PublishedMessages implements MessageStore {
  readonly #store: MessageStore;
  readonly #events: Pick<StateEvents, 'publish'>;
  /** Messages that are processed or sent now, by uuid: changes name nothing else of them. */
  readonly #underWay = new Map<string, Message>();

  constructor(store: MessageStore, events: Pick<StateEvents, 'publish'>) {
    this.#store = store;
    this.#events = events;
  }

  async accept(key: ConversationKey, event: MessageEvent): Promise<StoredReceipt> {
    const receipt = await this.#store.accept(key, event);
    const { uuid, conversation_uuid } = receipt;
    if (receipt.outcome === 'accepted') {
      const { bot_uuid } = key;
      this.#publish({ uuid, bot_uuid, conversation_uuid, direction: 'inbound', state: 'received', reason: null });
    }
    return receipt;
  }

  async claim(heldBots: readonly string[]): Promise<Message | null> {
    const message = await this.#store.claim(heldBots);
    if (message !== null) {
      this.#underWay.set(message.uuid, message);
      this.#tell(message, 'processing', null);
    }
    return message;
  }

  recover(): Promise<{ messages: number; deliveries: number }> {
    return this.#store.recover();
  }

  async release(messageUuid: string): Promise<void> {
    await this.#store.release(messageUuid);
    this.#tell(this.#end(messageUuid), 'received', null);
  }

  beginAnswer(message: Message): Promise<Message> {
    return this.#store.beginAnswer(message);
  }

  finishAnswer(answerUuid: string, chain: MessageChain, text: string, state: 'finished' | 'failed'): Promise<void> {
    return this.#store.finishAnswer(answerUuid, chain, text, state);
  }

  async settle(
    messageUuid: string,
    outcome: MessageOutcome,
    answer: { uuid: string; delivery: DeliveryOutcome } | null,
  ): Promise<void> {
    await this.#store.settle(messageUuid, outcome, answer);
    const message = this.#end(messageUuid);
    if (message !== undefined && answer !== null) {
      const { bot_uuid, conversation_uuid } = message;
      const { state, reason } = answer.delivery;
      this.#publish({ uuid: answer.uuid, bot_uuid, conversation_uuid, direction: 'outbound', state, reason });
    }
    this.#tell(message, outcome.state, outcome.reason);
  }

  async createOutgoing(key: ConversationKey, chain: MessageChain, text: string): Promise<Message> {
    const message = await this.#store.createOutgoing(key, chain, text);
    this.#underWay.set(message.uuid, message);
    this.#tell(message, 'sending', null);
    return message;
  }

  async settleDelivery(messageUuid: string, outcome: DeliveryOutcome): Promise<void> {
    // Taken out first: unlike an outcome of a message, that of a delivery is stored in one attempt.
    const message = this.#end(messageUuid);
    await this.#store.settleDelivery(messageUuid, outcome);
    this.#tell(message, outcome.state, outcome.reason);
  }

  history(conversationUuid: string, beforeSequence: number, rounds: number): Promise<Message[]> {
    return this.#store.history(conversationUuid, beforeSequence, rounds);
  }

  currentConversation(key: ConversationKey): Promise<Conversation | null> {
    return this.#store.currentConversation(key);
  }

  conversationMessages(conversationUuid: string, limit: number): Promise<Message[]> {
    return this.#store.conversationMessages(conversationUuid, limit);
  }

  endConversation(key: ConversationKey): Promise<boolean> {
    return this.#store.endConversation(key);
  }

  #end(uuid: string): Message | undefined {
    const message = this.#underWay.get(uuid);
    this.#underWay.delete(uuid);
    return message;
  }

  #tell(message: Message | undefined, state: MessageChange['state'], reason: MessageChange['reason']): void {
    if (message === undefined) return;
    const { uuid, bot_uuid, conversation_uuid, direction } = message;
    this.#publish({ uuid, bot_uuid, conversation_uuid, direction, state, reason });
  }

  #publish(change: MessageChange): void {
    this.#events.publish({ type: 'message', data: { ...change } });
  }
}
