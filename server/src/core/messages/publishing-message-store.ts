import type { ConversationContext, MessageChain, MessageEvent, MessageHandle, Reason } from '@parley/sdk';
import type { Conversation, ConversationKey } from '../conversations/conversation.ts';
import type { StateEvents } from '../events/state-events.ts';
import type { DeliveryOutcome } from './delivery.ts';
import type { Message } from './message.ts';
import type {
  Answer,
  Arrival,
  DeliveryPlan,
  MessageOutcome,
  MessageStore,
  PostponedDelivery,
  StoredAnswer,
  StoredReceipt,
} from './message-store.ts';
import type { MessageRecord } from './message-trace.ts';

/** The event data of a message; never its text. */
interface MessageChange {
  uuid: string;
  bot_uuid: string;
  conversation_uuid: string;
  direction: Message['direction'];
  state: 'received' | 'processing' | MessageOutcome['state'] | 'sending' | DeliveryOutcome['state'];
  reason: Message['reason'];
}

/** The ledger, which publishes each change once it is on disk. */
export class PublishingMessageStore implements MessageStore {
  readonly #store: MessageStore;
  readonly #events: Pick<StateEvents, 'publish'>;
  /** Messages being processed or sent, by uuid: changes carry only the uuid. */
  readonly #inProgress = new Map<string, Message>();

  constructor(store: MessageStore, events: Pick<StateEvents, 'publish'>) {
    this.#store = store;
    this.#events = events;
  }

  async accept(key: ConversationKey, event: MessageEvent): Promise<StoredReceipt> {
    const receipt = await this.#store.accept(key, event);
    this.#publishArrival(key, receipt);
    return receipt;
  }

  async acceptAll(arrivals: readonly Arrival[]): Promise<StoredReceipt[]> {
    const receipts = await this.#store.acceptAll(arrivals);
    for (const [index, { key }] of arrivals.entries()) this.#publishArrival(key, receipts[index]);
    return receipts;
  }

  async claim(heldBots: readonly string[]): Promise<Message | null> {
    const message = await this.#store.claim(heldBots);
    if (message !== null) {
      this.#inProgress.set(message.uuid, message);
      this.#publishState(message, 'processing', null);
    }
    return message;
  }

  nextDue(since?: number): Promise<number | null> {
    return this.#store.nextDue(since);
  }

  recover(): Promise<{ messages: number; deliveries: number }> {
    return this.#store.recover();
  }

  async release(
    messageUuid: string,
    wait: { until: string; reason: Reason } | null,
    options?: { isCounted?: boolean },
  ): Promise<void> {
    await this.#store.release(messageUuid, wait, options);
    this.#publishState(this.#end(messageUuid), 'received', wait?.reason ?? null);
  }

  reclaim(running: readonly string[]): Promise<number> {
    return this.#store.reclaim(running);
  }

  hurry(conversationUuid: string): Promise<void> {
    return this.#store.hurry(conversationUuid);
  }

  waitingBehind(message: Message, limit: number): Promise<Message[]> {
    return this.#store.waitingBehind(message, limit);
  }

  answerTo(messageUuid: string): Promise<StoredAnswer | null> {
    return this.#store.answerTo(messageUuid);
  }

  beginAnswer(message: Message, partialRemains?: boolean): Promise<Message> {
    return this.#store.beginAnswer(message, partialRemains);
  }

  async finishAnswer(
    message: Message,
    answer: Answer,
    record: MessageRecord,
    plan?: DeliveryPlan,
  ): Promise<StoredAnswer> {
    const stored = await this.#store.finishAnswer(message, answer, record, plan);
    this.#tellMerged(message, answer.merged);
    return stored;
  }

  async settle(
    message: Message,
    outcome: MessageOutcome,
    end: {
      answer: { uuid: string; piece: number; delivery: DeliveryOutcome } | null;
      merged: readonly string[];
      record: MessageRecord | null;
    },
  ): Promise<void> {
    await this.#store.settle(message, outcome, end);
    this.#end(message.uuid);
    const { bot_uuid, conversation_uuid } = message;
    if (end.answer !== null) {
      const { uuid, delivery } = end.answer;
      const { state, reason } = delivery;
      this.#publish({ uuid, bot_uuid, conversation_uuid, direction: 'outbound', state, reason });
    }
    this.#tellMerged(message, end.merged);
    this.#publishState(message, outcome.state, outcome.reason);
  }

  async stopWaiting(
    conversationUuid: string,
    beforeSequence: number,
    reason: Reason,
  ): Promise<Pick<Message, 'uuid' | 'bot_uuid'>[]> {
    const stopped = await this.#store.stopWaiting(conversationUuid, beforeSequence, reason);
    for (const { uuid, bot_uuid } of stopped) {
      const end = { state: 'stopped', reason } as const;
      this.#publish({ uuid, bot_uuid, conversation_uuid: conversationUuid, direction: 'inbound', ...end });
    }
    return stopped;
  }

