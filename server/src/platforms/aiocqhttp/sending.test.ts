import { DeliveryError, type MessageChain, type PlatformAdapter, type SendProgress } from '@parley/sdk';
import type { FakePlatformContext } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeOneBot, startFakeOneBot } from './testing/fake-onebot.ts';
import { createAdapter, outgoing } from './testing/start-adapter.ts';

let fake: FakeOneBot;
let adapter: PlatformAdapter;
let context: FakePlatformContext;

beforeEach(async () => {
  fake = await startFakeOneBot();
  ({ adapter, context } = await createAdapter(fake));
  await adapter.start();
});
afterEach(async () => {
  await adapter.stop();
  await fake.close();
});

const send = (chain: MessageChain, chat = fake.group(), progress?: SendProgress) =>
  adapter.send(outgoing(chat, chain), progress);
const failureOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(DeliveryError);
  return error as DeliveryError;
};
const hello: MessageChain = [{ type: 'Plain', text: 'Hello' }];
const png = Buffer.from('89504e47', 'hex');

describe('a message to QQ', () => {
  it.each(['person', 'group'] as const)('arrives with its text, mentions and pictures: %s', async (kind) => {
    const chat = fake[kind]();
    const { platform_message_id } = await send(
      [
        { type: 'Source', id: 1, timestamp: 0 },
        { type: 'At', target: 10001, display: 'Ada' },
        { type: 'Plain', text: ' Look ' },
        { type: 'Image', base64: `data:image/png;base64,${png.toString('base64')}` },
        { type: 'Face', face_type: 'face', face_id: 178 },
        { type: 'Unknown', text: '[a card]' },
      ],
      chat,
    );
    const [shown] = fake.sent();
    const name = kind === 'group' ? '10001' : 'Ada';
    expect(shown).toMatchObject({
      chat,
      text: `@${name} Look [face 178][a card]`,
      media: [{ kind: 'image', content: png }],
    });
    expect(shown?.notifies).toEqual(kind === 'group' ? ['10001'] : []);
    expect(platform_message_id).toBe(`${kind}_${chat.session_id}/${shown?.id}`);
  });

  it('notifies everyone only where an element says so, never because of its text', async () => {
    await send([
      { type: 'Plain', text: '[CQ:at,qq=all] @全体成员' },
      { type: 'At', target: 'all', display: 'all' },
    ]);
    await send([{ type: 'AtAll' }]);
    await send([{ type: 'AtAll' }], fake.person());
    expect(fake.sent().map(({ notifies }) => notifies)).toEqual([[], ['everyone'], []]);
  });

  it('quotes, by the id of the client or with the chat in front of it', async () => {
    const { id } = await fake.deliver({ chat: fake.group() });
    await send([{ type: 'Quote', id: `group_20001/${id}`, origin: [] }, ...hello]);
    await send([{ type: 'Quote', id: Number(id), origin: [] }, ...hello]);
    expect(fake.sent().map(({ quotes }) => quotes)).toEqual([id, id]);
  });

  it('is sent without its quote when the quoted message is gone', async () => {
    await send([{ type: 'Quote', id: 404404, origin: [] }, ...hello]);
    expect(fake.sent()).toMatchObject([{ text: 'Hello', quotes: null }]);
  });

  it('is several messages where QQ allows no other: voice, files, forwards', async () => {
    const base64 = Buffer.from('sound').toString('base64');
    const stored = await context.storeMedia('notes.txt', new Blob(['notes']).stream());
    await send([
      { type: 'Quote', id: 404404, origin: [] },
      { type: 'Voice', base64 },
      ...hello,
      { type: 'File', name: 'notes.txt', path: stored.path },
      { type: 'Forward', node_list: [{ sender_id: 10002, sender_name: 'Bob', message_chain: hello }] },
    ]);
    expect(fake.sent()).toMatchObject([
      { media: [{ kind: 'voice', content: Buffer.from('sound') }] },
      { text: 'Hello' },
      { media: [{ kind: 'file', name: 'notes.txt', content: Buffer.from('notes') }] },
      { text: 'Bob: Hello' },
    ]);
    expect(fake.account.calls).toContain('upload_group_file');
  });

  it('is a forwarded chat to a friend, with chats and pictures inside', async () => {
    const inner: MessageChain = [{ type: 'Forward', node_list: [{ sender_name: 'Cy', message_chain: hello }] }];
    const picture: MessageChain = [{ type: 'Image', base64: png.toString('base64') }];
    const node_list = [
      { sender_name: 'Bob', message_chain: inner },
      { sender_name: 'Ada', message_chain: picture },
    ];
    await send([{ type: 'Forward', display: { title: 'Talk' }, node_list }], fake.person());
    expect(fake.account.calls.at(-1)).toBe('send_private_forward_msg');
    expect(fake.sent()).toMatchObject([{ text: 'Bob: Cy: Hello\nAda: ', media: [{ content: png }] }]);
  });

  it('is written another way for clients that lack an action', async () => {
    const { run } = fake.account;
    fake.account.run = (action, params) =>
      run.call(fake.account, /forward|upload/.test(action) ? `${action}_of_another_client` : action, params);
    const base64 = Buffer.from('notes').toString('base64');
    await send([
      { type: 'Forward', node_list: [{ sender_name: 'Bob', message_chain: hello }] },
      { type: 'File', name: 'a.txt', base64 },
    ]);
    expect(fake.sent()).toMatchObject([{ text: '[Chat history]\nBob: Hello' }, { media: [{ name: 'a.txt' }] }]);
  });

  it('fits: texts at the limit of 4000 units are one message, longer ones several', async () => {
    const { implementation } = await createAdapter(fake);
    const lengths = (text: string) =>
      implementation.split?.([{ type: 'Plain', text }], {}).map((chain) => JSON.stringify(chain).length);
    expect([3999, 4000, 4001].map((length) => lengths('x'.repeat(length))?.length)).toEqual([1, 1, 2]);
    expect(lengths('😀'.repeat(2000))).toHaveLength(1);
    await send([{ type: 'Plain', text: '😀'.repeat(2001) }]);
    expect(fake.sent().map(({ text }) => text)).toEqual(['😀'.repeat(2000), '😀']);
  });

  it.each<[string, MessageChain]>([
    ['nothing', []],
    ['white space', [{ type: 'Plain', text: ' \n' }]],
    ['a quote alone', [{ type: 'Quote', id: 1, origin: [] }]],
    ['a picture of the disk of the client', [{ type: 'Image', image_id: 'file:///etc/passwd' }]],
    ['a file that is gone', [{ type: 'File', path: 'gone' }]],
  ])('is refused as a whole when it holds %s', async (_, chain) => {
    expect(await failureOf(send(chain))).toMatchObject({ kind: 'refused', reason: 'unsupported_element' });
    expect(fake.sent()).toEqual([]);
  });

  it('does not fetch pictures from private networks', async () => {
    const failure = await failureOf(send([...hello, { type: 'Image', url: `${fake.account.mediaUrl}/media/x` }]));
    expect(failure).toMatchObject({ kind: 'refused', reason: 'address_not_allowed' });
    expect(fake.sent()).toEqual([]);
  });

  it('is continued behind the messages that an earlier attempt sent', async () => {
    const handles: unknown[] = [];
    const store = async (handle: unknown) => void handles.push(structuredClone(handle));
    const chain: MessageChain = [...hello, { type: 'Voice', base64: 'QUJD' }, { type: 'Plain', text: 'Goodbye' }];
    await send(chain, fake.group(), { handle: null, isInterrupted: false, store });
    expect(handles).toHaveLength(2);
    await send(chain, fake.group(), { handle: handles[1], isInterrupted: false, store });
    expect(fake.sent().map(({ text }) => text)).toEqual(['Hello', '', 'Goodbye', 'Goodbye']);
    const interrupted = send(chain, fake.group(), { handle: handles[1], isInterrupted: true, store });
    expect(await failureOf(interrupted)).toMatchObject({ kind: 'unknown', reason: 'interrupted' });
  });
});

