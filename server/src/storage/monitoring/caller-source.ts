import { type RawBuilder, sql } from 'kysely';
import type { CallerUsage, MonitoringFilter } from '../../core/monitoring/monitoring-reader.ts';
import { all, isWithin } from './joined-records.ts';

/** What the callers of the model API used, by their session. */
export function usageOfCallers(filter: MonitoringFilter): RawBuilder<CallerUsage> {
  const number = (expression: RawBuilder<unknown>) => sql`cast(coalesce(${expression}, 0) as double precision)`;
  const failed = sql`case when model_calls.reason is null then 0 else 1 end`;
  return sql<CallerUsage>`
    select conversations.session_id, ${number(sql`count(distinct messages.uuid)`)} as messages,
      ${number(sql`count(model_calls.uuid)`)} as llm_calls,
      ${number(sql`sum(case when model_calls.uuid is null then 0 else ${failed} end)`)} as llm_failures,
      ${number(sql`sum(model_calls.input_tokens)`)} as input_tokens,
      ${number(sql`sum(model_calls.output_tokens)`)} as output_tokens,
      ${number(sql`sum(model_calls.cost)`)} as cost
    from bots
    join conversations on conversations.bot_uuid = bots.uuid
    join messages on messages.conversation_uuid = conversations.uuid
    left join model_calls on model_calls.message_uuid = messages.uuid
    where ${all([
      sql`bots.adapter = 'model-api' and messages.direction = 'inbound'`,
      ...isWithin(sql.ref('messages.created_at'), filter),
    ])}
    group by conversations.session_id`;
}
