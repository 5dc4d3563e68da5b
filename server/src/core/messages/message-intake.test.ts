import { afterEach, beforeEach, expect, it } from 'vitest';
import { type LedgerFixture, openLedgerFixture, recordingPlatform } from '../../../test/stores/ledger-fixture.ts';
import { conversationKey, messageEvent } from '../../../test/stores/ledger-records.ts';
import { newUuid } from '../../lib/uuid.ts';
import { MessageIntake } from './message-intake.ts';

let fixture: LedgerFixture;
let intake: MessageIntake;
let woken: number;
beforeEach(async () => {
  fixture = await openLedgerFixture(recordingPlatform());
  woken = 0;
  intake = new MessageIntake(fixture.store, fixture.bots, () => {
    woken += 1;
  });
});
afterEach(() => fixture.close());

it('stores a message for the pipeline of its bot and wakes the queue, once', async () => {
  const event = messageEvent('Hello', { thread_id: 'topic' });
  const receipt = await intake.receive(fixture.botUuid, event);
  expect(receipt).toMatchObject({ outcome: 'accepted', sequence: 1 });
  expect(woken).toBe(1);
  expect(await intake.receive(fixture.botUuid, event)).toEqual({ ...receipt, outcome: 'repeated' });
  expect(woken).toBe(1);
  const key = conversationKey({ bot_uuid: fixture.botUuid, pipeline_uuid: fixture.pipelineUuid, thread_id: 'topic' });
  expect(await fixture.store.currentConversation(key)).not.toBeNull();
});

it('stores a message for the pipeline that it asks for', async () => {
  await intake.receive(fixture.botUuid, messageEvent('Hello', { pipeline_uuid: 'another' }));
  expect(await fixture.store.claim([])).toMatchObject({ pipeline_uuid: 'another' });
});

it('refuses what is for no bot, for one that is switched off, or comes during a stop', async () => {
  await expect(intake.receive(newUuid(), messageEvent('a'))).rejects.toMatchObject({ reason: 'not_found' });
  await fixture.storage.database.updateTable('bots').set({ enable: 0 }).execute();
  await expect(intake.receive(fixture.botUuid, messageEvent('a'))).rejects.toMatchObject({ reason: 'bot_disabled' });
  intake.close();
  await expect(intake.receive(fixture.botUuid, messageEvent('a'))).rejects.toMatchObject({ reason: 'not_ready' });
  expect(await fixture.store.claim([])).toBeNull();
  expect(woken).toBe(0);
});
