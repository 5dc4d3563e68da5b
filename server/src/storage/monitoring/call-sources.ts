import { type RawBuilder, sql } from 'kysely';
import type { MonitoredEmbeddingCall, MonitoredLlmCall, MonitoredToolCall } from '../../core/monitoring/records.ts';
import type { Tables } from '../database.ts';
import { columnsOf } from '../table-columns.ts';
import {
  all,
  chosenConversations,
  isOneOf,
  isWithin,
  named,
  type RouteRow,
  routeColumns,
  routeOf,
} from './joined-records.ts';
import type { RecordRange, RecordSource } from './record-source.ts';

type Expression = RawBuilder<unknown>;

type LlmCallRow = RouteRow & Tables['model_calls'];
type ToolCallRow = RouteRow & Tables['tool_calls'];
type CallTable = 'model_calls' | 'tool_calls';

/** Calls of language models, by start time. */
export const llmCallSource: RecordSource<'llm-calls', LlmCallRow> = {
  measures: ['llm_calls'],
  query: (range) => callsWhere<LlmCallRow>('model_calls', candidates('model_calls', range)),
  count: ({ filter }) => countCalls('model_calls', filter),
  placed: (row) => ({ record: toLlmCall(row), place: { timestamp: row.started_at, id: row.uuid } }),
};

/** Calls of tools, by start time. */
export const toolCallSource: RecordSource<'tool-calls', ToolCallRow> = {
  measures: ['tool_calls'],
  query: (range) => callsWhere<ToolCallRow>('tool_calls', candidates('tool_calls', range)),
  count: ({ filter }) => countCalls('tool_calls', filter),
  placed: (row) => ({ record: toToolCall(row), place: { timestamp: row.started_at, id: row.uuid } }),
};

/** Calls of language models for the answer to one message. */
export function llmCallsOf(messageUuid: string): RawBuilder<LlmCallRow> {
  return callsWhere('model_calls', sql`select uuid from model_calls where message_uuid = ${messageUuid}`);
}

function callsWhere<Row>(table: CallTable, uuids: Expression): RawBuilder<Row> {
  return sql<Row>`
    select entry.*, ${routeColumns}
    from (${uuids}) as found
    cross join ${sql.table(table)} as entry
    cross join messages
    cross join conversations
    ${named}
    where entry.uuid = found.uuid and messages.uuid = entry.message_uuid
      and conversations.uuid = messages.conversation_uuid
    order by entry.started_at desc, entry.uuid desc`;
}

function candidates(table: CallTable, { filter, limit, offset, after, isSparse }: RecordRange): Expression {
  const behind = after === null ? [] : [sql`(entry.started_at, entry.uuid) < (${after.timestamp}, ${after.id})`];
  return sql`
    select entry.uuid from ${isSparse ? callsOfFew(table) : callsOf(table)}
    where ${all([conditionsOf(filter), ...behind, ...(isSparse ? chosenConversations(filter.bots, filter.pipelines) : [])])}
    order by entry.started_at desc, entry.uuid desc limit ${limit} offset ${offset}`;
}

function countCalls(table: CallTable, filter: RecordRange['filter']): RawBuilder<{ total: number }> {
  return sql`select cast(count(*) as integer) as total from ${callsOf(table)} where ${conditionsOf(filter)}`;
}

function callsOf(table: CallTable): Expression {
  return sql`${sql.table(table)} as entry cross join messages cross join conversations`;
}

/** The same, from the conversations. */
function callsOfFew(table: CallTable): Expression {
  return sql`conversations cross join messages cross join ${sql.table(table)} as entry`;
}

function conditionsOf(filter: RecordRange['filter']): Expression {
  return all([
    sql`messages.uuid = entry.message_uuid and conversations.uuid = messages.conversation_uuid`,
    ...isWithin(sql.ref('entry.started_at'), filter),
    ...isOneOf(sql.ref('messages.bot_uuid'), filter.bots),
    ...isOneOf(sql.ref('conversations.pipeline_uuid'), filter.pipelines),
  ]);
}

export function toLlmCall(row: LlmCallRow): MonitoredLlmCall {
  const { uuid, started_at, model_name, input_tokens, output_tokens, milliseconds, cost, reason, error } = row;
  return {
    id: uuid,
    timestamp: started_at,
    model_name,
    input_tokens,
    output_tokens,
    total_tokens: input_tokens + output_tokens,
    duration: milliseconds,
    cost,
    status: reason === null ? 'success' : 'error',
    ...routeOf(row),
    error_message: error ?? reason,
    message_id: row.message_uuid,
  };
}

function toToolCall(row: ToolCallRow): MonitoredToolCall {
  const { uuid, started_at, tool_name, parameters, result_size, milliseconds, state, reason, error } = row;
  return {
    id: uuid,
    timestamp: started_at,
    tool_name,
    parameters,
    result_size,
    duration: milliseconds,
    status: state === 'running' ? 'pending' : state === 'succeeded' ? 'success' : 'error',
    ...routeOf(row),
    error_message: error ?? reason,
    message_id: row.message_uuid,
  };
}

/** Calls of embedding models, by start time. They belong to no bot. */
export const embeddingCallSource: RecordSource<'embedding-calls', Tables['embedding_calls']> = {
  measures: null,
  query: ({ filter, limit, offset, after }) => {
    const behind = after === null ? [] : [sql`(started_at, uuid) < (${after.timestamp}, ${after.id})`];
    return sql<Tables['embedding_calls']>`
      select ${sql.join(columnsOf('embedding_calls').map((column) => sql.ref(column)))} from embedding_calls where ${all([...ofBase(filter), ...behind])}
      order by started_at desc, uuid desc limit ${limit} offset ${offset}`;
  },
  count: ({ filter }) =>
    sql`select cast(count(*) as integer) as total from embedding_calls where ${all(ofBase(filter))}`,
  placed: (row) => ({ record: toEmbeddingCall(row), place: { timestamp: row.started_at, id: row.uuid } }),
};

function ofBase(filter: RecordRange['filter']): Expression[] {
  return [
    ...isWithin(sql.ref('started_at'), filter),
    ...(filter.knowledge_base === undefined ? [] : [sql`knowledge_base_uuid = ${filter.knowledge_base}`]),
  ];
}

function toEmbeddingCall(row: Tables['embedding_calls']): MonitoredEmbeddingCall {
  const { uuid, started_at, milliseconds, reason, error, knowledge_base_uuid, message_uuid } = row;
  return {
    id: uuid,
    timestamp: started_at,
    model_name: row.model_name,
    prompt_tokens: row.prompt_tokens,
    total_tokens: row.total_tokens,
    duration: milliseconds,
    input_count: row.input_count,
    status: reason === null ? 'success' : 'error',
    error_message: error ?? reason,
    knowledge_base_id: knowledge_base_uuid,
    query_text: row.query_text,
    session_id: row.session_id,
    message_id: message_uuid,
    call_type: row.call_type,
  };
}
