import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { newUuid } from '../../server/src/lib/uuid.ts';
import type { StorageCounts } from '../service/measurements.ts';

type Row = Record<string, SQLInputValue>;

/** A question as it is stored. */
export interface StoredQuestion {
  uuid: string;
  conversation: string;
  person: string;
  text: string;
}

type Step =
  | { type: 'accept'; id: string; person: string; text: string }
  | { type: 'claim'; question: StoredQuestion }
  | { type: 'finish'; question: StoredQuestion; answer: string }
  | { type: 'settle'; question: StoredQuestion; answerUuid: string; platformMessageId: string };

interface Waiting {
  step: Step;
  done: PromiseWithResolvers<unknown>;
}

/** Longest time that a step waits for others, milliseconds, and most of them in one commit. */
const [longestWaitMs, maximumSteps] = [5, 256];

/**
 * Writes the rows that the service leaves for an answered message, into the same tables, in sets: what is due together is
 * one commit. The contents that say how an answer came about are those of a message that the service answered.
 */
export class BareLedger {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #rows: Record<
    'conversations' | 'question' | 'answer' | 'deliveries' | 'message_traces' | 'model_calls',
    Row
  >;
  readonly #conversations = new Map<string, string>();
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | NodeJS.Immediate | null = null;
  #lastCommit = 0;
  readonly #counts: StorageCounts = { statements: 0, roundTrips: 0, transactions: 0, commits: 0 };

