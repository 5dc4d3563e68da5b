import type { MessageFacts } from '@parley/sdk';
import { type RawBuilder, sql } from 'kysely';
import type { MonitoringFilter } from '../../core/monitoring/monitoring-reader.ts';
import type { MonitoredSession } from '../../core/monitoring/records.ts';
import { all, chatOf, isOneOf, isWithin, named, type RouteRow, routeColumns, routeOf } from './joined-records.ts';
import type { RecordSource } from './record-source.ts';

type Expression = RawBuilder<unknown>;

interface SessionRow extends RouteRow {
  uuid: string;
  updated_at: string;
  start_time: string;
  is_active: number;
  message_count: number;
  platform: string | null;
  user_id: string | null;
  user_name: string | null;
  facts: string | null;
}

/**
 * A session is a user or group that a bot talks with, across conversations. Sorted by the last activity: the last
 * message, or the end of a conversation.
 */
export const sessionSource: RecordSource<'sessions', SessionRow> = {
  measures: null,
  query: ({ filter, limit, offset, after, activeSince }) =>
    sessionsWhere(filter, activeSince, {
      conditions: [
        ...(after === null ? [] : [sql`(entry.updated_at, entry.uuid) < (${after.timestamp}, ${after.id})`]),
        ...isWithin(startOf(filter), filter),
        ...(filter.is_active === undefined
          ? []
          : [filter.is_active ? sql`entry.updated_at >= ${activeSince}` : sql`entry.updated_at < ${activeSince}`]),
      ],
      limit,
      offset,
    }),
  count: ({ filter, activeSince }) => {
    const { is_active } = filter;
    const last = sql`max(entry.updated_at)`;
    const having = [
      ...isWithin(sql`min(entry.created_at)`, filter),
      ...(is_active === undefined ? [] : [is_active ? sql`${last} >= ${activeSince}` : sql`${last} < ${activeSince}`]),
    ];
    return sql`
      select cast(count(*) as integer) as total from (
        select 1 as one from conversations as entry where ${all(routed('entry', filter))}
        group by bot_uuid, session_type, session_id having ${all(having)}
      ) as sessions`;
  },
  placed: (row) => ({ record: toSession(row), place: { timestamp: row.updated_at, id: row.uuid } }),
};

/** The session with an id that was active last; a session of another bot may have the same one. */
export function sessionById(sessionId: string, filter: MonitoringFilter, activeSince: string) {
  const [type, id] = chatOf(sessionId) ?? ['', ''];
  const conditions = [sql`entry.session_type = ${type} and entry.session_id = ${id}`];
  return sessionsWhere(filter, activeSince, { conditions, limit: 1, offset: 0 });
}

/** Number of sessions with messages in a window. */
export function activeSessions(filter: MonitoringFilter): RawBuilder<{ active: number }> {
  const { from, to } = filter;
  const conditions = [
    ...routed('entry', filter),
    ...(from === undefined ? [] : [sql`entry.updated_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`entry.created_at <= ${to}`]),
  ];
  // Conversations that started before the window and continued after it have to be read.
  if (from !== undefined && to !== undefined) {
    conditions.push(sql`(entry.updated_at <= ${to} or entry.created_at >= ${from} or exists (
      select 1 from messages where messages.conversation_uuid = entry.uuid
        and messages.created_at >= ${from} and messages.created_at <= ${to}))`);
  }
  return sql`
    select cast(count(*) as integer) as active from (
      select 1 as one from conversations as entry where ${all(conditions)} group by bot_uuid, session_type, session_id
    ) as sessions`;
}

/** Each session is found by its latest conversation. */
function sessionsWhere(
  filter: MonitoringFilter,
  activeSince: string,
  { conditions, limit, offset }: { conditions: readonly Expression[]; limit: number; offset: number },
): RawBuilder<SessionRow> {
  const latest = all([...routed('entry', filter), ...conditions, isLatest(filter)]);
  const said = (column: string) => sql`(
    select ${sql.ref(column)} from messages
    where messages.conversation_uuid = conversations.uuid and messages.direction = 'inbound'
    order by messages.created_at desc limit 1)`;
  return sql<SessionRow>`
    select conversations.uuid, conversations.updated_at, found.start_time, bots.adapter as platform,
      case when conversations.updated_at >= ${activeSince} then 1 else 0 end as is_active,
      (select cast(count(*) as integer) from messages where messages.conversation_uuid in (
        select other.uuid from conversations as other
        where ${all([...sameChat('conversations'), ...routed('other', filter)])})) as message_count,
      ${said('sender_id')} as user_id, ${said('sender_name')} as user_name,
      case when conversations.session_type = 'group' then ${said('facts')} end as facts, ${routeColumns}
    from (
      select entry.uuid, ${startOf(filter)} as start_time from conversations as entry where ${latest}
      order by entry.updated_at desc, entry.uuid desc limit ${limit} offset ${offset}
    ) as found
    cross join conversations ${named}
    where conversations.uuid = found.uuid
    order by conversations.updated_at desc, conversations.uuid desc`;
}

/** When the first conversation of the session started. */
function startOf(filter: MonitoringFilter): Expression {
  return sql`(select min(other.created_at) from conversations as other
    where ${all([...sameChat('entry'), ...routed('other', filter)])})`;
}

function isLatest(filter: MonitoringFilter): Expression {
  return sql`not exists (select 1 from conversations as other
    where ${all([...sameChat('entry'), ...routed('other', filter)])}
      and (other.updated_at, other.uuid) > (entry.updated_at, entry.uuid))`;
}

function sameChat(of: 'entry' | 'conversations'): Expression[] {
  return ['bot_uuid', 'session_type', 'session_id'].map(
    (name) => sql`${sql.ref(`other.${name}`)} = ${sql.ref(`${of}.${name}`)}`,
  );
}

function routed(table: 'entry' | 'other', { bots, pipelines }: MonitoringFilter): Expression[] {
  return [...isOneOf(sql.ref(`${table}.bot_uuid`), bots), ...isOneOf(sql.ref(`${table}.pipeline_uuid`), pipelines)];
}

function toSession(row: SessionRow): MonitoredSession {
  return {
    ...routeOf(row),
    message_count: row.message_count,
    start_time: row.start_time,
    last_activity: row.updated_at,
    is_active: row.is_active === 1,
    platform: row.platform,
    user_id: row.user_id,
    user_name: row.user_name,
    group_name: row.facts === null ? null : ((JSON.parse(row.facts) as MessageFacts).group_name ?? null),
  };
}
