import type { Selectable, Transaction } from 'kysely';
import type { ClaimableBots } from '../../../core/bots/running-bot.ts';
import type { ConversationKey } from '../../../core/conversations/conversation.ts';
import type { Answer, DeliveryPlan, StoredAnswer } from '../../../core/messages/delivery-ledger.ts';
import type { ClaimedMessage, Message, MessageClaim } from '../../../core/messages/message.ts';
import type { Arrival, MessageEnd, MessageOutcome, StoredReceipt } from '../../../core/messages/message-ledger.ts';
import type { MessageRecord } from '../../../core/messages/message-trace.ts';
import { now, present } from '../../../lib/clock.ts';
import { storableText } from '../../../lib/storable-text.ts';
import { StorageError } from '../../../lib/storage-error.ts';
import { newUuid } from '../../../lib/uuid.ts';
import { advisoryLocks } from '../../advisory-locks.ts';
import type { Tables } from '../../database.ts';
import { remembered } from '../../limits/kysely-event-counter.ts';
import type { PostgresPipeline } from '../../postgres-pipeline.ts';
import { newDeliveries, storedChain } from '../deliveries.ts';
import { answerColumns, answerMessage } from '../kysely-delivery-ledger.ts';
import { inboundColumns, textOfKey } from '../kysely-message-ledger.ts';
import type { LedgerTables } from '../ledger-tables.ts';
import { notClaimedError } from '../message-claims.ts';
import type { QueuedConversation } from '../message-queue.ts';
import { storedTrace } from '../message-records.ts';
import { type NewMessage, toMessage } from '../message-rows.ts';
import type { BatchStatement, Parameter } from './batch-statement.ts';
import {
  type DeliveredMessage,
  type LockedConversation,
  type Question,
  batchStatements as statements,
} from './batch-statements.ts';
import type { BatchedOperation, ExecuteBatch, Outcome } from './batch-writer.ts';

type Row<Table extends keyof Tables> = Partial<Selectable<Tables[Table]>>;

export type LedgerOperation = BatchedOperation &
  (
    | { kind: 'accept'; arrivals: readonly Arrival[] }
    | {
        kind: 'finish';
        question: ClaimedMessage;
        answer: Answer;
        record: MessageRecord;
        plan: DeliveryPlan;
        again: Alone;
      }
    | { kind: 'settle'; message: ClaimedMessage; intended: MessageOutcome; end: MessageEnd }
    | { kind: 'release'; message: MessageClaim; reason: Message['reason']; dueAt: number | null; isCounted: boolean }
    | { kind: 'count'; key: string; windowStart: number; limit: number; event: string }
    | { kind: 'claim'; bots: ClaimableBots; limit: number }
    /** What has no statements of a batch. */
    | { kind: 'other'; work: Alone }
  );

/** An operation by statements of its own, within the transaction. */
type Alone = (transaction: Transaction<Tables>) => Promise<unknown>;

type Of<Kind extends LedgerOperation['kind']> = Extract<LedgerOperation, { kind: Kind }>;

/** Carries out operations of the ledger in one transaction. */
export function executeLedgerBatch(
  tables: LedgerTables,
  pipeline: PostgresPipeline,
  operations: readonly LedgerOperation[],
): ReturnType<ExecuteBatch<LedgerOperation>> {
  return new LedgerBatch(tables, pipeline, operations).execute();
}

/**
 * One batch. First it locks and reads what its operations are about, then it decides all of them in the order in which they
 * were added, then it writes, kind by kind. Claims come last: they find what the others have stored. Whatever does not need
 * the result of another statement is sent without waiting for it.
 */
class LedgerBatch {
  readonly #tables: LedgerTables;
  readonly #pipeline: PostgresPipeline;
  /** The same, for statements that wait for each other. */
  readonly #transaction: Transaction<Tables>;
  readonly #operations: readonly LedgerOperation[];
  /** Statements that were sent. */
  readonly #sent: Promise<unknown>[] = [];
  readonly #outcomes = new Map<LedgerOperation, Outcome>();

  readonly #byKey = new Map<string, LockedConversation>();
  readonly #byUuid = new Map<string, LockedConversation>();
  /** Messages that platforms have delivered before, by {@link deliveryKey}. */
  readonly #delivered = new Map<string, Omit<StoredReceipt, 'outcome'>>();
  /** Conversations of messages that are to be released. */
  readonly #releasedIn = new Map<string, QueuedConversation>();
  readonly #questions = new Map<string, Question>();
  readonly #failures = new Map<string, Message['reason']>();

