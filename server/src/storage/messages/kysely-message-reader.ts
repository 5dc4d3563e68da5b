import type { CitationReport, MessageChain, MessageFacts, Reason, Retrieval } from '@parley/sdk';
import { sql } from 'kysely';
import type { DeliveryState } from '../../core/messages/delivery.ts';
import type {
  DeliveryView,
  FoundMessage,
  MessageFilter,
  MessagePage,
  MessagePlace,
  MessageReader,
  MessageStory,
  MessageView,
  RecordedModelCall,
  RecordedRetrieval,
  RecordedToolCall,
} from '../../core/messages/message-reader.ts';
import type { MessageTrace } from '../../core/messages/message-trace.ts';
import { present } from '../../lib/clock.ts';
import type { Database } from '../database.ts';
import { columnsOf } from '../table-columns.ts';
import { type JoinedRow, selectMessages, toMessage } from './message-rows.ts';
import { MessageSearch } from './message-search.ts';

/** From best to worst: an answer of several parts has the state of its worst one. */
const deliveryStates: readonly DeliveryState[] = ['sent', 'pending', 'sending', 'uncertain', 'failed'];

type ShownRow = JoinedRow & {
  delivery: number | null;
  failure: Reason | null;
  heard_name: string | null;
  heard_facts: string | null;
};

/** Reads the ledger for display. */
export class KyselyMessageReader implements MessageReader {
  readonly #database: Database;
  readonly #search: MessageSearch;

  constructor(database: Database) {
    this.#database = database;
    this.#search = new MessageSearch(database);
  }

  async page(filter: MessageFilter, limit: number, after: MessagePlace | null): Promise<MessagePage> {
    const { found, next } = await this.#search.page(filter, limit, after);
    if (found.length === 0) return { messages: [], next };
    const places = found.map(({ position }) => position);
    const rows = await this.#shown().where('messages.position', 'in', places).execute();
    const byPosition = new Map(rows.map((row) => [row.position, row]));
    // Messages removed since are skipped.
    const messages = places.flatMap((position) => byPosition.get(position) ?? []).map(toShownMessage);
    return { messages, next };
  }

  async find(uuid: string): Promise<FoundMessage | null> {
    const message = await this.#one('uuid', uuid);
    if (message === null) return null;
    const [answer, reply_to, deliveries] = await Promise.all([
      message.direction === 'inbound' ? this.#one('reply_to', uuid) : null,
      message.reply_to === null ? null : this.#one('uuid', message.reply_to),
      this.#deliveries(message),
    ]);
    return {
      message,
      deliveries,
      answer: answer === null ? null : { message: answer, deliveries: await this.#deliveries(answer) },
      reply_to,
    };
  }

  async story(uuid: string): Promise<MessageStory | null> {
    const found = await this.find(uuid);
    if (found === null) return null;
    const { message } = found;
    const inbound = message.reply_to ?? uuid;
    const [trace, model_calls, tool_calls, retrievals, citations, merged, queue] = await Promise.all([
      this.#trace(inbound),
      this.#modelCalls(inbound),
      this.#toolCalls(inbound),
      this.#retrievals(inbound),
      this.#citations(inbound),
      this.#merged(inbound),
      message.state === 'received' ? this.#queued(message) : null,
    ]);
    return { ...found, trace, model_calls, tool_calls, retrievals, citations, merged, queue };
  }

  async citations(uuids: readonly string[]): Promise<Map<string, CitationReport['citations']>> {
    if (uuids.length === 0) return new Map();
    const rows = await this.#database
      .selectFrom('message_citations')
      .select(['message_uuid', 'report'])
      .where('message_uuid', 'in', uuids)
      .where('cited', '>', 0)
      .execute();
    return new Map(
      rows.map(({ message_uuid, report }) => [message_uuid, (JSON.parse(report) as CitationReport).citations]),
    );
  }

  #shown() {
    return selectMessages(this.#database)
      .select((eb) =>
        eb
          .selectFrom('deliveries')
          .whereRef('deliveries.message_uuid', '=', 'messages.uuid')
          .select(({ fn }) => fn.max(severity).as('worst'))
          .as('delivery'),
      )
      .select([failure.as('failure'), heard('sender_name').as('heard_name'), heard('facts').as('heard_facts')]);
  }

  async #one(column: 'uuid' | 'reply_to', uuid: string): Promise<MessageView | null> {
    const [row] = await this.#shown().where(`messages.${column}`, '=', uuid).execute();
    return row === undefined ? null : toShownMessage(row);
  }

