import type { ConversationContext, MessageChain, MessageEvent, MessageHandle, Reason } from '@parley/sdk';
import { sql, type Transaction } from 'kysely';
import type { Conversation, ConversationKey } from '../../core/conversations/conversation.ts';
import type { DeliveryOutcome } from '../../core/messages/delivery.ts';
import type { Message } from '../../core/messages/message.ts';
import type {
  Answer,
  Arrival,
  DeliveryPlan,
  MessageOutcome,
  MessageStore,
  PostponedDelivery,
  StoredAnswer,
  StoredReceipt,
} from '../../core/messages/message-store.ts';
import type { MessageRecord } from '../../core/messages/message-trace.ts';
import { now } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import { advisoryLocks } from '../advisory-locks.ts';
import type { Database, Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import { Answers } from './answers.ts';
import { Arrivals } from './arrivals.ts';
import { Conversations } from './conversations.ts';
import { recoverMessages } from './crash-recovery.ts';
import { Deliveries } from './deliveries.ts';
import { History } from './history.ts';
import { MessageClaims, notClaimedError } from './message-claims.ts';
import { MessageContexts } from './message-contexts.ts';
import { MessageLifecycle } from './message-lifecycle.ts';
import type { MessageQueue } from './message-queue.ts';
import { MessageRecords } from './message-records.ts';
import { MessageRows } from './message-rows.ts';
import { WebhookOutbox } from './webhook-outbox.ts';

export interface MessageStoreOptions {
  /** Names the process in its claims, a uuid. Default a new one. */
  owner?: string;
  /** How long a message waits for the answers of webhooks, milliseconds; 0 for not at all. */
  webhookWaitMs: number;
  /** False when there is certainly no webhook, which saves a query with every message. */
  mayTellWebhooks?: () => boolean;
}

/** The ledger in the database. */
export class KyselyMessageStore implements MessageStore {
  readonly #database: Database;
  readonly #engine: Engine;
  readonly #queue: MessageQueue;
  readonly #conversations: Conversations;
  readonly #rows: MessageRows;
  readonly #turns: MessageLifecycle;
  readonly #deliveries: Deliveries;
  readonly #records: MessageRecords;
  readonly #answers: Answers;
  readonly #history: History;
  readonly #contexts: MessageContexts;
  readonly #claims: MessageClaims;
  readonly #arrivals: Arrivals;

  constructor(
    database: Database,
    engine: Engine,
    queue: MessageQueue,
    options: MessageStoreOptions = { webhookWaitMs: 0 },
  ) {
    this.#database = database;
    this.#engine = engine;
    this.#queue = queue;
    this.#conversations = new Conversations(database, engine);
    this.#rows = new MessageRows(database, this.#conversations);
    this.#turns = new MessageLifecycle(database, queue);
    this.#deliveries = new Deliveries(database);
    this.#records = new MessageRecords(database);
    this.#answers = new Answers(this.#rows, this.#deliveries, this.#records);
    this.#history = new History(database, engine);
    this.#contexts = new MessageContexts(database);
    this.#claims = new MessageClaims(database, engine, options.owner ?? newUuid());
    this.#arrivals = new Arrivals({
      conversations: this.#conversations,
      rows: this.#rows,
      contexts: this.#contexts,
      webhooks: new WebhookOutbox(database, engine, options),
      queue,
    });
  }

  accept(key: ConversationKey, event: MessageEvent): Promise<StoredReceipt> {
    return this.#transaction((transaction) => this.#arrivals.add(transaction, { key, event }));
  }

  acceptAll(arrivals: readonly Arrival[]): Promise<StoredReceipt[]> {
    return this.#transaction((transaction) => this.#arrivals.addAll(transaction, arrivals));
  }

  claim(heldBots: readonly string[]): Promise<Message | null> {
    return this.#transaction(async (transaction) => {
      await this.#lockQueue(transaction);
      for (;;) {
        const conversationUuid = await this.#queue.take(transaction, heldBots);
        if (conversationUuid === null) return null;
        const message = await this.#rows.begin(transaction, conversationUuid, this.#claims.owner);
        if (message !== null) return message;
        await this.#queue.remove(transaction, conversationUuid);
      }
    });
  }

  nextDue(since = 0): Promise<number | null> {
    return this.#queue.nextDue(since);
  }

  recover(): Promise<{ messages: number; deliveries: number }> {
    return this.#transaction(async (transaction) => {
      await this.#lockQueue(transaction);
      return recoverMessages(transaction, this.#queue);
    });
  }

  async release(
    messageUuid: string,
    wait: { until: string; reason: Reason } | null,
    { isCounted = true }: { isCounted?: boolean } = {},
  ): Promise<void> {
    const dueAt = wait === null ? null : Date.parse(wait.until);
    if (Number.isNaN(dueAt)) throw new Error(`A message cannot wait until ${wait?.until}`);
    await this.#transaction(async (transaction) => {
      const conversation = await this.#turns.conversationOf(transaction, messageUuid);
      if (conversation === undefined) return;
      await this.#conversations.lock(transaction, conversation.uuid);
      if (!(await this.#claims.isOurs(transaction, messageUuid))) return;
      if (!(await this.#turns.release(transaction, messageUuid, wait?.reason ?? null, isCounted))) return;
      await this.#queue.putBack(transaction, conversation, dueAt);
    });
  }

  async reclaim(running: readonly string[]): Promise<number> {
    return this.#transaction(async (transaction) => {
      await this.#lockQueue(transaction);
      const lost = await this.#claims.except(transaction, running);
      for (const { uuid, conversation } of lost) {
        await this.#conversations.lock(transaction, conversation.uuid);
        if (!(await this.#turns.release(transaction, uuid, null, false))) continue;
        await this.#queue.putBack(transaction, conversation, null);
      }
      return lost.length;
    });
  }

  hurry(conversationUuid: string): Promise<void> {
    return this.#transaction(async (transaction) => {
      await this.#conversations.lock(transaction, conversationUuid);
      await this.#turns.hurry(transaction, conversationUuid);
    });
  }

  waitingBehind(message: Message, limit: number): Promise<Message[]> {
    return this.#rows.waiting(this.#database, message.conversation_uuid, message.sequence, limit);
  }

  answerTo(messageUuid: string): Promise<StoredAnswer | null> {
    return this.#answers.to(this.#database, messageUuid);
  }

  beginAnswer(message: Message, partialRemains = false): Promise<Message> {
    return this.#transaction(async (transaction) => {
      await this.#claims.assertOurs(transaction, message.uuid);
      return this.#answers.begin(transaction, message, partialRemains);
    });
  }

  finishAnswer(
    message: Message,
    answer: Answer,
    record: MessageRecord,
    plan: DeliveryPlan = { begins: true, expires_at: null },
  ): Promise<StoredAnswer> {
    return this.#transaction(async (transaction) => {
      await this.#claims.assertOurs(transaction, message.uuid);
      const earlier = await this.#answers.to(transaction, message.uuid);
      // Stored before, and perhaps sent: the text stays as it is.
      if (earlier !== null && earlier.message.state !== 'writing') return earlier;
      const finished = await this.#answers.finish(transaction, message, earlier, answer, plan);
      await this.#turns.merge(transaction, message, answer.merged);
      await this.#records.write(transaction, message.uuid, record, answer.outcome);
      return { ...finished, outcome: answer.outcome, handle: earlier?.handle ?? null };
    });
  }

  async storeHandle(answerUuid: string, piece: number, handle: MessageHandle): Promise<void> {
    const { owner } = this.#claims;
    const part = { message_uuid: answerUuid, piece, owner };
    if (!(await this.#deliveries.storeHandle(this.#database, part, handle))) throw notClaimedError();
  }

  beginDelivery(answerUuid: string, piece: number): Promise<void> {
    return this.#transaction(async (transaction) => {
      await this.#claims.assertAnswerOurs(transaction, answerUuid);
      await this.#deliveries.beginNext(transaction, answerUuid, piece);
    });
  }

  async settleDelivery(answerUuid: string, piece: number, outcome: DeliveryOutcome, beginsNext = true): Promise<void> {
    const settled = this.#transaction(async (transaction) => {
      await this.#claims.assertAnswerOurs(transaction, answerUuid);
      await this.#deliveries.end(transaction, answerUuid, piece, outcome);
      if (beginsNext) await this.#deliveries.beginNext(transaction, answerUuid, piece + 1);
    });
    await this.#withResult({ uuid: answerUuid, piece, delivery: outcome }, settled);
  }

  async postponeDelivery(messageUuid: string, postponed: PostponedDelivery): Promise<void> {
    await this.#transaction(async (transaction) => {
      const conversation = await this.#turns.conversationOf(transaction, messageUuid);
      if (conversation === undefined) return;
      await this.#conversations.lock(transaction, conversation.uuid);
      if (!(await this.#claims.isOurs(transaction, messageUuid))) return;
      if (!(await this.#turns.release(transaction, messageUuid, postponed.reason, true))) return;
      await this.#deliveries.postpone(transaction, postponed);
      await this.#queue.putBack(transaction, conversation, Date.parse(postponed.until));
    });
  }

  async deliveredMessage(messageUuid: string): Promise<Message | null> {
    const answer = await this.#rows.answerTo(this.#database, messageUuid);
    if (answer !== null) return answer;
    const message = await this.#rows.find(this.#database, messageUuid);
    return message?.direction === 'outbound' ? message : null;
  }

  reopenDelivery(
    outbound: Message,
    piece: number,
    expiresAt: string,
  ): Promise<'pending' | 'sending' | 'not_found' | 'in_progress' | 'delivered'> {
    const { uuid, bot_uuid, conversation_uuid, reply_to } = outbound;
    return this.#transaction(async (transaction) => {
      await this.#conversations.lock(transaction, conversation_uuid);
      const parts = await this.#deliveries.of(transaction, outbound);
      const part = parts.find((one) => one.piece === piece);
      const isOpen = parts.some(({ state }) => state === 'pending' || state === 'sending');
      if (part === undefined) return isOpen || outbound.state !== 'writing' ? 'not_found' : 'in_progress';
      if (isOpen) return 'in_progress';
      if (part.state === 'sent') return 'delivered';
      const state = reply_to === null ? 'sending' : 'pending';
      if (reply_to !== null) {
        if (!(await this.#turns.reopen(transaction, reply_to))) return 'in_progress';
        await this.#queue.add(transaction, { uuid: conversation_uuid, bot_uuid }, null);
      }
      await this.#deliveries.reopen(transaction, { message_uuid: uuid, piece, state, expires_at: expiresAt });
      return state;
    });
  }

  async expedite(conversationUuids: readonly string[]): Promise<void> {
    if (conversationUuids.length === 0) return;
    await this.#transaction(async (transaction) => {
      for (const uuid of conversationUuids) await this.#queue.hurry(transaction, uuid);
    });
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
    const settled = this.#transaction(async (transaction) => {
      await this.#conversations.lock(transaction, message.conversation_uuid);
      if (!(await this.#claims.isOurs(transaction, message.uuid))) return;
      // Already stored, or removed: the message is no longer claimed.
      if (!(await this.#turns.end(transaction, message.uuid, outcome))) return;
      await this.#turns.merge(transaction, message, end.merged);
      if (end.answer !== null) {
        const { uuid, piece, delivery } = end.answer;
        await this.#deliveries.end(transaction, uuid, piece, delivery);
      } else {
        const reason = outcome.reason === 'answered' ? null : outcome.reason;
        await this.#rows.removeUnfinishedAnswer(transaction, message.uuid);
        await this.#deliveries.abandon(transaction, message.uuid, reason);
      }
      if (end.record !== null) await this.#records.write(transaction, message.uuid, end.record);
      await this.#turns.next(transaction, message.conversation_uuid);
    });
    await this.#withResult(end.answer, settled);
  }

  /**
   * On PostgreSQL a transaction takes many round trips, and a process that dies during them would not record a
   * successful send. So its result is also stored by a single statement outside the transaction, which alone decides on
   * failure.
   */
  async #withResult(
    result: { uuid: string; piece: number; delivery: DeliveryOutcome } | null,
    settled: Promise<void>,
  ): Promise<void> {
    if (this.#engine !== 'postgres' || result === null) return settled;
    const early = this.#deliveries.endEarly(this.#database, this.#claims.owner, result).catch(() => undefined);
    await Promise.all([settled, early]);
  }

  stopWaiting(
    conversationUuid: string,
    beforeSequence: number,
    reason: Reason,
  ): Promise<Pick<Message, 'uuid' | 'bot_uuid'>[]> {
    return this.#transaction(async (transaction) => {
      await this.#lockQueue(transaction);
      await this.#conversations.lock(transaction, conversationUuid);
      const stopped = await this.#turns.stopWaiting(transaction, conversationUuid, beforeSequence, reason);
      for (const { uuid } of stopped) {
        // One that waits for its platform has a complete answer, which is not sent any more.
        await this.#rows.removeUnfinishedAnswer(transaction, uuid);
        await this.#deliveries.abandon(transaction, uuid, reason);
      }
      return stopped;
    });
  }

  createOutgoing(key: ConversationKey, chain: MessageChain, text: string): Promise<Message> {
    return this.#transaction(async (transaction) => {
      const conversation = await this.#conversations.lockCurrent(transaction, key);
      const { uuid } = await this.#rows.insert(transaction, conversation, {
        direction: 'outbound',
        platform_message_id: null,
        reply_to: null,
        sender_id: key.bot_uuid,
        sender_name: '',
        message_chain: JSON.stringify(chain),
        text,
        state: 'finished',
        sent_at: null,
        facts: null,
        finished_at: now(),
      });
      await this.#deliveries.begin(transaction, uuid, [chain], { begins: true, expires_at: null });
      return this.#rows.byUuid(transaction, uuid);
    });
  }

  history(conversationUuid: string, beforeSequence: number, rounds: number): Promise<Message[]> {
    return this.#history.before(conversationUuid, beforeSequence, rounds);
  }

  context(messageUuid: string): Promise<ConversationContext | null> {
    return this.#contexts.of(this.#database, messageUuid);
  }

  currentConversation(key: ConversationKey): Promise<Conversation | null> {
    return this.#conversations.current(key);
  }

  conversationMessages(conversationUuid: string, limit: number): Promise<Message[]> {
    return this.#rows.shown(this.#database, conversationUuid, limit);
  }

  async conversationStatus(message: Message): Promise<{ rounds: number; waiting: number; since: string }> {
    const counts = await this.#history.counts(message);
    return { ...counts, since: await this.#conversations.since(message.conversation_uuid) };
  }

  cancelledBy(message: Message): Promise<number> {
    return this.#history.givenUp(message);
  }

  chooseModel(conversationUuid: string, modelUuid: string | null): Promise<void> {
    return this.#conversations.chooseModel(conversationUuid, modelUuid);
  }

  endConversation(key: ConversationKey): Promise<boolean> {
    return this.#conversations.end(key);
  }

  #transaction<Result>(work: (transaction: Transaction<Tables>) => Promise<Result>): Promise<Result> {
    return this.#database.transaction().execute(work);
  }

  /**
   * One claim at a time, and none while the queue is rearranged: taking a conversation from the queue and locking one
   * happen in different orders and would deadlock. SQLite has one writer at a time anyway.
   */
  async #lockQueue(transaction: Transaction<Tables>): Promise<void> {
    if (this.#engine === 'postgres')
      await sql`select pg_advisory_xact_lock(${advisoryLocks.claim})`.execute(transaction);
  }
}
