import { type Reason, reasons } from '@parley/sdk';
import { type RawBuilder, sql } from 'kysely';
import type { MonitoredError } from '../../core/monitoring/records.ts';
import { all, isOneOf, isWithin, named, ofSessions, type RouteRow, routeColumns, routeOf } from './joined-records.ts';
import type { RecordRange, RecordSource } from './record-source.ts';

type Expression = RawBuilder<unknown>;

interface ErrorRow extends RouteRow {
  id: string;
  timestamp: string;
  reason: string | null;
  error: string | null;
  message_uuid: string;
}

/** Sources of errors, each with a partial index; the conditions must match the index verbatim. */
interface Failures {
  table: string;
  timestamp: string;
  failed: Expression;
  id: Expression;
  error: Expression;
  /** Leads to the message that it happened for, called `messages`. */
  toMessage: Expression;
}

const ofCall = sql`messages.uuid = entry.message_uuid`;

const places: readonly Failures[] = [
  {
    table: 'messages',
    timestamp: 'created_at',
    // Of outbound messages, only error notices are in this state.
    failed: sql`entry.state in ('failed', 'uncertain') and entry.state in ('stopped', 'failed', 'uncertain', 'writing')
      and entry.direction = 'inbound'`,
    id: sql`entry.uuid`,
    error: sql`null`,
    toMessage: sql`messages.uuid = entry.uuid`,
  },
  {
    table: 'model_calls',
    timestamp: 'started_at',
    failed: sql`entry.reason is not null`,
    id: sql`entry.uuid`,
    error: sql`entry.error`,
    toMessage: ofCall,
  },
  {
    table: 'tool_calls',
    timestamp: 'started_at',
    failed: sql`entry.state in ('failed', 'interrupted')`,
    id: sql`entry.uuid`,
    error: sql`entry.error`,
    toMessage: ofCall,
  },
  {
    table: 'deliveries',
    timestamp: 'updated_at',
    failed: sql`entry.state in ('failed', 'uncertain')`,
    id: sql`entry.message_uuid || '.' || entry.piece`,
    error: sql`entry.error`,
    toMessage: ofCall,
  },
];

/** Whatever went wrong: messages, calls of models and tools, deliveries. */
export const errorSource: RecordSource<'errors', ErrorRow> = {
  measures: ['failed_received', 'llm_failures', 'tool_failures', 'delivery_failures'],
  query: (range) => errorsWhere(range, []),
  count: ({ filter }) => sql`
    select cast(count(*) as integer) as total from (${sql.join(
      places.map((place) => sql`select 1 as one from ${entriesOf(place)} where ${conditionsOf(place, filter)}`),
      sql` union all `,
    )}) as errors`,
  placed: (row) => ({ record: toError(row), place: { timestamp: row.timestamp, id: row.id } }),
};

const mostOfOneMessage = 1000;

/** Errors of an inbound message: its own, of calls for it, and of its answer. */
export function errorsOf(messageUuid: string): RawBuilder<ErrorRow> {
  const range = { filter: {}, limit: mostOfOneMessage, offset: 0, after: null, activeSince: '' };
  return errorsWhere(range, [
    sql`entry.uuid = ${messageUuid}`,
    ofCallFor(messageUuid),
    ofCallFor(messageUuid),
    // An answer, or a message that is unsolicited.
    sql`entry.message_uuid in (select uuid from messages where reply_to = ${messageUuid} or uuid = ${messageUuid})`,
  ]);
}

function ofCallFor(messageUuid: string): Expression {
  return sql`entry.message_uuid = ${messageUuid}`;
}

/** @param only conditions on each of the places */
function errorsWhere(range: RecordRange, only: readonly Expression[]): RawBuilder<ErrorRow> {
  const { limit, offset } = range;
  const parts = places.map(
    (place, index) => sql`select * from (${newest(place, range, only[index])}) as ${sql.ref(place.table)}`,
  );
  return sql<ErrorRow>`
    select * from (${sql.join(parts, sql` union all `)}) as errors
    order by timestamp desc, id desc limit ${limit} offset ${offset}`;
}

/** As many of one place as there can be on the page. */
function newest(place: Failures, { filter, limit, offset, after }: RecordRange, only: Expression = sql`1 = 1`) {
  const timestamp = sql.ref(`entry.${place.timestamp}`);
  const behind = after === null ? [] : [sql`(${timestamp}, ${place.id}) < (${after.timestamp}, ${after.id})`];
  return sql`
    select ${place.id} as id, ${timestamp} as timestamp, entry.reason as reason, ${place.error} as error,
      coalesce(messages.reply_to, messages.uuid) as message_uuid, ${routeColumns}
    from ${entriesOf(place)} ${named}
    where ${all([only, conditionsOf(place, filter), ...behind])}
    order by ${timestamp} desc, ${place.id} desc limit ${limit + offset}`;
}

function entriesOf({ table }: Failures): Expression {
  return sql`${sql.table(table)} as entry cross join messages cross join conversations`;
}

function conditionsOf({ failed, timestamp, toMessage }: Failures, filter: RecordRange['filter']): Expression {
  return all([
    failed,
    toMessage,
    sql`conversations.uuid = messages.conversation_uuid`,
    ...isWithin(sql.ref(`entry.${timestamp}`), filter),
    ...isOneOf(sql.ref('messages.bot_uuid'), filter.bots),
    ...isOneOf(sql.ref('conversations.pipeline_uuid'), filter.pipelines),
    ...ofSessions(filter.sessions),
  ]);
}

function toError(row: ErrorRow): MonitoredError {
  const type = row.reason ?? 'internal';
  return {
    id: row.id,
    timestamp: row.timestamp,
    error_type: type,
    error_message: row.error ?? reasons[type as Reason] ?? type,
    ...routeOf(row),
    stack_trace: null,
    message_id: row.message_uuid,
  };
}
