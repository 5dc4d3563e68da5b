import { closeSync, fsyncSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { migrate } from '../../server/src/storage/migrations/migrate.ts';
import { openSqlite } from '../../server/src/storage/sqlite-database.ts';
import { databaseFile } from '../../server/src/storage/storage.ts';
import { queryDatabase } from '../../server/test/postgres/query-database.ts';
import { copyLedger } from './copy-ledger.ts';
import type { Installation } from './installation.ts';
import { withFolder } from './service-process.ts';

type Place = Installation['place'];

/** What is in a ledger that was filled, to be searched for. */
export interface FilledLedger {
  messages: number;
  /** A bot with a tenth of all messages, one with three. */
  bot: string;
  rareBot: string;
  /** A pipeline with a tenth of all messages, and one that had a third of the first half and none since. */
  pipeline: string;
  formerPipeline: string;
  conversation: string;
  /** A user with one conversation, and a user with two hundred. */
  session: string;
  restlessSession: string;
  sender: string;
  /** An answered message with calls of models and tools, and another that was stopped. */
  answered: string;
  stopped: string;
  /** Timestamps of the first and the last message. */
  from: string;
  to: string;
}

/** Time of the first message, seconds since 1970, and the seconds between two questions. */
const firstSecond = Date.parse('2026-01-01T00:00:00Z') / 1000;
const pace = 20;

const text =
  'The quick brown fox jumps over the lazy dog, and then it goes home and sleeps until the next morning. '.repeat(6);
const trace = JSON.stringify({
  attempt: 1,
  gates: ['group-rules', 'access-control', 'content-filter', 'rate-limit', 'runner', 'deliver'].map((name) => ({
    name,
    outcome: 'passed',
    reason: null,
    milliseconds: 1.25,
    details: { characters: 100 },
  })),
});

/**
 * Fills the ledger of a service that is not running: every question has an answer, a trace and a call of a model, but
 * for a tenth that were stopped or failed. The first half of the conversations were over when the others began.
 * @param file the SQLite file, whose tables are there
 * @param messages questions and answers, about
 */
export function fillLedger(file: string, messages: number, conversations: number): FilledLedger {
  const database = new DatabaseSync(file);
  try {
    // Nothing would be lost with it.
    database.exec(
      'pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -500000; pragma foreign_keys = off;',
    );
    const parts = database
      .prepare(
        `select type, name, sql from sqlite_master where type in ('index', 'trigger') and sql is not null
          and tbl_name in ('messages', 'model_calls', 'tool_calls', 'deliveries')`,
      )
      .all() as { type: string; name: string; sql: string }[];
    database.exec('begin');
    for (const { type, name } of parts) database.exec(`drop ${type} ${name}`);
    database.exec(statements(Math.ceil(messages / 1.9), conversations));
    for (const { sql } of parts) database.exec(sql);
    // Figures are summed up from the beginning.
    database.exec("delete from metadata where key = 'monitoring_until'; delete from monitoring_rollups;");
    database.exec('commit');
    const one = (condition: string, column = 'uuid') =>
      String(database.prepare(`select ${column} as value from messages where ${condition} limit 1`).get()?.value);
    const middle = `position > ${Math.floor(messages * 0.7)}`;
    return {
      messages: Number(database.prepare('select count(*) as count from messages').get()?.count),
      bot: uuidOf('b', 4),
      rareBot: uuidOf('b', 99),
      pipeline: uuidOf('c', 7),
      formerPipeline: uuidOf('c', 0),
      conversation: one(middle, 'conversation_uuid'),
      session: `person-${Math.floor(conversations * 0.75) + 1}`,
      restlessSession: 'restless',
      sender: one(`${middle} and direction = 'inbound' and sender_id like 'person-%'`, 'sender_id'),
      answered: one(`${middle} and state = 'answered'`),
      stopped: one(`${middle} and state = 'stopped'`),
      from: String(database.prepare('select min(created_at) as timestamp from messages').get()?.timestamp),
      to: String(database.prepare('select max(created_at) as timestamp from messages').get()?.timestamp),
    };
  } finally {
    database.close();
    flush(file);
  }
}

/** Writes to the disk what the system would write while something is measured. */
function flush(file: string): void {
  const descriptor = openSync(file, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** {@link fillLedger} on either engine. The tables are there. */
export async function fillLedgerOf(place: Place, messages: number, conversations: number): Promise<FilledLedger> {
  const { databaseUrl } = place;
  if (databaseUrl === null) return fillLedger(databaseFile(place), messages, conversations);
  return await withFolder(async (folder) => {
    const file = join(folder, 'ledger.db');
    const database = openSqlite(file);
    await migrate(database, 'sqlite').finally(() => database.destroy());
    const ledger = fillLedger(file, messages, conversations);
    await copyLedger(file, databaseUrl);
    return ledger;
  });
}

/** Waits until a running service has summed up for monitoring what its ledger was filled with. */
export async function summedUp(place: Place, { to }: FilledLedger): Promise<void> {
  const statement = `select (select value from metadata where key = 'monitoring_until') as until,
    (select count(*) from monitoring_marks) as marks`;
  for (;;) {
    const [row] = await query(place, statement);
    if (String(row?.until ?? '') > to && Number(row?.marks) === 0) return;
    await delay(200);
  }
}

async function query(place: Place, statement: string): Promise<Record<string, unknown>[]> {
  if (place.databaseUrl !== null) return await queryDatabase(place.databaseUrl, statement);
  const database = new DatabaseSync(databaseFile(place), { readOnly: true });
  try {
    return database.prepare(statement).all();
  } finally {
    database.close();
  }
}

/** The uuid of a record that is only named by messages. */
function uuidOf(kind: 'b' | 'c', number: number): string {
  return `00000000-0000-7000-8000-${kind}${number.toString(16).padStart(11, '0')}`;
}

/** @param pairs questions, with their answers */
function statements(pairs: number, conversations: number): string {
  const half = Math.max(1, Math.floor(conversations / 2));
  // A number that shares no factor with most counts: each conversation says something once in a while.
  const conversation = `(i * 7919) % ${half} + case when i < ${Math.floor(pairs / 2)} then 0 else ${half} end`;
  const bot = (number: string) => `'00000000-0000-7000-8000-b' || printf('%011x', ${number})`;
  const pipeline = (number: string) => `'00000000-0000-7000-8000-c' || printf('%011x', ${number})`;
  const uuid = (timestamp: string, number: string, kind: number) =>
    `printf('%08x-%04x-7000-8%03x-%012x', (${timestamp}) >> 16, (${timestamp}) & 65535, ${kind}, ${number})`;
  const milliseconds = `${firstSecond}000 + i * ${pace}000`;
  const timestamp = (offset: number) =>
    `strftime('%Y-%m-%dT%H:%M:%S', ${firstSecond} + i * ${pace} + ${offset}, 'unixepoch') || '.000Z'`;
  const numbers = (count: number) =>
    `with recursive numbers (i) as (select 0 union all select i + 1 from numbers where i + 1 < ${count})`;
  return `
    ${numbers(half * 2)}
    insert into conversations
      (uuid, bot_uuid, pipeline_uuid, session_type, session_id, thread_id, is_current, last_sequence, created_at, updated_at)
    select ${uuid(`${firstSecond}000 + i`, 'i', 1)},
      case when i = ${half} then ${bot('99')} else ${bot('i % 10')} end,
      case when i < ${half} and i % 3 = 0 then ${pipeline('0')} else ${pipeline('1 + i % 10')} end,
      case when i % 20 = 0 then 'group' else 'person' end,
      case when i % 50 = 1 then 'restless' when i % 20 = 0 then 'group-' || i else 'person-' || i end,
      '', case when i % 50 = 1 then 0 else 1 end, ${Math.ceil(pairs / half) * 2}, ${timestamp(0)}, ${timestamp(0)}
    from numbers;
    create temporary table places as select rowid as place, uuid, bot_uuid, session_type, session_id from conversations
      where uuid like '%-8001-%';
    create unique index temp.place on places (place);
    create temporary table questions as ${numbers(pairs)}
      select i, ${conversation} as c, i / ${half} as round,
        ${uuid(milliseconds, 'i', 2)} as question, ${uuid(`${milliseconds} + 1000`, 'i', 3)} as answer,
        ${timestamp(0)} as asked, ${timestamp(1)} as told,
        case when i % 100000 = 77 then 'quota' when i % 50 = 3 then 'provider_failed'
          when i % 25 = 7 then 'group_rule_not_matched' when i % 25 = 9 then 'rate_limited' else 'answered' end as reason,
        substr('${text}', 1 + i % 60, 30 + (i * 31) % 400) as said
      from numbers;
    insert into messages (uuid, bot_uuid, conversation_uuid, direction, platform_message_id, reply_to, sequence, sender_id,
      sender_name, message_chain, text, state, reason, attempts, created_at, finished_at)
    select question, bot_uuid, uuid, 'inbound', 'bench-' || i, null, 2 * round + 1,
      case session_type when 'group' then 'member-' || (i % 997) else session_id end, 'Someone',
      json_array(json_object('type', 'Plain', 'text', said)), said,
      case reason when 'answered' then 'answered' when 'provider_failed' then 'failed' when 'quota' then 'failed' else 'stopped' end,
      reason, 1, asked, told
    from questions join places on place = (select min(place) from places) + c
    union all
    select answer, bot_uuid, uuid, 'outbound', null, question, 2 * round + 2, bot_uuid, '',
      json_array(json_object('type', 'Plain', 'text', said)), said, 'finished', null, 0, told, told
    from questions join places on place = (select min(place) from places) + c where reason = 'answered'
    order by 15, 1;
    insert into deliveries (message_uuid, piece, idempotency_token, state, created_at, updated_at)
      select answer, 0, answer, 'sent', told, told from questions where reason = 'answered';
    insert into message_traces select question, '${trace}' from questions;
    insert into model_calls (uuid, message_uuid, model_uuid, model_name, started_at, milliseconds,
      first_piece_milliseconds, input_tokens, output_tokens, cost)
      select replace(question, '-8002-', '-8004-'), question, '', 'model-' || (i % 3), asked, 900, 300, 500 + i % 97,
        100 + i % 31, (500 + i % 97) * 0.000001
      from questions where reason = 'answered';
    insert into tool_calls (uuid, message_uuid, tool_name, parameters, result, result_size, state, started_at, milliseconds)
      select replace(question, '-8002-', '-8005-'), question, 'look_up', '{"word":"fox"}', 'A fox.', 6, 'succeeded', asked, 20
      from questions where reason = 'answered' and i % 10 = 0;
    drop table questions; drop table places;`;
}
