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
  /** Holds for one entry of each fault: a message fails once, however often its calls and deliveries did. */
  counts: Expression;
}

const ofCall = sql`messages.uuid = entry.message_uuid`;
const isFailed = (message: string) => sql`${sql.ref(`${message}.state`)} in ('failed', 'uncertain')`;

/** Of a message that was answered all the same, the first call that failed for a reason. */
function isFirstOfAnswered(table: string, failed: Expression): Expression {
  return sql`not ${isFailed('messages')} and not exists (
    select 1 from ${sql.table(table)} as earlier where earlier.message_uuid = entry.message_uuid and ${failed}
      and earlier.reason = entry.reason and (earlier.started_at, earlier.uuid) < (entry.started_at, entry.uuid))`;
}

/** The error of the last failed call or delivery, for a message that failed because of it. */
const errorOfCause = sql`coalesce(
  (select model_calls.error from model_calls where model_calls.message_uuid = entry.uuid
    and model_calls.reason = entry.reason order by model_calls.started_at desc, model_calls.uuid desc limit 1),
  (select deliveries.error from messages as answer join deliveries on deliveries.message_uuid = answer.uuid
    where answer.reply_to = entry.uuid and deliveries.reason = entry.reason order by deliveries.piece limit 1))`;

const places: readonly Failures[] = [
  {
    table: 'messages',
    timestamp: 'created_at',
    // Of outbound messages, only error notices are in this state.
    failed: sql`entry.state in ('failed', 'uncertain') and entry.state in ('stopped', 'failed', 'uncertain', 'writing')
      and entry.direction = 'inbound'`,
    id: sql`entry.uuid`,
    error: errorOfCause,
    toMessage: sql`messages.uuid = entry.uuid`,
    counts: sql`1 = 1`,
  },
  {
    table: 'model_calls',
    timestamp: 'started_at',
    failed: sql`entry.reason is not null`,
    id: sql`entry.uuid`,
    error: sql`entry.error`,
    toMessage: ofCall,
    counts: isFirstOfAnswered('model_calls', sql`earlier.reason is not null`),
  },
  {
    table: 'tool_calls',
    timestamp: 'started_at',
    failed: sql`entry.state in ('failed', 'interrupted')`,
    id: sql`entry.uuid`,
    error: sql`entry.error`,
    toMessage: ofCall,
    counts: isFirstOfAnswered('tool_calls', sql`earlier.state in ('failed', 'interrupted')`),
  },
  {
    table: 'deliveries',
    timestamp: 'updated_at',
    failed: sql`entry.state in ('failed', 'uncertain')`,
    id: sql`entry.message_uuid || '.' || entry.piece`,
    error: sql`entry.error`,
    toMessage: ofCall,
    counts: sql`not exists (
        select 1 from messages as question where question.uuid = messages.reply_to and ${isFailed('question')})
      and not exists (
        select 1 from deliveries as earlier where earlier.message_uuid = entry.message_uuid
          and ${isFailed('earlier')} and earlier.piece < entry.piece)`,
  },
];

/**
 * What went wrong, each fault once: failed messages, and failed calls and deliveries for messages that were answered all
 * the same or that are unsolicited.
 */
export const errorSource: RecordSource<'errors', ErrorRow> = {
  measures: null,
  query: (range) =>
    errorsWhere(
      range,
      places.map(({ counts }) => counts),
    ),
  count: ({ filter }) => sql`
    select cast(count(*) as integer) as total from (${sql.join(
      places.map(
        (place) =>
          sql`select 1 as one from ${entriesOf(place)} where ${all([place.counts, conditionsOf(place, filter)])}`,
      ),
      sql` union all `,
    )}) as errors`,
  placed: (row) => ({ record: toError(row), place: { timestamp: row.timestamp, id: row.id } }),
};

const mostOfOneMessage = 1000;

/** All errors of an inbound message: its own, of calls for it, and of its answer. */
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
