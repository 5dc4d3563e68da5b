import type { MessageChain, MessageFacts, SessionType } from '@parley/sdk';
import { type RawBuilder, sql } from 'kysely';
import { variablesOf } from '../../core/messages/message-variables.ts';
import type { MonitoredMessage } from '../../core/monitoring/records.ts';
import {
  all,
  chosenConversations,
  isOneOf,
  isWithin,
  named,
  ofSessions,
  type RouteRow,
  routeColumns,
  routeOf,
} from './joined-records.ts';
import type { RecordRange, RecordSource } from './record-source.ts';

type Expression = RawBuilder<unknown>;

interface MessageRow extends RouteRow {
  position: number;
  uuid: string;
  created_at: string;
  direction: string;
  state: string;
  message_chain: string;
  text: string;
  facts: string | null;
  sender_id: string;
  sender_name: string;
  asker_id: string | null;
  asker_name: string | null;
  platform: string | null;
  conversation_uuid: string;
  session_type: string;
  peer: string;
  trace: string | null;
}

const pendingStates = ['received', 'processing', 'writing'];

/** Of both directions, by when they were stored. */
export const messageSource: RecordSource<'messages', MessageRow> = {
  measures: ['received', 'sent'],
  query: (range) => messagesWhere(candidates(range)),
  count: ({ filter }) =>
    sql`select cast(count(*) as integer) as total from messages as entry cross join conversations
      where conversations.uuid = entry.conversation_uuid and ${conditionsOf(filter)}`,
  placed: (row) => ({
    record: toMessage(row),
    place: { timestamp: row.created_at, id: String(row.position) },
  }),
};

/** One message. */
export function messageByUuid(uuid: string): RawBuilder<MessageRow> {
  return messagesWhere(sql`select position from messages where uuid = ${uuid}`);
}

/** @param positions a query of the positions of messages */
function messagesWhere(positions: Expression): RawBuilder<MessageRow> {
  return sql<MessageRow>`
    select entry.position, entry.uuid, entry.created_at, entry.direction, entry.state, entry.message_chain, entry.text,
      entry.facts, entry.sender_id, entry.sender_name, question.sender_id as asker_id,
      question.sender_name as asker_name, bots.adapter as platform, entry.conversation_uuid, conversations.session_type,
      conversations.session_id as peer, message_traces.trace, ${routeColumns}
    from (${positions}) as found
    cross join messages as entry
    cross join conversations
    left join messages as question on question.uuid = entry.reply_to
    left join message_traces on message_traces.message_uuid = coalesce(entry.reply_to, entry.uuid)
    ${named}
    where entry.position = found.position and conversations.uuid = entry.conversation_uuid
    order by entry.created_at desc, entry.position desc`;
}

function candidates({ filter, limit, offset, after, isSparse }: RecordRange): Expression {
  const behind =
    after === null ? [] : [sql`(entry.created_at, entry.position) < (${after.timestamp}, ${Number(after.id)})`];
  return sql`
    select entry.position
    from ${isSparse ? sql`conversations cross join messages as entry` : sql`messages as entry cross join conversations`}
    where ${all([
      sql`conversations.uuid = entry.conversation_uuid`,
      conditionsOf(filter),
      ...behind,
      ...(isSparse ? chosenConversations(filter.bots, filter.pipelines) : []),
    ])}
    order by entry.created_at desc, entry.position desc limit ${limit} offset ${offset}`;
}

function conditionsOf(filter: RecordRange['filter']): Expression {
  return all([
    ...isWithin(sql.ref('entry.created_at'), filter),
    ...isOneOf(sql.ref('entry.bot_uuid'), filter.bots),
    ...isOneOf(sql.ref('conversations.pipeline_uuid'), filter.pipelines),
    ...(filter.sessions === undefined
      ? []
      : [
          sql`entry.conversation_uuid in (select conversations.uuid from conversations where ${all(ofSessions(filter.sessions))})`,
        ]),
  ]);
}

function toMessage(row: MessageRow): MonitoredMessage {
  const isInbound = row.direction === 'inbound';
  const isError = row.state === 'failed' || row.state === 'uncertain';
  const isPending = pendingStates.includes(row.state);
  return {
    id: row.uuid,
    timestamp: row.created_at,
    ...routeOf(row),
    message_content: row.message_chain,
    status: isError ? 'error' : isPending ? 'pending' : 'success',
    level: isError ? 'error' : 'info',
    platform: row.platform,
    // An answer is addressed to the sender of the question.
    user_id: isInbound ? row.sender_id : (row.asker_id ?? (row.session_type === 'person' ? row.peer : null)),
    user_name: isInbound ? row.sender_name : row.asker_name,
    runner_name: runnerOf(row.trace),
    variables: isInbound ? JSON.stringify(variables(row)) : null,
    role: isInbound ? 'user' : 'assistant',
  };
}

/** Variables for prompts. */
function variables(row: MessageRow): Record<string, string> {
  return variablesOf({
    session_type: row.session_type as SessionType,
    session_id: row.peer,
    sender_id: row.sender_id,
    sender_name: row.sender_name,
    facts: row.facts === null ? {} : (JSON.parse(row.facts) as MessageFacts),
    conversation_uuid: row.conversation_uuid,
    created_at: row.created_at,
    message_chain: JSON.parse(row.message_chain) as MessageChain,
  });
}

/** The runner that wrote, as the trace of the message has it. */
function runnerOf(trace: string | null): string | null {
  if (trace === null) return null;
  const { gates } = JSON.parse(trace) as { gates: { name: string; details: { runner?: unknown } }[] };
  const runner = gates.find(({ name }) => name === 'runner')?.details.runner;
  return typeof runner === 'string' ? runner : null;
}
