import type { ConversationContext, MessageChain } from '@parley/sdk';
import { sql } from 'kysely';
import type { Message } from '../../core/messages/message.ts';
import type { MessageHistory } from '../../core/messages/message-history.ts';
import type { Database } from '../database.ts';
import type { Engine } from '../engine.ts';
import { PreparedQuery } from '../prepared-query.ts';
import type { LedgerTables } from './ledger-tables.ts';
import { isUnfinished, type JoinedRow, selectMessages, toMessage } from './message-rows.ts';

/** The condition of the index on what was said, verbatim. */
const wasSaid = sql<boolean>`(messages.state in ('answered', 'uncertain', 'finished') or messages.reason = 'answer_stopped')`;

/** Of what was said, what users said. */
const isQuestion = sql<boolean>`messages.state <> 'finished'`;

/** It is not in a branch that another message replaced. */
const isKept = sql<boolean>`not exists (
  select 1 from replaced_messages where replaced_messages.conversation_uuid = messages.conversation_uuid
  and messages.sequence between replaced_messages.first_sequence and replaced_messages.last_sequence
)`;

const amount = sql<number>`cast(count(*) as integer)`;

/** The history of conversations in the database. */
export class KyselyMessageHistory implements MessageHistory {
  readonly #tables: LedgerTables;
  readonly #database: Database;
  readonly #questions: PreparedQuery<JoinedRow, { conversation_uuid: string; before: number; rounds: number }>;
  readonly #unsolicited: PreparedQuery<
    JoinedRow,
    { conversation_uuid: string; after: number; before: number; limit: number }
  >;

  readonly #counts: PreparedQuery<{ rounds: number; waiting: number }, { conversation_uuid: string; sequence: number }>;
  readonly #cancelled: PreparedQuery<
    { count: number },
    { conversation_uuid: string; sequence: number; created_at: string }
  >;

  readonly #answers: PreparedQuery<JoinedRow, { uuids: unknown }>;
  readonly #merged: PreparedQuery<JoinedRow, { uuids: unknown }>;
  /** A list as the engine takes it as one value, so that there is one statement for lists of every length. */
  readonly #list: (uuids: readonly string[]) => unknown;

