import type { SessionType } from '@parley/sdk';
import { type RawBuilder, sql } from 'kysely';

type Expression = RawBuilder<unknown>;

/** Columns of a message's conversation, bot and pipeline, with {@link named}. */
export const routeColumns = sql`
  conversations.bot_uuid as bot_id, coalesce(bots.name, conversations.bot_uuid) as bot_name,
  conversations.pipeline_uuid as pipeline_id, coalesce(pipelines.name, conversations.pipeline_uuid) as pipeline_name,
  conversations.session_type || '_' || conversations.session_id as session_id`;

/** Joins `conversations` with the current names of their bot and pipeline. */
export const named = sql`
  left join bots on bots.uuid = conversations.bot_uuid
  left join pipelines on pipelines.uuid = conversations.pipeline_uuid`;

/** Columns of every record that tell where it belongs. */
export interface RouteRow {
  bot_id: string;
  bot_name: string;
  pipeline_id: string;
  pipeline_name: string;
  session_id: string;
}

export function routeOf({ bot_id, bot_name, pipeline_id, pipeline_name, session_id }: RouteRow): RouteRow {
  return { bot_id, bot_name, pipeline_id, pipeline_name, session_id };
}

export function all(conditions: readonly Expression[]): Expression {
  return conditions.length === 0 ? sql`1 = 1` : sql.join([...conditions], sql` and `);
}

/** Whether a column has one of the values. Without values, everything has. */
export function isOneOf(column: Expression, values: readonly string[] | undefined): Expression[] {
  return values === undefined ? [] : [sql`${column} in (${sql.join([...values])})`];
}

/** Whether a timestamp is in a window, both ends inclusive. */
export function isWithin(timestamp: Expression, { from, to }: { from?: string | undefined; to?: string | undefined }) {
  return [
    ...(from === undefined ? [] : [sql`${timestamp} >= ${from}`]),
    ...(to === undefined ? [] : [sql`${timestamp} <= ${to}`]),
  ];
}

/** Conversations of bots and pipelines, verbatim as in an index. */
export function chosenConversations(bots: readonly string[] | undefined, pipelines: readonly string[] | undefined) {
  return [
    ...(bots === undefined ? [sql`conversations.session_type in ('person', 'group')`] : []),
    ...isOneOf(sql.ref('conversations.bot_uuid'), bots),
    ...isOneOf(sql.ref('conversations.pipeline_uuid'), pipelines),
  ];
}

/** Takes a session's id apart; null when there cannot be such a session. */
export function chatOf(sessionId: string): [type: SessionType, id: string] | null {
  const [, type, id] = /^(person|group)_(.*)$/s.exec(sessionId) ?? [];
  return type === undefined || id === undefined ? null : [type as SessionType, id];
}

/** Whether a row of `conversations` belongs to one of the sessions. */
export function ofSessions(sessions: readonly string[] | undefined): Expression[] {
  if (sessions === undefined) return [];
  const chosen = sessions
    .map(chatOf)
    .filter((chat) => chat !== null)
    .map(([type, id]) => sql`(conversations.session_type = ${type} and conversations.session_id = ${id})`);
  return [chosen.length === 0 ? sql`1 = 0` : sql`(${sql.join(chosen, sql` or `)})`];
}
