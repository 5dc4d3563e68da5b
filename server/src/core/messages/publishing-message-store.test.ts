import { afterEach, beforeEach, expect, it } from 'vitest';
import { conversationKey, messageEvent, plain } from '../../../test/stores/ledger-records.ts';
import { answered, answerOf, noRecord, sent } from '../../../test/stores/ledger-steps.ts';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import { openMessageStore } from '../../storage/messages/open-message-store.ts';
import type { Storage } from '../../storage/storage.ts';
import type { StateChange } from '../events/state-events.ts';
import type { Message } from './message.ts';
import type { MessageOutcome } from './message-store.ts';
import { PublishingMessageStore } from './publishing-message-store.ts';

let storage: Storage;
let store: PublishingMessageStore;
let changes: StateChange[];
beforeEach(async () => {
  storage = await openTestStorage('sqlite');
  changes = [];
  const publish = (change: StateChange) => void changes.push(change);
  store = new PublishingMessageStore(await openMessageStore(storage), { publish });
});
afterEach(() => storage.close());

const states = () => changes.map(({ data }) => `${data.direction} ${data.state} ${data.reason}`);
async function claimed() {
  const message = await store.claim([]);
  if (message === null) throw new Error('no message was waiting');
  return message;
}
const end = (message: Message, outcome: MessageOutcome, merged: string[] = []) =>
  store.settle(message, outcome, { answer: null, merged, record: noRecord });

it('publishes the states of a message from its arrival to its answer, without its text', async () => {
  const key = conversationKey();
  const event = messageEvent('a secret text');
  const receipt = await store.accept(key, event);
  expect((await store.accept(key, event)).outcome).toBe('repeated');
  const message = await claimed();
  await store.beginAnswer(message);
  const { message: answer } = await store.finishAnswer(message, answerOf(['a secret', 'answer']), noRecord);
  await store.settleDelivery(answer.uuid, 0, sent);
  await store.settle(message, answered, {
    answer: { uuid: answer.uuid, piece: 1, delivery: sent },
    merged: [],
    record: null,
  });
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

it('publishes each message of a batch once', async () => {
  const [one, two] = [messageEvent('one'), messageEvent('two', { session_id: 'bob' })];
  const other = conversationKey({ session_id: 'bob' });
  const arrivals = [
    { key: conversationKey(), event: one },
    { key: other, event: two },
    { key: conversationKey(), event: one },
  ];
  const receipts = await store.acceptAll(arrivals);
  await store.acceptAll(arrivals);
  expect(states()).toEqual(['inbound received null', 'inbound received null']);
  expect(changes.map(({ data }) => data.uuid)).toEqual([receipts[0]?.uuid, receipts[1]?.uuid]);
});

it('publishes messages that are stopped while they wait', async () => {
  const { uuid, conversation_uuid } = await store.accept(conversationKey(), messageEvent('one'));
  await store.accept(conversationKey(), messageEvent('two'));
  changes.length = 0;
  await store.stopWaiting(conversation_uuid, 2, 'reset');
  const { bot_uuid } = conversationKey();
  const data = { uuid, bot_uuid, conversation_uuid, direction: 'inbound', state: 'stopped', reason: 'reset' };
  expect(changes).toEqual([{ type: 'message', data }]);
});

it('publishes messages that are stopped, fail, or wait again, with the reason', async () => {
  await store.accept(conversationKey(), messageEvent('one'));
  await store.release((await claimed()).uuid, null);
  await store.release((await claimed()).uuid, { until: '2026-01-01T00:00:00.000Z', reason: 'rate_limited' });
  await end(await claimed(), { state: 'stopped', reason: 'no_pipeline' });
  await store.accept(conversationKey(), messageEvent('two'));
  const message = await claimed();
  const { message: answer } = await store.finishAnswer(message, answerOf('Hi'), noRecord);
  const delivery = { state: 'failed', reason: 'quota', error: 'too many', platform_message_id: null } as const;
  await store.settle(
    message,
    { state: 'failed', reason: 'quota' },
    { answer: { uuid: answer.uuid, piece: 0, delivery }, merged: [], record: null },
  );
  expect(states()).toEqual([
    'inbound received null',
    'inbound processing null',
    'inbound received null',
    'inbound processing null',
    'inbound received rate_limited',
    'inbound processing null',
    'inbound stopped no_pipeline',
    'inbound received null',
    'inbound processing null',
    'outbound failed quota',
    'inbound failed quota',
  ]);
});

it('publishes messages that end together with the one before them', async () => {
  for (const text of ['one', 'two', 'three']) await store.accept(conversationKey(), messageEvent(text));
  const first = await claimed();
  const [second] = await store.waitingBehind(first, 1);
  changes = [];
  await store.finishAnswer(first, answerOf('Hi', { merged: [second?.uuid ?? ''] }), noRecord);
  expect(changes).toHaveLength(1);
  expect(changes[0]?.data).toMatchObject({ uuid: second?.uuid, state: 'stopped', reason: 'merged' });
  const [third] = await store.waitingBehind(first, 1);
  await end(first, { state: 'stopped', reason: 'ignored' }, [third?.uuid ?? '']);
  expect(states()).toEqual(['inbound stopped merged', 'inbound stopped merged', 'inbound stopped ignored']);
  expect(await store.claim([])).toBeNull();
});

it('publishes unsolicited messages', async () => {
  const first = await store.createOutgoing(conversationKey(), plain('one'), 'one');
  await store.settleDelivery(first.uuid, 0, sent);
  const second = await store.createOutgoing(conversationKey(), plain('two'), 'two');
  await store.settleDelivery(second.uuid, 0, {
    state: 'failed',
    reason: 'unknown_target',
    error: 'no such user',
    platform_message_id: null,
  });
  expect(states()).toEqual([
    'outbound sending null',
    'outbound sent null',
    'outbound sending null',
    'outbound failed unknown_target',
  ]);
});

it('publishes nothing while the store fails, and everything after a retry', async () => {
  await store.accept(conversationKey(), messageEvent('one'));
  const message = await claimed();
  changes = [];
  const breakIt = storage.database.schema.alterTable('messages').renameTo('elsewhere');
  await breakIt.execute();
  const settle = () => end(message, answered);
  await expect(settle()).rejects.toThrow();
  await expect(store.accept(conversationKey(), messageEvent('two'))).rejects.toThrow();
  expect(changes).toEqual([]);
  await storage.database.schema.alterTable('elsewhere').renameTo('messages').execute();
  await settle();
  expect(states()).toEqual(['inbound answered answered']);
});
