import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { conversationKey } from '../../../test/stores/ledger-records.ts';
import { makeStoragePlace } from '../../../test/stores/open-test-storage.ts';
import type { Database } from '../database.ts';
import { openPostgres } from '../postgres-database.ts';
import { migrations } from './index.ts';
import { migrate } from './migrate.ts';

const uuidOf = (number: number) => `00000000-0000-7000-8000-00000000000${number}`;
const { bot_uuid, pipeline_uuid } = conversationKey();

/** What the version before left: conversations, and for some of them a job in the tables of pg-boss. */
async function insertJobs(database: Database): Promise<void> {
  await sql`create schema pgboss`.execute(database);
  await sql`create table pgboss.job (id uuid, name text, priority integer not null, state text, start_after timestamptz,
    created_on timestamptz not null default now()) partition by list (name)`.execute(database);
  await sql`create table pgboss.messages partition of pgboss.job for values in ('messages')`.execute(database);
  await sql`create table pgboss.other partition of pgboss.job for values in ('other')`.execute(database);
  const jobs: [number: number, name: string, priority: number, state: string, dueAt: string][] = [
    [3, 'messages', 0, 'created', '2026-01-01T00:00:00.007Z'],
    [1, 'messages', 0, 'created', '2026-01-01T00:00:00.007Z'],
    [2, 'messages', 0, 'active', '2026-01-01T00:00:00.001Z'],
    [4, 'messages', 1, 'created', '2026-01-01T00:00:00.007Z'],
    [5, 'other', 0, 'created', '2026-01-01T00:00:00.007Z'],
    [6, 'messages', 0, 'created', '2099-01-01T00:00:00.000Z'],
    [9, 'messages', 0, 'created', '2026-01-01T00:00:00.007Z'], // its conversation is gone
  ];
  for (const [number, name, priority, state, dueAt] of jobs) {
    const uuid = uuidOf(number);
    await sql`insert into pgboss.job values (${uuid}, ${name}, ${priority}, ${state}, ${dueAt})`.execute(database);
    if (number === 9) continue;
    await sql`insert into conversations (uuid, bot_uuid, pipeline_uuid, session_type, session_id, thread_id, is_current,
      last_sequence, created_at, updated_at)
      values (${uuid}, ${bot_uuid}, ${pipeline_uuid}, 'person', ${uuid}, '', 1, 1, '2026', '2026')`.execute(database);
  }
}

it('moves jobs of pg-boss to the table of the queue, with their due times and in order', async () => {
  const place = await makeStoragePlace('postgres');
  const database = await openPostgres(place.databaseUrl ?? '');
  try {
    await migrate(database, 'postgres', migrations.slice(0, 27));
    await insertJobs(database);
    expect(await migrate(database, 'postgres', migrations.slice(0, 28))).toEqual(['0028-message-queue']);
    const rows = await sql`select * from queue order by position`.execute(database);
    const due = Date.parse('2026-01-01T00:00:00.007Z');
    const row = { bot_uuid, is_running: 0, due_at: due };
    expect(rows.rows).toEqual(
      [
        { ...row, conversation_uuid: uuidOf(4) },
        { ...row, conversation_uuid: uuidOf(2), is_running: 1, due_at: due - 6 },
        { ...row, conversation_uuid: uuidOf(3) },
        { ...row, conversation_uuid: uuidOf(1) },
        { ...row, conversation_uuid: uuidOf(6), due_at: Date.parse('2099-01-01T00:00:00.000Z') },
      ].map((expected, index) => ({ ...expected, position: index + 1 })),
    );
    const schemas = sql`select 1 from information_schema.schemata where schema_name = 'pgboss'`;
    expect((await schemas.execute(database)).rows).toEqual([]);
  } finally {
    await database.destroy();
    await place.remove();
  }
});
