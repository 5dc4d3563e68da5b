import { type MessageChain, type MessageEvent, type Reason, textOfChain } from '@parley/sdk';
import { sql, type Transaction } from 'kysely';
import type { Conversation, ConversationKey } from '../../core/conversations/conversation.ts';
import type { DeliveryOutcome } from '../../core/messages/delivery.ts';
import type { Message } from '../../core/messages/message.ts';
import type {
  Answer,
  MessageOutcome,
  MessageStore,
  StoredAnswer,
  StoredReceipt,
} from '../../core/messages/message-store.ts';
import type { MessageRecord } from '../../core/messages/message-trace.ts';
import { now } from '../../lib/clock.ts';
import { advisoryLocks } from '../advisory-locks.ts';
import type { Database, Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import { Conversations } from './conversations.ts';
import { Deliveries } from './deliveries.ts';
import { History } from './history.ts';
import type { MessageQueue } from './message-queue.ts';
import { MessageRecords } from './message-records.ts';
import { MessageRows } from './message-rows.ts';
import { MessageTurns } from './message-turns.ts';

/** The ledger in the database. */
export class KyselyMessageStore implements MessageStore {
  readonly #database: Database;
  readonly #engine: Engine;
  readonly #queue: MessageQueue;
  readonly #conversations: Conversations;
  readonly #rows: MessageRows;
  readonly #turns: MessageTurns;
  readonly #deliveries: Deliveries;
  readonly #records: MessageRecords;
  readonly #history: History;

  constructor(database: Database, engine: Engine, queue: MessageQueue) {
    this.#database = database;
    this.#engine = engine;
    this.#queue = queue;
    this.#conversations = new Conversations(database, engine);
    this.#rows = new MessageRows(database, this.#conversations);
    this.#turns = new MessageTurns(database, queue);
    this.#deliveries = new Deliveries(database);
    this.#records = new MessageRecords(database);
    this.#history = new History(database);
  }

  accept(key: ConversationKey, event: MessageEvent): Promise<StoredReceipt> {
    return this.#transaction(async (transaction) => {
      const conversation = await this.#conversations.lockCurrent(transaction, key);
      const known = await this.#rows.delivered(transaction, key.bot_uuid, event.platform_message_id);
      if (known !== undefined) return { outcome: 'repeated', ...known };
      const row = await this.#rows.insert(transaction, conversation, {
        direction: 'inbound',
        platform_message_id: event.platform_message_id,
        reply_to: null,
        sender_id: event.sender_id,
        sender_name: event.sender_name ?? '',
        message_chain: JSON.stringify(event.message_chain),
        text: textOfChain(event.message_chain),
        state: 'received',
        sent_at: event.sent_at ?? null,
        facts: event.facts === undefined ? null : JSON.stringify(event.facts),
      });
      await this.#queue.add(transaction, conversation);
      return { outcome: 'accepted', conversation_uuid: conversation.uuid, ...row };
    });
  }

  claim(heldBots: readonly string[]): Promise<Message | null> {
    return this.#transaction(async (transaction) => {
      await this.#lockQueue(transaction);
      for (;;) {
        const conversationUuid = await this.#queue.take(transaction, heldBots);
        if (conversationUuid === null) return null;
        const message = await this.#rows.begin(transaction, conversationUuid);
        if (message !== null) return message;
        await this.#queue.remove(transaction, conversationUuid);
      }
    });
  }

  nextDue(): Promise<number | null> {
    return this.#queue.nextDue();
  }

  recover(): Promise<{ messages: number; deliveries: number }> {
    return this.#transaction(async (transaction) => {
      await this.#lockQueue(transaction);
      const deliveries = await this.#deliveries.doubtUnasked(transaction);
      const messages = await this.#turns.recover(transaction);
      return { messages, deliveries };
    });
  }

  async release(messageUuid: string, wait: { until: string; reason: Reason } | null): Promise<void> {
    const dueAt = wait === null ? null : Date.parse(wait.until);
    if (Number.isNaN(dueAt)) throw new Error(`A message cannot wait until ${wait?.until}`);
    await this.#transaction(async (transaction) => {
      const conversation = await this.#turns.lockOf(transaction, messageUuid, this.#conversations);
      if (conversation === undefined) return;
      if (!(await this.#turns.release(transaction, messageUuid, wait?.reason ?? null))) return;
      await this.#queue.putBack(transaction, conversation, dueAt);
    });
  }

  waitingBehind(message: Message, limit: number): Promise<Message[]> {
    return this.#rows.waiting(this.#database, message.conversation_uuid, message.sequence, limit);
  }

  async answerTo(messageUuid: string): Promise<StoredAnswer | null> {
    const message = await this.#rows.answerTo(this.#database, messageUuid);
    return message === null ? null : this.#storedAnswer(this.#database, message);
  }

  beginAnswer(message: Message): Promise<Message> {
    return this.#transaction(async (transaction) => {
      const existing = await this.#rows.answerTo(transaction, message.uuid);
      if (existing !== null) return existing;
      const uuid = await this.#insertAnswer(transaction, message, { message_chain: '[]', text: '', state: 'writing' });
      return this.#rows.byUuid(transaction, uuid);
    });
  }

  finishAnswer(message: Message, answer: Answer, record: MessageRecord): Promise<StoredAnswer> {
    return this.#transaction(async (transaction) => {
      const existing = await this.#rows.answerTo(transaction, message.uuid);
      // Stored before, and perhaps sent: what was said stays as it is.
      if (existing !== null && existing.state !== 'writing') return this.#storedAnswer(transaction, existing);
      const columns = {
        message_chain: JSON.stringify(answer.pieces.flat()),
        text: answer.text,
        state: answer.state,
      };
      let uuid = existing?.uuid;
      if (uuid === undefined) uuid = await this.#insertAnswer(transaction, message, columns);
      else await this.#rows.complete(transaction, uuid, columns, now());
      await this.#deliveries.begin(transaction, uuid, answer.pieces);
      await this.#turns.merge(transaction, message, answer.merged);
      await this.#records.write(transaction, message.uuid, record, answer.outcome);
      return this.#storedAnswer(transaction, await this.#rows.byUuid(transaction, uuid));
    });
  }

  async settleDelivery(answerUuid: string, piece: number, outcome: DeliveryOutcome): Promise<void> {
    await this.#transaction(async (transaction) => {
      await this.#deliveries.end(transaction, answerUuid, piece, outcome);
      await this.#deliveries.beginNext(transaction, answerUuid, piece + 1);
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
    await this.#transaction(async (transaction) => {
      const conversation = await this.#conversations.lock(transaction, message.conversation_uuid);
      // Stored before, or removed meanwhile: its turn is over.
      if (conversation === undefined || !(await this.#turns.end(transaction, message.uuid, outcome))) return;
      await this.#turns.merge(transaction, message, end.merged);
      if (end.answer !== null) {
        const { uuid, piece, delivery } = end.answer;
        await this.#deliveries.end(transaction, uuid, piece, delivery);
      } else {
        await this.#rows.removeUnfinishedAnswer(transaction, message.uuid);
      }
      await this.#deliveries.abandon(transaction, message.uuid, outcome.reason === 'answered' ? null : outcome.reason);
      if (end.record !== null) await this.#records.write(transaction, message.uuid, end.record);
      await this.#turns.next(transaction, conversation);
    });
  }

  stopWaiting(conversationUuid: string, beforeSequence: number, reason: Reason): Promise<number> {
    return this.#transaction(async (transaction) => {
      await this.#lockQueue(transaction);
      const conversation = await this.#conversations.lock(transaction, conversationUuid);
      if (conversation === undefined) return 0;
      return this.#turns.stopWaiting(transaction, conversation, beforeSequence, reason);
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
      });
      await this.#deliveries.begin(transaction, uuid, [chain]);
      return this.#rows.byUuid(transaction, uuid);
    });
  }

  history(conversationUuid: string, beforeSequence: number, rounds: number): Promise<Message[]> {
    return this.#history.before(conversationUuid, beforeSequence, rounds);
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
   * One claim at a time, and none while the queue is rearranged: whoever takes a conversation from the queue first and
   * whoever locks one first would wait for each other. SQLite has one writer at a time anyway.
   */
  async #lockQueue(transaction: Transaction<Tables>): Promise<void> {
    if (this.#engine === 'postgres')
      await sql`select pg_advisory_xact_lock(${advisoryLocks.claim})`.execute(transaction);
  }

  async #insertAnswer(
    transaction: Transaction<Tables>,
    message: Message,
    columns: { message_chain: string; text: string; state: string },
  ): Promise<string> {
    const conversation = await this.#conversations.lock(transaction, message.conversation_uuid);
    if (conversation === undefined) throw new Error('The conversation of a message is gone');
    const { uuid } = await this.#rows.insert(transaction, conversation, {
      direction: 'outbound',
      platform_message_id: null,
      reply_to: message.uuid,
      sender_id: message.bot_uuid,
      sender_name: '',
      sent_at: null,
      facts: null,
      finished_at: columns.state === 'writing' ? null : now(),
      ...columns,
    });
    return uuid;
  }

  async #storedAnswer(database: Database, message: Message): Promise<StoredAnswer> {
    const deliveries = await this.#deliveries.of(database, message);
    const outcome = message.reply_to === null ? undefined : await this.#records.outcome(database, message.reply_to);
    return { message, deliveries, outcome: outcome ?? impliedOutcome(message) };
  }
}

/** How the message ends that an answer from before there were traces belongs to. */
function impliedOutcome({ state }: Message): MessageOutcome {
  return state === 'failed' ? { state: 'failed', reason: 'internal' } : { state: 'answered', reason: 'answered' };
}
