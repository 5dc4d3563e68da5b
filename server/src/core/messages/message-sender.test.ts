import { ParleyError } from '@parley/sdk';
import { type FakePlatformContext, fakePlatformContext, silentLogger } from '@parley/sdk/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { heldHere } from '../../../test/factories/held-here.ts';
import { type LedgerFixture, openLedgerFixture, recordingPlatform } from '../../../test/stores/ledger-fixture.ts';
import { plain } from '../../../test/stores/ledger-records.ts';
import { newUuid } from '../../lib/uuid.ts';
import { MessageSender, type MessageSenderOptions } from './message-sender.ts';

const platform = recordingPlatform();
let fixture: LedgerFixture;
let options: MessageSenderOptions;
let sender: MessageSender;
let media: FakePlatformContext;
beforeEach(async () => {
  platform.sent.length = 0;
  media = fakePlatformContext();
  platform.refuse = () => undefined;
  fixture = await openLedgerFixture(platform);
  const { botService: bots, runtime, holds } = fixture;
  options = {
    holders: heldHere,
    events: fixture.messageEvents,
    bots,
    runtime,
    holds,
    assertOwned: () => undefined,
    storeMedia: (name, content) => media.storeMedia(name, content),
    logger: silentLogger,
  };
  sender = new MessageSender(fixture.ledger.deliveries, options);
});
afterEach(() => fixture.close());

const delivery = () => fixture.storage.database.selectFrom('deliveries').selectAll().executeTakeFirst();
const stored = () => fixture.storage.database.selectFrom('messages').selectAll().execute();

it('has the replica send that holds the bot, once', async () => {
  const calls: unknown[] = [];
  const there = sender;
  const here = new MessageSender(fixture.ledger.deliveries, {
    ...options,
    holders: {
      other: () => 'holder',
      call: async (replica, name, payload, principal) => {
        calls.push({ replica, name, principal });
        // What arrives is text.
        const sent = JSON.parse(JSON.stringify(payload)) as { message_chain: unknown };
        await there.sendHere(fixture.botUuid, 'group', 'friends', sent.message_chain);
        return null;
      },
    },
  });
  const principal = { kind: 'api-key', id: '7' } as const;
  await here.send(fixture.botUuid, 'group', 'friends', plain('News'), principal);
  expect(calls).toEqual([{ replica: 'holder', name: 'send_message', principal }]);
  expect(platform.sent).toMatchObject([{ message_chain: plain('News') }]);
  expect(await stored()).toHaveLength(1);
});

it('stores a message, sends it and stores that it was sent', async () => {
  await sender.send(fixture.botUuid.toUpperCase(), 'group', 'friends', plain('News'));
  expect(platform.sent).toMatchObject([
    {
      sequence: 1,
      message_chain: plain('News'),
      target: { session_type: 'group', session_id: 'friends', thread_id: '', pipeline_uuid: fixture.pipelineUuid },
    },
  ]);
  const [row] = await stored();
  expect(row).toMatchObject({ uuid: platform.sent[0]?.uuid, direction: 'outbound', state: 'finished', text: 'News' });
  expect(await delivery()).toMatchObject({ message_uuid: row?.uuid, state: 'sent' });
  expect(fixture.published).toEqual(['outbound sending null', 'outbound sent null']);
});

it('sends into the thread that the platform reads from the target, and stores it there', async () => {
  platform.implementation.parseTarget = (sessionType, targetId) => {
    const [session_id = '', thread_id = ''] = targetId.split('#');
    if (session_id === '') throw new ParleyError('invalid_request', 'no chat');
    return { session_id: `${sessionType}-${session_id}`, thread_id };
  };
  try {
    await sender.send(fixture.botUuid, 'group', 'friends#7', plain('News'));
    await expect(sender.send(fixture.botUuid, 'group', '#7', plain('News'))).rejects.toThrow('no chat');
  } finally {
    delete platform.implementation.parseTarget;
  }
  const place = { session_type: 'group', session_id: 'group-friends', thread_id: '7' };
  expect(platform.sent).toMatchObject([{ target: place }]);
  const conversations = await fixture.storage.database.selectFrom('conversations').selectAll().execute();
  expect(conversations).toMatchObject([place]);
});