  async createOutgoing(key: ConversationKey, chain: MessageChain, text: string): Promise<Message> {
    const message = await this.#store.createOutgoing(key, chain, text);
    this.#inProgress.set(message.uuid, message);
    this.#publishState(message, 'sending', null);
    return message;
  }

  storeHandle(answerUuid: string, piece: number, handle: MessageHandle): Promise<void> {
    return this.#store.storeHandle(answerUuid, piece, handle);
  }

  beginDelivery(answerUuid: string, piece: number): Promise<void> {
    return this.#store.beginDelivery(answerUuid, piece);
  }

  async settleDelivery(
    answerUuid: string,
    piece: number,
    outcome: DeliveryOutcome,
    beginsNext?: boolean,
  ): Promise<void> {
    await this.#store.settleDelivery(answerUuid, piece, outcome, beginsNext);
    // Undefined for a part of an answer: the message publishes the result of the last one.
    this.#publishState(this.#end(answerUuid), outcome.state, outcome.reason);
  }

  async postponeDelivery(messageUuid: string, postponed: PostponedDelivery): Promise<void> {
    await this.#store.postponeDelivery(messageUuid, postponed);
    this.#publishState(this.#end(messageUuid), 'received', postponed.reason);
  }

  deliveredMessage(messageUuid: string): Promise<Message | null> {
    return this.#store.deliveredMessage(messageUuid);
  }

  async reopenDelivery(
    outbound: Message,
    piece: number,
    expiresAt: string,
  ): ReturnType<MessageStore['reopenDelivery']> {
    const outcome = await this.#store.reopenDelivery(outbound, piece, expiresAt);
    const { bot_uuid, conversation_uuid, reply_to } = outbound;
    if (outcome === 'sending') {
      this.#inProgress.set(outbound.uuid, outbound);
      this.#publishState(outbound, 'sending', null);
    } else if (outcome === 'pending' && reply_to !== null) {
      const question = { uuid: reply_to, bot_uuid, conversation_uuid, direction: 'inbound' } as const;
      this.#publish({ ...question, state: 'received', reason: null });
    }
    return outcome;
  }

  expedite(conversationUuids: readonly string[]): Promise<void> {
    return this.#store.expedite(conversationUuids);
  }

  history(conversationUuid: string, beforeSequence: number, rounds: number): Promise<Message[]> {
    return this.#store.history(conversationUuid, beforeSequence, rounds);
  }

  context(messageUuid: string): Promise<ConversationContext | null> {
    return this.#store.context(messageUuid);
  }

  currentConversation(key: ConversationKey): Promise<Conversation | null> {
    return this.#store.currentConversation(key);
  }

  conversationMessages(conversationUuid: string, limit: number): Promise<Message[]> {
    return this.#store.conversationMessages(conversationUuid, limit);
  }

  conversationStatus(message: Message): Promise<{ rounds: number; waiting: number; since: string }> {
    return this.#store.conversationStatus(message);
  }

  cancelledBy(message: Message): Promise<number> {
    return this.#store.cancelledBy(message);
  }

  chooseModel(conversationUuid: string, modelUuid: string | null): Promise<void> {
    return this.#store.chooseModel(conversationUuid, modelUuid);
  }

  endConversation(key: ConversationKey): Promise<boolean> {
    return this.#store.endConversation(key);
  }

  #publishArrival({ bot_uuid }: ConversationKey, receipt: StoredReceipt | undefined): void {
    if (receipt?.outcome !== 'accepted') return;
    const { uuid, conversation_uuid } = receipt;
    this.#publish({ uuid, bot_uuid, conversation_uuid, direction: 'inbound', state: 'received', reason: null });
  }

  #end(uuid: string): Message | undefined {
    const message = this.#inProgress.get(uuid);
    this.#inProgress.delete(uuid);
    return message;
  }

  #tellMerged({ bot_uuid, conversation_uuid }: Message, uuids: readonly string[]): void {
    for (const uuid of uuids) {
      const end = { state: 'stopped', reason: 'merged' } as const;
      this.#publish({ uuid, bot_uuid, conversation_uuid, direction: 'inbound', ...end });
    }
  }

  #publishState(message: Message | undefined, state: MessageChange['state'], reason: MessageChange['reason']): void {
    if (message === undefined) return;
    const { uuid, bot_uuid, conversation_uuid, direction } = message;
    this.#publish({ uuid, bot_uuid, conversation_uuid, direction, state, reason });
  }

  #publish(change: MessageChange): void {
    this.#events.publish({ type: 'message', data: { ...change } });
  }
}
