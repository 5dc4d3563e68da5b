import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { databaseFile } from '../../src/storage/storage.ts';

/** A message that came in, as the ledger has it, with one of the messages that answer it. */
export interface LedgerRow {
  platform_message_id: string;
  bot_uuid: string;
  state: string;
  reason: string | null;
  /** Null when nothing answers it. */
  piece: number | null;
  delivery: string | null;
}

const statement = `
  select question.platform_message_id, question.bot_uuid, question.state, question.reason,
    deliveries.piece, deliveries.state as delivery
  from messages as question
  left join messages as answer on answer.reply_to = question.uuid
  left join deliveries on deliveries.message_uuid = answer.uuid
  where question.direction = 'inbound'`;

/**
 * Reads the ledger from outside, so that what a service says of itself need not be believed. The service may run
 * meanwhile.
 */
export async function readLedger(place: { dataDir: string; databaseUrl: string | null }): Promise<LedgerRow[]> {
  if (place.databaseUrl === null) {
    const database = new DatabaseSync(databaseFile(place), { readOnly: true, timeout: 5000 });
    try {
      return database.prepare(statement).all() as unknown as LedgerRow[];
    } finally {
      database.close();
    }
  }
  const client = new Client({ connectionString: place.databaseUrl });
  await client.connect();
  try {
    return (await client.query<LedgerRow>(statement)).rows;
  } finally {
    await client.end();
  }
}