  /** @param file a database of the service with an answered message */
  constructor(file: string) {
    this.#database = new DatabaseSync(file);
    this.#database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
    const first = (sql: string, ...values: SQLInputValue[]): Row => {
      const row = this.#database.prepare(sql).get(...values);
      if (row === undefined) throw new Error(`The database has no row for ${sql}`);
      return { ...row };
    };
    const question = first(
      "select * from messages where direction = 'inbound' and state = 'answered' order by position desc limit 1",
    );
    const uuid = textOf(question.uuid);
    const answer = first('select * from messages where reply_to = ?', uuid);
    this.#rows = {
      conversations: first('select * from conversations where uuid = ?', textOf(question.conversation_uuid)),
      question,
      answer,
      deliveries: first('select * from deliveries where message_uuid = ?', textOf(answer.uuid)),
      message_traces: first('select * from message_traces where message_uuid = ?', uuid),
      model_calls: first('select * from model_calls where message_uuid = ?', uuid),
    };
  }

  accept(message: { id: string; person: string; text: string }): Promise<StoredQuestion> {
    return this.#ask({ type: 'accept', ...message }) as Promise<StoredQuestion>;
  }

  claim(question: StoredQuestion): Promise<void> {
    return this.#ask({ type: 'claim', question }) as Promise<void>;
  }

  /** @returns the uuid of the answer */
  finish(question: StoredQuestion, answer: string): Promise<string> {
    return this.#ask({ type: 'finish', question, answer }) as Promise<string>;
  }

  settle(question: StoredQuestion, answerUuid: string, platformMessageId: string): Promise<void> {
    return this.#ask({ type: 'settle', question, answerUuid, platformMessageId }) as Promise<void>;
  }

  counts(): StorageCounts {
    return { ...this.#counts };
  }

  close(): void {
    this.#database.close();
  }

  #ask(step: Step): Promise<unknown> {
    const done = Promise.withResolvers<unknown>();
    this.#waiting.push({ step, done });
    if (this.#waiting.length >= maximumSteps) this.#commit();
    else if (this.#timer === null) {
      const isCalm = performance.now() - this.#lastCommit > longestWaitMs;
      this.#timer = isCalm ? setImmediate(() => this.#commit()) : setTimeout(() => this.#commit(), longestWaitMs);
    }
    return done.promise;
  }

  #commit(): void {
    clearTimeout(this.#timer as NodeJS.Timeout);
    clearImmediate(this.#timer as NodeJS.Immediate);
    this.#timer = null;
    const set = this.#waiting;
    if (set.length === 0) return;
    this.#waiting = [];
    const now = new Date().toISOString();
    this.#run('begin immediate');
    const results = set.map(({ step }) => this.#carryOut(step, now));
    this.#run('commit');
    this.#lastCommit = performance.now();
    this.#counts.commits += 1;
    this.#counts.transactions += set.length;
    for (const [index, { done }] of set.entries()) done.resolve(results[index]);
  }

  #carryOut(step: Step, now: string): unknown {
    switch (step.type) {
      case 'accept':
        return this.#accept(step, now);
      case 'claim':
        this.#run('update queue set is_running = 1 where conversation_uuid = ?', step.question.conversation);
        return this.#run(
          "update messages set state = 'processing', attempts = attempts + 1, claimed_by = 'bare' where uuid = ?",
          step.question.uuid,
        );
      case 'finish':
        return this.#finish(step, now);
      case 'settle':
        return this.#settle(step, now);
    }
  }

  #accept({ id, person, text }: Step & { type: 'accept' }, now: string): StoredQuestion {
    const conversation = this.#conversations.get(person) ?? this.#newConversation(person, now);
    const uuid = newUuid();
    this.#insert('messages', {
      ...this.#rows.question,
      uuid,
      conversation_uuid: conversation,
      platform_message_id: id,
      sequence: this.#nextSequence(conversation, now),
      sender_id: person,
      sender_name: person,
      message_chain: JSON.stringify([{ type: 'Plain', text }]),
      text,
      state: 'received',
      attempts: 0,
      created_at: now,
      finished_at: null,
    });
    this.#run(
      'insert into queue (conversation_uuid, bot_uuid, is_running, due_at) values (?, ?, 0, ?) on conflict do nothing',
      conversation,
      textOf(this.#rows.question.bot_uuid),
      Date.now(),
    );
    return { uuid, conversation, person, text };
  }

  #newConversation(person: string, now: string): string {
    const uuid = newUuid();
    this.#conversations.set(person, uuid);
    const columns = { session_id: `bare-${person}`, last_sequence: 0, created_at: now, updated_at: now };
    this.#insert('conversations', { ...this.#rows.conversations, uuid, ...columns });
    return uuid;
  }

  #finish({ question, answer: text }: Step & { type: 'finish' }, now: string): string {
    const uuid = newUuid();
    const { answer, deliveries, message_traces, model_calls } = this.#rows;
    this.#insert('messages', {
      ...answer,
      uuid,
      conversation_uuid: question.conversation,
      reply_to: question.uuid,
      sequence: this.#nextSequence(question.conversation, now),
      message_chain: JSON.stringify([{ type: 'Plain', text }]),
      text,
      created_at: now,
      finished_at: now,
    });
    const delivery = { message_uuid: uuid, idempotency_token: uuid, state: 'sending', platform_message_id: null };
    this.#insert('deliveries', { ...deliveries, ...delivery, created_at: now, updated_at: now });
    this.#insert('message_traces', { ...message_traces, message_uuid: question.uuid });
    this.#insert('model_calls', { ...model_calls, uuid: newUuid(), message_uuid: question.uuid, started_at: now });
    return uuid;
  }

  #settle({ question, answerUuid, platformMessageId }: Step & { type: 'settle' }, now: string): void {
    this.#run(
      "update deliveries set state = 'sent', platform_message_id = ?, updated_at = ? where message_uuid = ?",
      platformMessageId,
      now,
      answerUuid,
    );
    this.#run(
      "update messages set state = 'answered', reason = 'answered', finished_at = ?, claimed_by = null where uuid = ?",
      now,
      question.uuid,
    );
    this.#run('delete from queue where conversation_uuid = ?', question.conversation);
  }

  #nextSequence(conversation: string, now: string): number {
    const statement = this.#prepared(
      'update conversations set last_sequence = last_sequence + 1, updated_at = ? where uuid = ? returning last_sequence',
    );
    return Number(statement.get(now, conversation)?.last_sequence);
  }

  #insert(table: string, { position: _, ...row }: Row): void {
    const names = Object.keys(row);
    const sql = `insert into ${table} (${names.join()}) values (${names.map(() => '?').join()})`;
    this.#prepared(sql).run(...Object.values(row));
  }

  #run(sql: string, ...values: SQLInputValue[]): void {
    this.#prepared(sql).run(...values);
  }

  #prepared(sql: string): StatementSync {
    this.#counts.statements += 1;
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

function textOf(value: SQLInputValue | undefined): string {
  if (typeof value !== 'string') throw new Error('The database of the service has another kind of value than expected');
  return value;
}
