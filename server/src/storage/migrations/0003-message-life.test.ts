import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { claimOne } from '../../../test/stores/claim-one.ts';
import { engines } from '../../../test/stores/each-engine.ts';
import { conversationKey, plain } from '../../../test/stores/ledger-records.ts';
import { makeStoragePlace } from '../../../test/stores/open-test-storage.ts';
import type { Database } from '../database.ts';
import { openLedger } from '../messages/open-ledger.ts';
import { openPostgres } from '../postgres-database.ts';
import { openSqlite } from '../sqlite-database.ts';
import { openStorage } from '../storage.ts';
import { foundation } from './0001-foundation.ts';
import { resourcesMigration } from './0002-resources.ts';
import { migrate } from './migrate.ts';

const conversationUuid = '00000000-0000-7000-8000-00000000d001';
const timestamp = '2026-01-01T00:00:00.000Z';

/** The ledger as the version before left it when it died. */
async function insertLedger(database: Database): Promise<void> {
  const { bot_uuid, pipeline_uuid } = conversationKey();
  await sql`insert into conversations values
    (${conversationUuid}, ${bot_uuid}, ${pipeline_uuid}, 'person', 'ada', '', 1, 5, ${timestamp}, ${timestamp})`.execute(
    database,
  );
  const messages: [uuid: string, replyTo: string | null, sequence: number, state: string, text: string][] = [
    ['00000000-0000-7000-8000-000000000001', null, 1, 'answered', 'one'],
    ['00000000-0000-7000-8000-000000000002', '00000000-0000-7000-8000-000000000001', 2, 'finished', 'answer to one'],
    ['00000000-0000-7000-8000-000000000003', null, 3, 'processing', 'two'],
    ['00000000-0000-7000-8000-000000000004', '00000000-0000-7000-8000-000000000003', 4, 'writing', ''],
    ['00000000-0000-7000-8000-000000000005', null, 5, 'received', 'three'],
  ];
  for (const [uuid, replyTo, sequence, state, text] of messages) {
    const direction = replyTo === null ? 'inbound' : 'outbound';
    const reason = state === 'answered' ? 'answered' : null;
    await sql`insert into messages (uuid, bot_uuid, conversation_uuid, direction, platform_message_id, reply_to, sequence,
      sender_id, sender_name, message_chain, text, state, reason, created_at) values (${uuid}, ${bot_uuid}, ${conversationUuid},
      ${direction}, ${replyTo === null ? uuid : null}, ${replyTo}, ${sequence}, 'ada', 'Ada', ${JSON.stringify(plain(text))},
      ${text}, ${state}, ${reason}, ${timestamp})`.execute(database);
  }
  for (const [uuid, state, reason] of [
    ['00000000-0000-7000-8000-000000000002', 'failed', 'quota'],
    ['00000000-0000-7000-8000-000000000004', 'pending', null],
  ]) {
    await sql`insert into deliveries values (${uuid}, ${state}, ${reason}, null, ${timestamp}, ${timestamp})`.execute(
      database,
    );
  }
}

it.each(engines)('goes on with the messages of the version before, on %s', async (engine) => {
  const place = await makeStoragePlace(engine);
  const earlier =
    place.databaseUrl === null ? openSqlite(join(place.dataDir, 'parley.db')) : await openPostgres(place.databaseUrl);
  try {
    await migrate(earlier, engine, [foundation, resourcesMigration]);
    await insertLedger(earlier);
  } finally {
    await earlier.destroy();
  }
  const storage = await openStorage(place);
  try {
    expect(storage.migrated[0]).toBe('0003-message-life');
    const ledger = await openLedger(storage);
    const answer = await ledger.deliveries.answerTo('00000000-0000-7000-8000-000000000001');
    expect(answer).toMatchObject({
      message: { text: 'answer to one', facts: {}, attempts: 0, merged_into: null },
      deliveries: [
        {
          piece: 0,
          state: 'failed',
          reason: 'quota',
          message_chain: plain('answer to one'),
          idempotency_token: '00000000-0000-7000-8000-000000000002',
          platform_message_id: null,
        },
      ],
      outcome: { state: 'answered', reason: 'answered' },
    });
    expect(await ledger.messages.recover()).toEqual({ messages: 1, deliveries: 0 });
    const message = await claimOne(ledger.messages, []);
    expect(message).toMatchObject({ text: 'two', attempts: 1, facts: {} });
    if (message === null) throw new Error('nothing was waiting');
    expect((await ledger.messages.waitingBehind(message, 10)).map(({ text }) => text)).toEqual(['three']);
    const before = await ledger.history.before(conversationUuid, message.sequence, 10);
    expect(before.map(({ text }) => text)).toEqual(['one', 'answer to one']);
    expect((await ledger.deliveries.beginAnswer(message)).uuid).toBe('00000000-0000-7000-8000-000000000004');
    // A foreign key that still named the former table would fail here.
    await storage.database.deleteFrom('messages').execute();
    expect(await storage.database.selectFrom('deliveries').selectAll().execute()).toEqual([]);
  } finally {
    await storage.close();
    await place.remove();
  }
});