  constructor(tables: LedgerTables, engine: Engine) {
    const { database } = tables;
    this.#tables = tables;
    this.#database = database;
    const isOneOf = (column: 'reply_to' | 'merged_into', uuids: unknown) =>
      engine === 'sqlite'
        ? sql<boolean>`${sql.ref(`messages.${column}`)} in (select value from json_each(${uuids}))`
        : sql<boolean>`${sql.ref(`messages.${column}`)} = any(${uuids})`;
    this.#list = engine === 'sqlite' ? JSON.stringify : (uuids) => uuids;
    this.#answers = new PreparedQuery(database, (value) =>
      selectMessages(database)
        .where(isOneOf('reply_to', value('uuids')))
        .where('messages.state', '=', 'finished'),
    );
    this.#merged = new PreparedQuery(database, (value) =>
      selectMessages(database).where(isOneOf('merged_into', value('uuids'))),
    );
    this.#counts = new PreparedQuery(database, (value) =>
      database
        .selectNoFrom(({ selectFrom }) => [
          selectFrom('messages')
            .select(amount.as('rounds'))
            .where('conversation_uuid', '=', value('conversation_uuid'))
            .where('sequence', '<', value('sequence'))
            .where(wasSaid)
            .where(isQuestion)
            .as('rounds'),
          selectFrom('messages')
            .select(amount.as('waiting'))
            .where('conversation_uuid', '=', value('conversation_uuid'))
            .where('sequence', '>', value('sequence'))
            .where(isUnfinished)
            .where('state', '=', 'received')
            .as('waiting'),
        ])
        .$castTo<{ rounds: number; waiting: number }>(),
    );
    this.#cancelled = new PreparedQuery(database, (value) =>
      database
        .selectFrom('messages')
        .select(amount.as('count'))
        .where('conversation_uuid', '=', value('conversation_uuid'))
        .where('sequence', '<', value('sequence'))
        .where('reason', 'in', ['cancelled', 'answer_stopped', 'reset'])
        .where('finished_at', '>=', value('created_at')),
    );
    this.#questions = new PreparedQuery(database, (value) =>
      selectMessages(database)
        .where('messages.conversation_uuid', '=', value('conversation_uuid'))
        .where('messages.sequence', '<', value('before'))
        .where(wasSaid)
        .where(isQuestion)
        .where('messages.reason', 'is distinct from', 'command')
        .where(isKept)
        .orderBy('messages.sequence', 'desc')
        .limit(value('rounds')),
    );
    this.#unsolicited = new PreparedQuery(database, (value) =>
      selectMessages(database)
        .where('messages.conversation_uuid', '=', value('conversation_uuid'))
        .where('messages.sequence', '>', value('after'))
        .where('messages.sequence', '<', value('before'))
        .where(wasSaid)
        .where('messages.state', '=', 'finished')
        .where('messages.reply_to', 'is', null)
        .where(isKept)
        .orderBy('messages.sequence', 'desc')
        .limit(value('limit')),
    );
  }

  async before(conversationUuid: string, beforeSequence: number, rounds: number): Promise<Message[]> {
    if (rounds < 1) return [];
    const conversation = { conversation_uuid: conversationUuid, before: beforeSequence };
    const questions = await this.#questions.all(this.#database, { ...conversation, rounds });
    const first = questions.length < rounds ? 0 : (questions.at(-1)?.sequence ?? 0);
    const uuids = this.#list(questions.map(({ uuid }) => uuid));
    const [unsolicited, answers, merged] = await Promise.all([
      this.#unsolicited.all(this.#database, { ...conversation, after: first, limit: rounds * 2 }),
      this.#answers.all(this.#database, { uuids }),
      this.#merged.all(this.#database, { uuids }),
    ]);
    const places = new Map(questions.map(({ uuid, sequence }) => [uuid, sequence]));
    // An answer follows its question, also when more questions arrived before it was written.
    const place = (row: JoinedRow) => places.get(row.reply_to ?? '') ?? row.sequence;
    return [...questions.map((question) => withMerged(question, merged)), ...answers, ...unsolicited]
      .sort((left, right) => place(left) - place(right) || left.sequence - right.sequence)
      .map(toMessage);
  }

  shown(conversationUuid: string, limit: number): Promise<Message[]> {
    return this.#tables.rows.shown(this.#database, conversationUuid, limit);
  }

  context(messageUuid: string): Promise<ConversationContext | null> {
    return this.#tables.contexts.of(this.#database, messageUuid);
  }

  async status({ conversation_uuid, sequence }: Message): Promise<{ rounds: number; waiting: number; since: string }> {
    const counts = await this.#counts.one(this.#database, { conversation_uuid, sequence });
    return { ...counts, since: await this.#tables.conversations.since(conversation_uuid) };
  }

  async cancelledBy({ conversation_uuid, sequence, created_at }: Message): Promise<number> {
    return (await this.#cancelled.one(this.#database, { conversation_uuid, sequence, created_at })).count;
  }
}

const newLine: MessageChain[number] = { type: 'Plain', text: '\n' };

/** A question with those merged into it. */
function withMerged(question: JoinedRow, merged: readonly JoinedRow[]): JoinedRow {
  const others = merged.filter(({ merged_into }) => merged_into === question.uuid);
  if (others.length === 0) return question;
  const parts = [question, ...others.sort((left, right) => left.sequence - right.sequence)];
  const chains = parts.map(({ message_chain }) => JSON.parse(message_chain) as MessageChain);
  return {
    ...question,
    text: parts.map(({ text }) => text).join('\n'),
    message_chain: JSON.stringify(chains.flatMap((chain, index) => (index === 0 ? chain : [newLine, ...chain]))),
  };
}
