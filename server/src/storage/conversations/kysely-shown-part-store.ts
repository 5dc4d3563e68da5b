import type { MessageChain, MessageFacts } from '@parley/sdk';
import type { ShownPart, SocketPlace } from '@parley/sdk/internal';
import { type Selectable, sql } from 'kysely';
import { isStoppedByUser } from '../../core/messages/message.ts';
import type { PlacedPart, ShownPartStore } from '../../core/web-chat/shown-part-store.ts';
import type { Database, Tables } from '../database.ts';

/** Messages of a conversation that a look goes back at most. */
const longestLook = 100;
/** Conversations, or messages, of one statement. */
const perStatement = 200;

export class KyselyShownPartStore implements ShownPartStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async read(parts: readonly ShownPart[]): Promise<PlacedPart[]> {
    const found: PlacedPart[] = [];
    for (let start = 0; start < parts.length; start += perStatement) {
      const wanted = new Map(parts.slice(start, start + perStatement).map((part) => [keyOf(part), part]));
      const uuids = [...new Set([...wanted.values()].map(({ uuid }) => uuid))];
      for (const row of await this.#select().where('messages.uuid', 'in', uuids).execute()) {
        const part = wanted.get(keyOf(row));
        if (part !== undefined) found.push(placed(row, part));
      }
    }
    return found;
  }

  async since(botUuid: string, places: readonly SocketPlace[], since: string): Promise<PlacedPart[]> {
    const found: PlacedPart[] = [];
    for (let start = 0; start < places.length; start += perStatement) {
      const some = places.slice(start, start + perStatement);
      const rows = await this.#select()
        // As the index has it, word for word.
        .where('conversations.is_current', '=', sql.lit(1))
        .where('conversations.bot_uuid', '=', botUuid)
        .where(({ or, and, eb }) =>
          or(
            some.map(({ pipeline_uuid, session_type, session_id, thread_id }) =>
              and([
                eb('conversations.session_type', '=', session_type),
                eb('conversations.session_id', '=', session_id),
                eb('conversations.thread_id', '=', thread_id),
                eb('conversations.pipeline_uuid', '=', pipeline_uuid),
              ]),
            ),
          ),
        )
        .where('messages.sequence', '>', sql<number>`conversations.last_sequence - ${sql.lit(longestLook)}`)
        .where('messages.state', '!=', 'writing')
        .where(({ or, and, eb }) =>
          or([
            and([eb('messages.direction', '=', 'inbound'), eb('messages.created_at', '>=', since)]),
            // What is being sent is complete, and reaches its sockets at once.
            and([
              eb('deliveries.state', 'in', ['sending', 'sent', 'uncertain']),
              eb('deliveries.updated_at', '>=', since),
            ]),
          ]),
        )
        .orderBy('messages.sequence')
        .orderBy('deliveries.piece')
        .execute();
      for (const row of rows) found.push(placed(row, marksOf(row)));
    }
    return found;
  }

  #select() {
    return this.#database
      .selectFrom('messages')
      .innerJoin('conversations', 'conversations.uuid', 'messages.conversation_uuid')
      .leftJoin('deliveries', 'deliveries.message_uuid', 'messages.uuid')
      .leftJoin('messages as question', 'question.uuid', 'messages.reply_to')
      .select([
        'conversations.pipeline_uuid',
        'conversations.session_type',
        'conversations.session_id',
        'conversations.thread_id',
        'messages.uuid',
        'messages.direction',
        'messages.sequence',
        'messages.platform_message_id',
        'messages.sender_id',
        'messages.facts',
        'messages.state',
        'messages.created_at',
        'question.state as question_state',
        'question.reason as question_reason',
      ])
      .select(({ fn, ref, val }) => [
        fn.coalesce(ref('deliveries.piece'), val(0)).as('piece'),
        fn.coalesce(ref('deliveries.message_chain'), ref('messages.message_chain')).as('message_chain'),
        fn.coalesce(ref('deliveries.updated_at'), ref('messages.created_at')).as('shown_at'),
      ]);
  }
}

type Messages = Selectable<Tables['messages']>;

type Row = Pick<
  Messages,
  | 'uuid'
  | 'direction'
  | 'sequence'
  | 'platform_message_id'
  | 'sender_id'
  | 'facts'
  | 'state'
  | 'created_at'
  | 'message_chain'
> &
  Pick<Selectable<Tables['conversations']>, 'pipeline_uuid' | 'session_type' | 'session_id' | 'thread_id'> & {
    piece: number;
    shown_at: string;
    question_state: Messages['state'] | null;
    question_reason: Messages['reason'];
  };

function placed(row: Row, { connection_id, is_failure, is_stopped }: Omit<ShownPart, 'uuid' | 'piece'>): PlacedPart {
  const { pipeline_uuid, session_type, session_id, thread_id } = row;
  const facts: MessageFacts = row.facts === null ? {} : JSON.parse(row.facts);
  return {
    place: { pipeline_uuid, session_type, session_id, thread_id },
    part: {
      uuid: row.uuid,
      piece: Number(row.piece),
      connection_id,
      is_failure,
      is_stopped,
      direction: row.direction,
      sequence: row.sequence,
      platform_message_id: row.platform_message_id,
      sender_id: row.sender_id,
      message_chain: JSON.parse(row.message_chain) as MessageChain,
      replaces: facts.replaces ?? null,
      created_at: row.created_at,
      shown_at: row.shown_at,
    },
  };
}

/** The marks of an answer, as far as its question has ended. */
function marksOf({ direction, state, question_state, question_reason }: Row): Omit<ShownPart, 'uuid' | 'piece'> {
  const isAnswer = direction === 'outbound' && question_state !== null;
  const isStopped = question_state !== null && isStoppedByUser({ state: question_state, reason: question_reason });
  return {
    connection_id: '',
    is_failure: isAnswer && state === 'failed' && question_state === 'failed',
    is_stopped: isAnswer && isStopped,
  };
}

function keyOf({ uuid, piece }: Pick<ShownPart, 'uuid' | 'piece'>): string {
  return `${uuid}/${piece}`;
}
