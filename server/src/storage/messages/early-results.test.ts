import { afterEach, expect, it, vi } from 'vitest';
import { claimOne } from '../../../test/stores/claim-one.ts';
import { conversationKey, messageEvent } from '../../../test/stores/ledger-records.ts';
import { answered, partOf } from '../../../test/stores/ledger-steps.ts';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import type { Answer } from '../../core/messages/delivery-ledger.ts';
import type { ClaimedMessage } from '../../core/messages/message.ts';
import type { MessageRecord } from '../../core/messages/message-trace.ts';
import type { PostgresKysely } from '../postgres-database.ts';
import type { Storage } from '../storage.ts';
import { openLedger } from './open-ledger.ts';

let storage: Storage | undefined;
afterEach(() => storage?.close());

const answer: Answer = {
  pieces: [[{ type: 'Plain', text: 'one' }]],
  text: 'one',
  state: 'finished',
  outcome: answered,
  merged: [],
};
const record = { trace: { attempt: 1, steps: [] }, model_calls: [] } as unknown as MessageRecord;
const sent = { state: 'sent', reason: null, error: null, platform_message_id: null } as const;

it('stores on PostgreSQL that a part was sent before the transaction that ends its message', async () => {
  storage = await openTestStorage('postgres');
  const database = storage.database as PostgresKysely;
  const ledger = await openLedger(storage);
  await ledger.messages.accept(conversationKey(), messageEvent('one'));
  const message = (await claimOne(ledger.messages, [])) as ClaimedMessage;
  const { message: reply } = await ledger.deliveries.finishAnswer(message, answer, record);
  const states = async () => {
    const delivery = await database.reserved.selectFrom('deliveries').select('state').executeTakeFirst();
    const inbound = await database.reserved
      .selectFrom('messages')
      .select('state')
      .where('uuid', '=', message.uuid)
      .executeTakeFirst();
    return { delivery: delivery?.state, message: inbound?.state };
  };
  let settled: Promise<unknown> | undefined;
  await database.transaction().execute(async (holder) => {
    const conversation = holder
      .selectFrom('conversations')
      .select('uuid')
      .where('uuid', '=', message.conversation_uuid);
    await conversation.forUpdate().execute();
    // Others take all connections that transactions may have.
    const over = Promise.withResolvers<void>();
    const others = Array.from({ length: 40 }, () => database.transaction().execute(() => over.promise));
    const end = { answer: { uuid: reply.uuid, piece: 0, delivery: sent }, merged: [], record: null };
    settled = ledger.messages.settle(message, answered, end);
    await vi.waitFor(async () => expect(await states()).toEqual({ delivery: 'sent', message: 'processing' }));
    over.resolve();
    await Promise.all(others);
  });
  await settled;
  expect(await states()).toEqual({ delivery: 'sent', message: 'answered' });
});

it('stores on PostgreSQL where a part can be found again while transactions hold all connections', async () => {
  storage = await openTestStorage('postgres');
  const database = storage.database as PostgresKysely;
  const ledger = await openLedger(storage);
  await ledger.messages.accept(conversationKey(), messageEvent('one'));
  const message = (await claimOne(ledger.messages, [])) as ClaimedMessage;
  const reply = await ledger.deliveries.beginAnswer(message);
  const over = Promise.withResolvers<void>();
  const others = Array.from({ length: 40 }, () => database.transaction().execute(() => over.promise));
  await ledger.deliveries.storeHandle(partOf(reply.uuid, 0, message), { message_id: 7 });
  const stored = await database.reserved.selectFrom('delivery_handles').select('handle').execute();
  over.resolve();
  await Promise.all(others);
  expect(stored).toEqual([{ handle: '{"message_id":7}' }]);
});
