import { type RawBuilder, sql } from 'kysely';
import type { FeedbackCount, MonitoringFilter, RecordFilter } from '../../core/monitoring/monitoring-reader.ts';
import type { MonitoredFeedback } from '../../core/monitoring/records.ts';
import type { Tables } from '../database.ts';
import { all, isOneOf, isWithin } from './joined-records.ts';
import type { RecordSource } from './record-source.ts';

type Expression = RawBuilder<unknown>;

type FeedbackRow = Tables['feedbacks'] & { bot_name: string; pipeline_name: string };

/** Feedback on answers, by last change. */
export const feedbackSource: RecordSource<'feedback', FeedbackRow> = {
  measures: null,
  query: ({ filter, limit, offset, after }) => {
    const behind = after === null ? [] : [sql`(entry.created_at, entry.uuid) < (${after.timestamp}, ${after.id})`];
    return sql<FeedbackRow>`
      select entry.*, coalesce(bots.name, entry.bot_uuid) as bot_name,
        coalesce(pipelines.name, entry.pipeline_uuid) as pipeline_name
      from feedbacks as entry
      left join bots on bots.uuid = entry.bot_uuid
      left join pipelines on pipelines.uuid = entry.pipeline_uuid
      where ${all([...conditionsOf(filter), ...behind])}
      order by entry.created_at desc, entry.uuid desc limit ${limit} offset ${offset}`;
  },
  count: ({ filter }) =>
    sql`select cast(count(*) as integer) as total from feedbacks as entry where ${all(conditionsOf(filter))}`,
  placed: (row) => ({ record: toFeedback(row), place: { timestamp: row.created_at, id: row.uuid } }),
};

/** Likes and dislikes of the answers of each bot; the bot with most comes first. */
export function feedbackCounts(filter: MonitoringFilter): RawBuilder<FeedbackCount> {
  const count = (type: number) =>
    sql`cast(sum(case when entry.feedback_type = ${sql.lit(type)} then 1 else 0 end) as integer)`;
  return sql<FeedbackCount>`
    select entry.bot_uuid as bot_id, coalesce(bots.name, entry.bot_uuid) as bot_name, ${count(1)} as likes,
      ${count(2)} as dislikes
    from feedbacks as entry left join bots on bots.uuid = entry.bot_uuid
    where ${all(conditionsOf(filter))}
    group by entry.bot_uuid, bots.name order by count(*) desc, entry.bot_uuid`;
}

function conditionsOf(filter: RecordFilter): Expression[] {
  return [
    ...isWithin(sql.ref('entry.created_at'), filter),
    ...isOneOf(sql.ref('entry.bot_uuid'), filter.bots),
    ...isOneOf(sql.ref('entry.pipeline_uuid'), filter.pipelines),
    ...isOneOf(sql.ref('entry.message_uuid'), filter.messages),
    ...(filter.feedback_type === undefined ? [] : [sql`entry.feedback_type = ${filter.feedback_type}`]),
  ];
}

function toFeedback(row: FeedbackRow): MonitoredFeedback {
  return {
    id: row.uuid,
    timestamp: row.created_at,
    feedback_id: row.feedback_id,
    feedback_type: row.feedback_type,
    feedback_content: row.feedback_content,
    inaccurate_reasons: row.inaccurate_reasons,
    bot_id: row.bot_uuid,
    bot_name: row.bot_name,
    pipeline_id: row.pipeline_uuid,
    pipeline_name: row.pipeline_name,
    session_id: row.session_id,
    message_id: row.message_uuid ?? row.platform_message_id,
    stream_id: row.stream_id,
    user_id: row.user_id,
    platform: row.platform,
  };
}