it('publishes why a message could not be sent', async () => {
  platform.refuse = () => {
    throw new ParleyError('unknown_target', 'no such user');
  };
  await expect(sender.send(fixture.botUuid, 'person', 'ada', plain('News'))).rejects.toThrow('no such user');
  expect(fixture.published).toEqual(['outbound sending null', 'outbound failed unknown_target']);
});

it('stores content that comes as base64 as a file, and never in the ledger', async () => {
  platform.capabilities.elements = ['Plain', 'File'];
  const base64 = Buffer.alloc(2_000_000, 'content').toString('base64');
  try {
    await sender.send(fixture.botUuid, 'person', 'ada', [{ type: 'File', name: 'a.bin', base64 }]);
  } finally {
    platform.capabilities.elements = ['Plain', 'At'];
  }
  const chain = [{ type: 'File', name: 'a.bin', path: 'media-1', size: 2_000_000 }];
  expect(platform.sent).toMatchObject([{ message_chain: chain }]);
  expect(media.media.get('media-1')?.bytes).toHaveLength(2_000_000);
  const rows = [await stored(), await fixture.storage.database.selectFrom('deliveries').selectAll().execute()];
  expect(JSON.stringify(rows).length).toBeLessThan(5000);
});

it('stores neither file nor message for an unsupported element or invalid base64', async () => {
  const picture = { type: 'Image', base64: 'AAAA' };
  await expect(sender.send(fixture.botUuid, 'person', 'ada', [picture])).rejects.toMatchObject({
    reason: 'unsupported_element',
  });
  const quote = { type: 'Quote', origin: [{ type: 'Image', base64: 'no!' }] };
  platform.capabilities.elements = ['Plain', 'Quote'];
  try {
    await expect(sender.send(fixture.botUuid, 'person', 'ada', [quote])).rejects.toMatchObject({
      details: [{ path: 'message_chain[0].origin[0].base64' }],
    });
  } finally {
    platform.capabilities.elements = ['Plain', 'At'];
  }
  expect([media.media.size, await stored()]).toEqual([0, []]);
});

it.each<[string, Error, string, string]>([
  ['the reason of the platform', new ParleyError('unknown_target', 'No such user'), 'unknown_target', 'No such user'],
])('stores and reports %s', async (_, failure, reason, message) => {
  platform.refuse = () => {
    throw failure;
  };
  await expect(sender.send(fixture.botUuid, 'person', 'ada', plain('News'))).rejects.toMatchObject({ reason, message });
  expect(await delivery()).toMatchObject({ state: 'failed', reason, error: message });
  const entry = {
    level: 'error',
    code: 'delivery_failed',
    reason,
    text: `A message was not delivered: ${message}`,
    message_session_id: 'person_ada',
  };
  expect(fixture.events.at(-1)).toEqual([fixture.botUuid, entry]);
});

it.each<[string, unknown, string, string | undefined]>([
  ['an invalid chain', 'text', 'invalid_request', 'message_chain'],
  ['an empty chain', [], 'invalid_request', 'message_chain'],
  ['a broken element', [...plain('a'), { type: 'Plain' }], 'invalid_request', 'message_chain[1].text'],
  [
    'an unsupported element',
    [...plain('a'), { type: 'Image', url: 'http://example.com/a.png' }],
    'unsupported_element',
    'message_chain[1].type',
  ],
])('refuses %s and stores nothing', async (_, chain, reason, path) => {
  const failure = await sender.send(fixture.botUuid, 'person', 'ada', chain).catch((error: ParleyError) => error);
  expect(failure).toMatchObject({ reason, details: [expect.objectContaining({ path })] });
  expect(await stored()).toEqual([]);
});

it('refuses a bot that is unknown, switched off or not running', async () => {
  for (const uuid of [newUuid(), 'no uuid', '']) {
    await expect(sender.send(uuid, 'person', 'ada', plain('a'))).rejects.toMatchObject({ reason: 'not_found' });
  }
  await fixture.runtime.stop();
  await expect(sender.send(fixture.botUuid, 'person', 'ada', plain('a'))).rejects.toMatchObject({
    reason: 'bot_not_running',
  });
  await fixture.storage.database.updateTable('bots').set({ enable: 0 }).execute();
  await expect(sender.send(fixture.botUuid, 'person', 'ada', plain('a'))).rejects.toMatchObject({
    reason: 'bot_disabled',
  });
  expect(await stored()).toEqual([]);
});