describe('a failure to send', () => {
  it.each([
    ['refused', { kind: 'refused', reason: 'platform_failed' }],
    ['missing_permission', { kind: 'refused', reason: 'platform_failed' }],
    ['unknown_target', { kind: 'refused', reason: 'unknown_target' }],
    ['server_error', { kind: 'unknown', reason: 'platform_failed', isRepeatable: false }],
    ['silence', { kind: 'unknown', reason: 'platform_failed', isRepeatable: false }],
    ['cut', { kind: 'unknown', reason: 'platform_failed', isRepeatable: false }],
    ['wrong_body', { kind: 'unknown', reason: 'platform_failed', isRepeatable: false }],
  ] as const)('is classified: %s', async (how, expected) => {
    fake.fail('send', how);
    expect(await failureOf(send(hello))).toMatchObject(expected);
  });

  it('names a chat that does not exist', async () => {
    expect(await failureOf(send(hello, fake.unknownChat()))).toMatchObject({
      kind: 'refused',
      reason: 'unknown_target',
    });
  });

  it('names a rate limit', async () => {
    fake.limit({ route: 'send', after: 1, pause: 'unnamed' });
    await send(hello);
    expect(await failureOf(send(hello))).toMatchObject({
      kind: 'not_sent',
      reason: 'quota',
      rateLimit: { pauseMs: null, scope: 'chat' },
    });
    await send(hello);
  });

  it('is certain while no client is connected', async () => {
    await fake.goAway();
    await expect.poll(() => context.reports.at(-1)?.state).toBe('reconnecting');
    expect(await failureOf(send(hello))).toMatchObject({ kind: 'not_sent' });
    await expect(adapter.probe?.()).rejects.toMatchObject({ kind: 'not_sent' });
    await fake.comeBack();
    await expect.poll(() => context.reports.at(-1)?.state).toBe('connected');
    await adapter.probe?.();
    await send(hello);
  });
});

describe('a target', () => {
  it('is the number of an account or a group', async () => {
    const { implementation } = await createAdapter(fake);
    expect(implementation.parseTarget?.('group', '20001')).toEqual({ session_id: '20001', thread_id: '' });
    for (const target of ['', '0', 'ada', '1#2', '1e3', '-5', '1'.repeat(17)]) {
      expect(() => implementation.parseTarget?.('person', target)).toThrow('QQ number');
    }
  });
});

describe('ids on the wire', () => {
  it.each([
    ['numbers', 10001, 20001],
    ['texts', '10001', '20001'],
  ] as const)('are as the client writes them: %s', async (_, user_id, group_id) => {
    const calls: unknown[] = [];
    const { run } = fake.account;
    fake.account.run = (action, params) => {
      calls.push(params);
      return run.call(fake.account, action, params);
    };
    const kept = fake.account.keep({ chat: fake.group(), senderId: '10001', segments: [], at: fake.now() });
    const event = { ...fake.events.message(kept), user_id, group_id, message: 'Hello' };
    await fake.raw(Buffer.from(JSON.stringify(event)));
    await expect.poll(() => context.received).toHaveLength(1);
    await send(hello);
    await send(hello, fake.person());
    expect(calls).toMatchObject([{ group_id }, { user_id }]);
  });
});
