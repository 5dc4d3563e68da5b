import { afterEach, beforeEach, expect, it } from 'vitest';
import { conversationKey, messageEvent, plain } from '../../../test/stores/ledger-records.ts';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import { KyselyMessageStore } from '../../storage/messages/kysely-message-store.ts';
import type { Storage } from '../../storage/storage.ts';
import type { StateChange } from '../events/state-events.ts';
import { PublishedMessages } from './published-messages.ts';

let storage: Storage;
let store: PublishedMessages;
let changes: StateChange[];
beforeEach(async () => {
  storage = await openTestStorage('sqlite');
  changes = [];
  const publish = (change: StateChange) => void changes.push(change);
  store = new PublishedMessages(new KyselyMessageStore(storage.database, storage.engine), { publish });
});
afterEach(() => storage.close());

const sent = { state: 'sent', reason: null, error: null } as const;
const states = () => changes.map(({ data }) => `${data.direction} ${data.state} ${data.reason}`);
async function claimed() {
  const message = await store.claim([]);
  if (message === null) throw new Error('nothing was waiting');
  return message;
}

it('tells of a message from its arrival to its answer, without what was said', async () => {
  const key = conversationKey();
  const event = messageEvent('a secret text');
  const receipt = await store.accept(key, event);
  expect((await store.accept(key, event)).outcome).toBe('repeated');
  const message = await claimed();
  const answer = await store.beginAnswer(message);
  await store.finishAnswer(answer.uuid, plain('a secret answer'), 'a secret answer', 'finished');
  await store.settle(message.uuid, { state: 'answered', reason: 'answered' }, { uuid: answer.uuid, delivery: sent });
  const { bot_uuid } = key;
  const { uuid, conversation_uuid } = receipt;
  const inbound = { uuid, bot_uuid, conversation_uuid, direction: 'inbound' };
  expect(message.conversation_uuid).toBe(conversation_uuid);
  expect(changes).toEqual([
    { type: 'message', data: { ...inbound, state: 'received', reason: null } },
    { type: 'message', data: { ...inbound, state: 'processing', reason: null } },
    {
      type: 'message',
      data: { uuid: answer.uuid, bot_uuid, conversation_uuid, direction: 'outbound', state: 'sent', reason: null },
    },
    { type: 'message', data: { ...inbound, state: 'answered', reason: 'answered' } },
  ]);
  expect(JSON.stringify(changes)).not.toContain('secret');
});

it('tells of messages that are stopped, fail or wait again', async () => {
  await store.accept(conversationKey(), messageEvent('one'));
  await store.release((await claimed()).uuid);
  await store.settle((await claimed()).uuid, { state: 'stopped', reason: 'no_pipeline' }, null);
  await store.accept(conversationKey(), messageEvent('two'));
  const message = await claimed();
  const answer = await store.beginAnswer(message);
  const delivery = { state: 'failed', reason: 'quota', error: 'too many' } as const;
  await store.settle(message.uuid, { state: 'failed', reason: 'quota' }, { uuid: answer.uuid, delivery });
  expect(states()).toEqual([
    'inbound received null',
    'inbound processing null',
    'inbound received null',
    'inbound processing null',
    'inbound stopped no_pipeline',
    'inbound received null',
    'inbound processing null',
    'outbound failed quota',
    'inbound failed quota',
  ]);
});

it('tells of messages that are sent unasked', async () => {
  const first = await store.createOutgoing(conversationKey(), plain('one'), 'one');
  await store.settleDelivery(first.uuid, sent);
  const second = await store.createOutgoing(conversationKey(), plain('two'), 'two');
  await store.settleDelivery(second.uuid, { state: 'failed', reason: 'unknown_target', error: 'nobody' });
  expect(states()).toEqual([
    'outbound sending null',
    'outbound sent null',
    'outbound sending null',
    'outbound failed unknown_target',
  ]);
});

it('tells nothing of what could not be stored, and all of it when that works after all', async () => {
  await store.accept(conversationKey(), messageEvent('one'));
  const message = await claimed();
  changes = [];
  const breakIt = storage.database.schema.alterTable('messages').renameTo('elsewhere');
  await breakIt.execute();
  const settle = () => store.settle(message.uuid, { state: 'answered', reason: 'answered' }, null);
  await expect(settle()).rejects.toThrow();
  await expect(store.accept(conversationKey(), messageEvent('two'))).rejects.toThrow();
  expect(changes).toEqual([]);
  await storage.database.schema.alterTable('elsewhere').renameTo('messages').execute();
  await settle();
  expect(states()).toEqual(['inbound answered answered']);
});