  async #deliveries(message: MessageView): Promise<DeliveryView[]> {
    if (message.direction === 'inbound') return [];
    const rows = await this.#database
      .selectFrom('deliveries')
      .select(columnsOf('deliveries'))
      .where('message_uuid', '=', message.uuid)
      .orderBy('piece')
      .execute();
    return rows.map(({ piece, message_chain, state, platform_message_id, reason, error, created_at, updated_at }) => ({
      piece,
      state,
      platform_message_id,
      reason,
      error,
      created_at,
      updated_at,
      // A single part is the message itself.
      message_chain: message_chain === null ? message.message_chain : (JSON.parse(message_chain) as MessageChain),
    }));
  }

  async #trace(messageUuid: string): Promise<MessageTrace | null> {
    const [row] = await this.#database
      .selectFrom('message_traces')
      .select('trace')
      .where('message_uuid', '=', messageUuid)
      .execute();
    return row === undefined ? null : (JSON.parse(row.trace) as MessageTrace);
  }

  async #modelCalls(messageUuid: string): Promise<RecordedModelCall[]> {
    const rows = await this.#database
      .selectFrom('model_calls')
      .select(columnsOf('model_calls'))
      .where('message_uuid', '=', messageUuid)
      .orderBy('started_at')
      .orderBy('uuid')
      .execute();
    return rows.map(({ message_uuid: _, plugin_id, ...row }) => (plugin_id === null ? row : { ...row, plugin_id }));
  }

  async #toolCalls(messageUuid: string): Promise<RecordedToolCall[]> {
    // Ids sort by creation time.
    const rows = await this.#database
      .selectFrom('tool_calls')
      .select(columnsOf('tool_calls'))
      .where('message_uuid', '=', messageUuid)
      .orderBy('uuid')
      .execute();
    return rows.map(({ message_uuid: _, ...row }) => row);
  }

  async #retrievals(messageUuid: string): Promise<RecordedRetrieval[]> {
    // Ids sort by creation time.
    const rows = await this.#database
      .selectFrom('message_retrievals')
      .select(['uuid', 'retrieval'])
      .where('message_uuid', '=', messageUuid)
      .orderBy('uuid')
      .execute();
    return rows.map(({ uuid, retrieval }) => ({ uuid, ...(JSON.parse(retrieval) as Retrieval) }));
  }

  async #citations(messageUuid: string): Promise<CitationReport | null> {
    const [row] = await this.#database
      .selectFrom('message_citations')
      .select('report')
      .where('message_uuid', '=', messageUuid)
      .execute();
    return row === undefined ? null : (JSON.parse(row.report) as CitationReport);
  }

  async #merged(messageUuid: string): Promise<string[]> {
    const rows = await this.#database
      .selectFrom('messages')
      .select('uuid')
      .where('merged_into', '=', messageUuid)
      .orderBy('sequence')
      .execute();
    return rows.map(({ uuid }) => uuid);
  }

  async #queued({ conversation_uuid, sequence }: MessageView): Promise<MessageStory['queue']> {
    const [due, [earlier]] = await Promise.all([
      this.#dueAt(conversation_uuid),
      this.#database
        .selectFrom('messages')
        .select('uuid')
        .where('conversation_uuid', '=', conversation_uuid)
        .where(sql<boolean>`state in ('received', 'processing')`)
        .where('sequence', '<', sequence)
        .limit(1)
        .execute(),
    ]);
    return {
      until: due !== null && due > present() ? new Date(due).toISOString() : null,
      isBehind: earlier !== undefined,
    };
  }

  /** When a conversation is due, milliseconds since 1970; null when it is not queued or is being processed. */
  async #dueAt(conversationUuid: string): Promise<number | null> {
    const rows = await this.#database
      .selectFrom('queue')
      .select('due_at')
      .where('conversation_uuid', '=', conversationUuid)
      .where('is_running', '=', 0)
      .execute();
    return rows[0]?.due_at ?? null;
  }
}

const severity = sql<number>`case deliveries.state ${sql.join(
  deliveryStates.map((state, index) => sql`when ${sql.lit(state)} then ${sql.lit(index)}`),
  sql` `,
)} end`;

/** Looked for in few rows: of outbound messages, only notices are in this state. */
const failure = sql<Reason | null>`case when messages.state = 'failed' and messages.reply_to is not null then (
  select question.reason from messages as question where question.uuid = messages.reply_to and question.state = 'failed'
) end`;

/** Of the latest message of users in the conversation: messages of the bot do not name whom they are for. */
function heard(column: 'sender_name' | 'facts') {
  return sql<string | null>`case when messages.direction = 'outbound' then (
    select ${sql.ref(`heard.${column}`)} from messages as heard
    where heard.conversation_uuid = messages.conversation_uuid and heard.direction = 'inbound'
    order by heard.created_at desc limit 1
  ) end`;
}

function toShownMessage({ delivery, failure, heard_name, heard_facts, ...row }: ShownRow): MessageView {
  const { model_uuid: _, webhook_wait_until: __, ...message } = toMessage(row);
  // The delivery of an answer that is still being written is a formality.
  const isSent = message.direction === 'outbound' && message.state !== 'writing' && delivery !== null;
  const { group_name } = heard_facts === null ? message.facts : (JSON.parse(heard_facts) as MessageFacts);
  return {
    ...message,
    delivery_state: isSent ? (deliveryStates[delivery] ?? null) : null,
    failure,
    session_name: (message.session_type === 'group' ? group_name : (heard_name ?? message.sender_name)) || null,
  };
}
