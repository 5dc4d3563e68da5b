import { CompiledQuery, type SchemaModule, sql } from 'kysely';
import type { Engine } from '../engine.ts';
import { required } from './columns.ts';
import type { Migration } from './migration.ts';

/** As on SQLite, where it was there before. The place of a row decides between those that are due at the same time. */
function queue(schema: SchemaModule) {
  const isWaiting = sql<boolean>`is_running = 0`;
  return [
    schema
      .createTable('queue')
      .addColumn('conversation_uuid', 'text', (column) =>
        column.primaryKey().references('conversations.uuid').onDelete('cascade'),
      )
      .addColumn('bot_uuid', 'text', required)
      .addColumn('is_running', 'integer', required)
      .addColumn('due_at', 'bigint', required)
      .addColumn('position', 'bigint', (column) => column.notNull().generatedAlwaysAsIdentity()),
    schema.createIndex('queue_due').on('queue').columns(['due_at', 'position']).where(isWaiting),
    schema.createIndex('queue_due_by_bot').on('queue').columns(['bot_uuid', 'due_at', 'position']).where(isWaiting),
    // Few rows that change with every message: removed ones must not pile up in front of those that are due.
    raw('alter table queue set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000)'),
  ];
}

/** The queue was in the tables of pg-boss, a job for each conversation. A new database has none. */
const moveJobs = `do $$ begin
  if to_regclass('pgboss.job') is not null then
    insert into queue (conversation_uuid, bot_uuid, is_running, due_at)
    select conversations.uuid, conversations.bot_uuid, case job.state when 'created' then 0 else 1 end,
      floor(extract(epoch from job.start_after) * 1000)
    from pgboss.job join conversations on conversations.uuid = cast(job.id as text)
    where job.name = 'messages'
    order by job.priority desc, job.start_after, job.created_on;
  end if;
  drop schema if exists pgboss cascade;
end $$`;

function raw(statement: string) {
  return { compile: () => CompiledQuery.raw(statement) };
}

/** Conversations with work: on PostgreSQL, too, a table instead of jobs of pg-boss. */
export const messageQueue: Migration = {
  name: '0028-message-queue',
  statements: (schema, engine: Engine) => (engine === 'sqlite' ? [] : [...queue(schema), raw(moveJobs)]),
};