  readonly #counted = new Map<string, Row<'conversations'>>();
  readonly #messages: Row<'messages'>[] = [];
  readonly #ended: Row<'messages'>[] = [];
  readonly #released: Row<'messages'>[] = [];
  readonly #merged: Row<'messages'>[] = [];
  readonly #deliveries: Row<'deliveries'>[] = [];
  readonly #endedDeliveries: Row<'deliveries'>[] = [];
  readonly #abandoned: Row<'deliveries'>[] = [];
  readonly #traces: Row<'message_traces'>[] = [];
  readonly #calls: Row<'model_calls'>[] = [];
  /** Messages whose retrievals and citations are of an earlier attempt. */
  readonly #repeated: string[] = [];
  /** Records with knowledge, which are written by themselves. */
  readonly #knowledge: Alone[] = [];
  readonly #queued = new Map<string, Row<'queue'>>();
  readonly #putBack: Row<'queue'>[] = [];
  readonly #turns: string[] = [];

  constructor(tables: LedgerTables, pipeline: PostgresPipeline, operations: readonly LedgerOperation[]) {
    this.#tables = tables;
    this.#pipeline = pipeline;
    this.#transaction = pipeline as unknown as Transaction<Tables>;
    this.#operations = operations;
  }

  async execute(): ReturnType<ExecuteBatch<LedgerOperation>> {
    try {
      const outcomes = await this.#carryOut();
      return { outcomes, executed: Promise.all(this.#sent) };
    } catch (error) {
      // A statement that failed makes those behind it fail: the first one tells why.
      const ended = await Promise.allSettled(this.#sent);
      throw ended.find((one) => one.status === 'rejected')?.reason ?? error;
    }
  }

  async #carryOut(): Promise<Outcome[]> {
    const claims = this.#of('claim');
    // Before any conversation is locked, as those do that lock both.
    if (claims.length > 0) this.#send(statements.lockQueue, advisoryLocks.claim);
    await this.#read();
    for (const operation of this.#operations) await this.#decide(operation);
    this.#write();
    const others = this.#of('other').map(async (operation) => {
      this.#outcomes.set(operation, await outcomeOf(() => operation.work(this.#transaction)));
    });
    const knowledge = this.#knowledge.map((write) => write(this.#transaction));
    await allOf([this.#count(this.#of('count')), ...knowledge, ...others]);
    for (const claim of claims) this.#outcomes.set(claim, { value: await this.#claim(claim) });
    return this.#operations.map(
      (operation) => this.#outcomes.get(operation) ?? { error: new Error(`No outcome of ${operation.kind}`) },
    );
  }

  #of<Kind extends LedgerOperation['kind']>(kind: Kind): Of<Kind>[] {
    return this.#operations.filter((operation): operation is Of<Kind> => operation.kind === kind);
  }

  async #read(): Promise<void> {
    const released = this.#of('release').map(({ message }) => message.uuid);
    const arrivals = this.#of('accept').flatMap((operation) => operation.arrivals);
    const questions = [
      ...this.#of('finish').map(({ question }) => question),
      ...this.#of('settle').map(({ message }) => message),
    ];
    const conversationsOf = await this.#select(statements.conversationsOf, released);
    for (const { message_uuid, ...conversation } of conversationsOf) this.#releasedIn.set(message_uuid, conversation);
    const conversations = [
      ...questions.map(({ conversation_uuid }) => conversation_uuid),
      ...conversationsOf.map(({ uuid }) => uuid),
    ];
    const keys = new Map(
      arrivals.map(({ key }) => {
        const storable = storableKey(key);
        return [textOfKey(storable), storable];
      }),
    );
    const asked = arrivals.map(({ key, event }) => ({
      bot_uuid: key.bot_uuid,
      platform_message_id: event.platform_message_id,
    }));
    // A platform may have reported the failure of a part while those behind it were sent.
    const lastParts = this.#of('settle').flatMap(({ intended, end: { answer } }) => {
      const isSent = intended.state === 'answered' || intended.state === 'uncertain';
      return isSent && answer !== null && answer.piece > 0 ? [{ message_uuid: answer.uuid, piece: answer.piece }] : [];
    });
    const uuids = [...questions.map(({ uuid }) => uuid), ...released];
    const [locked, delivered, found, failures] = await Promise.all([
      this.#lock([...keys.values()], conversations),
      this.#select(statements.delivered, asked),
      this.#select(statements.questions, uuids),
      this.#select(statements.failuresBefore, lastParts),
    ]);
    for (const conversation of locked) this.#know(conversation);
    const missing = [...keys].filter(([text]) => !this.#byKey.has(text)).map(([, key]) => key);
    // Until a conversation was there, another process might have stored the message.
    const since = missing.length === 0 ? [] : await this.#create(missing, asked);
    for (const { bot_uuid, platform_message_id, ...known } of [...delivered, ...since]) {
      this.#delivered.set(deliveryKey(bot_uuid, platform_message_id), known);
    }
    for (const question of found) this.#questions.set(question.uuid, question);
    for (const { message_uuid, reason } of failures) this.#failures.set(message_uuid, reason ?? 'platform_failed');
  }

  async #lock(keys: readonly ConversationKey[], uuids: readonly string[]): Promise<LockedConversation[]> {
    if (keys.length === 0 && uuids.length === 0) return [];
    return await statements.lockConversations.run(this.#pipeline, keys, uuids);
  }

  /** Creates conversations. @returns which messages have been delivered since the conversations are there */
  async #create(keys: readonly ConversationKey[], asked: readonly object[]): Promise<DeliveredMessage[]> {
    const timestamp = now();
    const rows = keys.map(({ bot_uuid, pipeline_uuid, session_type, session_id, thread_id }) => ({
      uuid: newUuid(),
      bot_uuid,
      pipeline_uuid,
      session_type,
      session_id,
      thread_id,
      is_current: 1,
      last_sequence: 0,
      created_at: timestamp,
      updated_at: timestamp,
    }));
    const [created, delivered] = await Promise.all([
      this.#select(statements.insertConversations, rows),
      this.#select(statements.delivered, asked),
    ]);
    for (const conversation of created) this.#know(conversation);
    return delivered;
  }

  #know(conversation: LockedConversation): void {
    this.#byUuid.set(conversation.uuid, conversation);
    // One that has ended while it was waited for is current no more.
    if (conversation.is_current === 1) this.#byKey.set(textOfKey(conversation), conversation);
  }

  async #decide(operation: LedgerOperation): Promise<void> {
    const decided = await this.#outcome(operation);
    if (decided !== null) this.#outcomes.set(operation, decided);
  }

  async #outcome(operation: LedgerOperation): Promise<Outcome | null> {
    switch (operation.kind) {
      case 'accept':
        return { value: operation.arrivals.map((arrival) => this.#accept(arrival)) };
      case 'finish':
        return this.#finish(operation);
      case 'settle':
        return { value: this.#settle(operation) };
      case 'release':
        return { value: this.#release(operation) };
      default:
        return null;
    }
  }

  #accept({ key, event, isAwaited }: Arrival): StoredReceipt {
    const conversation = this.#byKey.get(textOfKey(storableKey(key)));
    if (conversation === undefined) throw new Error('A conversation is not locked');
    const delivery = deliveryKey(key.bot_uuid, storableText(event.platform_message_id));
    const known = this.#delivered.get(delivery);
    if (known !== undefined) return { outcome: 'repeated', ...known };
    const { uuid: conversation_uuid, bot_uuid } = conversation;
    const home = this.#tables.claims.homeOf(isAwaited);
    const row = this.#insert(conversation, inboundColumns(event, home));
    this.#delivered.set(delivery, { conversation_uuid, ...row });
    if (!this.#queued.has(conversation_uuid)) {
      this.#queued.set(conversation_uuid, { conversation_uuid, bot_uuid, home, is_running: 0, due_at: present() });
    }
    return { outcome: 'accepted', conversation_uuid, ...row };
  }

  /** Puts a message at the end of a conversation. */
  #insert(conversation: LockedConversation, message: NewMessage): Pick<Message, 'uuid' | 'sequence' | 'created_at'> {
    const { uuid: conversation_uuid, bot_uuid } = conversation;
    conversation.last_sequence += 1;
    const row = { uuid: newUuid(), sequence: conversation.last_sequence, created_at: now() };
    this.#messages.push({ ...message, ...row, bot_uuid, conversation_uuid });
    const { sequence: last_sequence, created_at: updated_at } = row;
    this.#counted.set(conversation_uuid, { uuid: conversation_uuid, last_sequence, updated_at });
    return row;
  }

  async #finish({ question, answer, record, plan, again }: Of<'finish'>): Promise<Outcome> {
    if (!this.#isOurs(question)) return { error: notClaimedError() };
    // An earlier attempt has begun or completed the answer.
    if (this.#questions.get(question.uuid)?.answer_state != null) return outcomeOf(() => again(this.#transaction));
    const conversation = this.#byUuid.get(question.conversation_uuid);
    if (conversation === undefined) throw new Error('A conversation is not locked');
    const { outcome, pieces, state } = answer;
    const columns = { message_chain: pieces.flat(), text: storableText(answer.text), state };
    const stored = answerColumns(question, columns);
    const row = this.#insert(conversation, stored);
    const message = answerMessage(question, columns, { ...row, finished_at: stored.finished_at });
    const deliveries = newDeliveries(message.uuid, pieces, plan);
    for (const delivery of deliveries) {
      const { handle: _, ...part } = delivery;
      this.#deliveries.push({ ...part, message_chain: storedChain(delivery, pieces.length) });
    }
    this.#merge(question, answer.merged);
    this.#record(question.uuid, record, outcome);
    return { value: { message, deliveries, outcome, handle: null } satisfies StoredAnswer };
  }

  #settle({ message, intended, end }: Of<'settle'>): MessageOutcome | null {
    const { uuid, conversation_uuid } = message;
    const failure = end.answer === null ? undefined : this.#failures.get(end.answer.uuid);
    const outcome: MessageOutcome = failure == null ? intended : { state: 'failed', reason: failure };
    if (!this.#isOurs(message)) return this.#hasEnded(message, outcome) ? outcome : null;
    const timestamp = now();
    this.#ended.push({ uuid, state: outcome.state, reason: outcome.reason, finished_at: timestamp });
    this.#merge(message, end.merged);
    if (end.answer !== null) {
      const { uuid: message_uuid, piece, delivery } = end.answer;
      this.#endedDeliveries.push({ message_uuid, piece, ...delivery, updated_at: timestamp });
    } else {
      const reason = outcome.reason === 'answered' ? null : outcome.reason;
      this.#abandoned.push({ message_uuid: uuid, reason, updated_at: timestamp });
    }
    if (end.record !== null) this.#record(uuid, end.record);
    this.#turns.push(conversation_uuid);
    return outcome;
  }

  #release({ message, reason, dueAt, isCounted }: Of<'release'>): boolean {
    const { uuid } = message;
    const conversation = this.#releasedIn.get(uuid);
    if (conversation === undefined || !this.#isOurs(message)) return false;
    this.#released.push({ uuid, reason, attempts: isCounted ? 0 : 1 });
    const { uuid: conversation_uuid, bot_uuid, home } = conversation;
    this.#putBack.push({ conversation_uuid, bot_uuid, home, is_running: 0, due_at: dueAt ?? present() });
    return true;
  }

  /** Whether a claim of this process is the last one of a message, which was neither released nor ended. */
  #isOurs({ uuid, claim }: MessageClaim): boolean {
    const question = this.#questions.get(uuid);
    const isUnfinished = question?.state === 'received' || question?.state === 'processing';
    return isUnfinished && question?.claimed_by === this.#tables.claims.claimant.id && question.claim === claim;
  }

  /** As of MessageClaims. */
  #hasEnded({ uuid, claim }: MessageClaim, { state }: MessageOutcome): boolean {
    const question = this.#questions.get(uuid);
    return question?.claim === claim && question.state === state;
  }

  #merge({ uuid: merged_into, conversation_uuid }: Message, merged: readonly string[]): void {
    const finished_at = now();
    // A message is merged once, however often it is named.
    for (const uuid of new Set(merged)) this.#merged.push({ uuid, conversation_uuid, merged_into, finished_at });
  }

  #record(message_uuid: string, record: MessageRecord, outcome?: MessageOutcome): void {
    if (record.knowledge !== undefined) {
      this.#knowledge.push((transaction) => this.#tables.records.write(transaction, message_uuid, record, outcome));
      return;
    }
    this.#traces.push({ message_uuid, trace: storedTrace(record.trace, outcome) });
    for (const { plugin_id = null, ...call } of record.model_calls) {
      this.#calls.push({ ...call, plugin_id, message_uuid });
    }
    if (record.trace.attempt > 1) this.#repeated.push(message_uuid);
  }

  #write(): void {
    this.#change(statements.countMessages, [...this.#counted.values()]);
    this.#change(statements.insertMessages, this.#messages);
    this.#change(statements.end, this.#ended);
    this.#change(statements.release, this.#released);
    this.#change(statements.merge, this.#merged);
    this.#change(statements.insertDeliveries, this.#deliveries);
    this.#change(statements.endDeliveries, this.#endedDeliveries);
    const unanswered = this.#abandoned.map(({ message_uuid }) => message_uuid);
    this.#change(statements.removeUnfinishedAnswers, unanswered);
    this.#change(statements.abandon, this.#abandoned);
    this.#change(statements.insertTraces, this.#traces);
    this.#change(statements.insertCalls, this.#calls);
    this.#change(statements.forgetRetrievals, this.#repeated);
    this.#change(statements.forgetCitations, this.#repeated);
    this.#change(statements.add, [...this.#queued.values()]);
    this.#change(statements.putBack, this.#putBack);
    if (this.#turns.length > 0) this.#send(statements.next, this.#turns, present());
  }

  async #count(counts: readonly Of<'count'>[]): Promise<void> {
    if (counts.length === 0) return;
    const rows = counts.map(({ key, windowStart, limit, event }) => ({
      key,
      window_start: windowStart,
      maximum: limit,
      event: nameOf(event),
    }));
    const counted = await statements.countEvents.run(this.#pipeline, rows, remembered);
    const countOf = new Map(counted.map(({ key, count }) => [key, count]));
    const others = counts.map(({ key }) => key).filter((key) => !countOf.has(storableText(key)));
    const known = await this.#select(statements.countedEvents, others);
    const knownOf = new Map(known.map((row) => [row.key, row]));
    for (const operation of counts) {
      const { limit } = operation;
      const key = storableText(operation.key);
      const row = knownOf.get(key);
      const isKnown = row?.events.includes(storableText(nameOf(operation.event))) === true;
      const value = countOf.get(key) ?? (isKnown ? Math.min(row.count, limit) : limit + 1);
      this.#outcomes.set(operation, { value });
    }
  }

  async #claim({ bots, limit }: Of<'claim'>): Promise<ClaimedMessage[]> {
    const { queue, claims } = this.#tables;
    const claimed: ClaimedMessage[] = [];
    while (claimed.length < limit) {
      const room = limit - claimed.length;
      const taken = await queue.take(this.#transaction, claims.claimant.id, bots, room);
      if (taken.length === 0) break;
      const rows = await statements.begin.run(this.#pipeline, taken, claims.claimant.id);
      const rowOf = new Map(rows.map((row) => [row.conversation_uuid, row]));
      const idle: string[] = [];
      for (const uuid of taken) {
        const begun = rowOf.get(uuid);
        if (begun === undefined) {
          idle.push(uuid);
          continue;
        }
        const { history_revision, record_version, extension_version, ...row } = begun;
        claimed.push({ ...toMessage(row), claim: row.claim, history_revision, record_version, extension_version });
      }
      this.#change(statements.remove, idle);
      // It takes all that are due, up to the limit.
      if (taken.length < room) break;
    }
    return claimed;
  }

  async #select<Row>(statement: BatchStatement<Row>, rows: readonly unknown[]): Promise<Row[]> {
    return rows.length === 0 ? [] : statement.run(this.#pipeline, rows);
  }

  #change(statement: BatchStatement, rows: readonly unknown[]): void {
    if (rows.length > 0) this.#send(statement, rows);
  }

  #send(statement: BatchStatement, ...parameters: readonly Parameter[]): void {
    const sent = statement.run(this.#pipeline, ...parameters);
    // The end of the batch waits for it.
    sent.catch(() => undefined);
    this.#sent.push(sent);
  }
}

/** Waits for all, so that none goes on when the transaction has ended. @throws the first error */
async function allOf(works: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** An operation that may not be carried out is refused by itself; any other error fails the batch. */
async function outcomeOf(work: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { value: await work() };
  } catch (error) {
    if (error instanceof StorageError && error.detail === 'not_owner') return { error };
    throw error;
  }
}

function storableKey({ bot_uuid, pipeline_uuid, session_type, session_id, thread_id }: ConversationKey) {
  return {
    bot_uuid: storableText(bot_uuid),
    pipeline_uuid: storableText(pipeline_uuid),
    session_type,
    session_id: storableText(session_id),
    thread_id: storableText(thread_id),
  };
}

function deliveryKey(botUuid: string, platformMessageId: string | null): string {
  return JSON.stringify([botUuid, platformMessageId]);
}

function nameOf(event: string): string {
  return `<${event}>`;
}
