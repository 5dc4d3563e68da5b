import { once } from 'node:events';
import { DeliveryError, ParleyError, type PlatformAdapter, type PlatformContext } from '@parley/sdk';
import { type FakePlatformContext, fakePlatformContext, silentLogger } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { type FakeOneBot, startFakeOneBot } from './testing/fake-onebot.ts';
import { type AdapterOptions, createAdapter } from './testing/start-adapter.ts';

let fake: FakeOneBot;
let adapter: PlatformAdapter;
let context: FakePlatformContext;

async function start(options: AdapterOptions = {}): Promise<void> {
  ({ adapter, context } = await createAdapter(fake, options));
  await adapter.start();
}

beforeEach(async () => {
  fake = await startFakeOneBot();
});
afterEach(async () => {
  await adapter.stop();
  await fake.close();
});

const received = async (count = 1) => {
  await expect.poll(() => context.received.length).toBe(count);
  return context.received.at(-1) as FakePlatformContext['received'][number];
};
/** A frame of a client. */
const push = (over: object) => {
  const kept = fake.account.keep({ chat: fake.group(), senderId: fake.userId, segments: [], at: fake.now() });
  return fake.raw(Buffer.from(JSON.stringify({ ...fake.events.message(kept), ...over })));
};
const segments = async (...message: object[]) => {
  const before = context.received.length;
  await push({ message });
  return (await received(before + 1)).message_chain.slice(1);
};

describe('a message', () => {
  it('of a user has its ids as texts, and its time', async () => {
    await start();
    const { id } = await fake.deliver({ text: 'Hello', sender_name: 'Ada', sent_at: new Date(1_700_000_000_000) });
    expect(await received()).toEqual({
      platform_message_id: `person_10001/${id}`,
      session_type: 'person',
      session_id: '10001',
      sender_id: '10001',
      sender_name: 'Ada',
      message_chain: [
        { type: 'Source', id: Number(id), timestamp: 1_700_000_000 },
        { type: 'Plain', text: 'Hello' },
      ],
      sent_at: '2023-11-14T22:13:20.000Z',
    });
  });

  it('of a group names the card, the role and the title of its sender', async () => {
    await start();
    const sender = { user_id: 10001, nickname: 'Ada', card: 'Countess', role: 'admin', title: 'Engineer' };
    await push({ message: 'Hello', sender, group_name: 'Analysts' });
    expect(await received()).toMatchObject({
      session_type: 'group',
      session_id: '20001',
      sender_name: 'Countess',
      facts: { sender_permission: 'ADMINISTRATOR', special_title: 'Engineer', group_name: 'Analysts' },
    });
  });

  it('may have ids as texts, and ids above 2^31', async () => {
    await start();
    await push({ user_id: '4000000001', group_id: '5000000001', message_id: '-2147483649', message: 'Hello' });
    expect(await received()).toMatchObject({
      platform_message_id: 'group_5000000001/-2147483649',
      session_id: '5000000001',
      sender_id: '4000000001',
    });
  });

  it('is written as segments of every kind', async () => {
    await start();
    expect(
      await segments(
        { type: 'at', data: { qq: 10000, name: '@Parrot' } },
        { type: 'text', data: { text: 'a' } },
        { type: 'at', data: { qq: 'all' } },
        { type: 'face', data: { id: '178', name: '/doge' } },
        { type: 'dice', data: { result: '6' } },
        { type: 'rps', data: { result: 1 } },
        { type: 'poke', data: {} },
        { type: 'location', data: { lat: '1.5', lon: '2', title: 'Here' } },
        { type: 'share', data: { url: 'https://example.com', title: 'A page' } },
        {
          type: 'json',
          data: { data: '{"prompt":"[Card] of the day","meta":{"a":{"title":"Title","jumpUrl":"https://b"}}}' },
        },
        { type: 'xml', data: { data: '<msg brief="A &quot;song&quot;" url="https://c"/>' } },
      ),
    ).toEqual([
      { type: 'At', target: '10000', display: 'Parrot' },
      { type: 'Plain', text: 'a' },
      { type: 'AtAll' },
      { type: 'Face', face_type: 'face', face_id: 178, face_name: '/doge' },
      { type: 'Face', face_type: 'dice', face_id: 6, face_name: 'Dice' },
      { type: 'Face', face_type: 'rps', face_id: 1, face_name: 'Rock, paper, scissors' },
      { type: 'Unknown', text: '[Poke]' },
      { type: 'Unknown', text: '[Location] Here 1.5 2' },
      { type: 'Unknown', text: '[Link] A page https://example.com' },
      { type: 'Unknown', text: '[Card] [Card] of the day Title https://b' },
      { type: 'Unknown', text: '[Card] A "song" https://c' },
    ]);
    expect((await received()).facts).toMatchObject({ bot_mentions: ['everyone'] });
  });

  it('is written as a text with codes', async () => {
    await start();
    await push({
      message: '[CQ:at,qq=10000] 1 &#91;x&#93; &amp;lt; [CQ:share,title=a&#44;b,url=https://c?d=e] [CQ:face,id=1',
    });
    expect((await received()).message_chain.slice(1)).toEqual([
      { type: 'At', target: '10000', display: '' },
      { type: 'Plain', text: ' 1 [x] &lt; ' },
      { type: 'Unknown', text: '[Link] a,b https://c?d=e' },
      { type: 'Plain', text: ' [CQ:face,id=1' },
    ]);
  });

  it('of the bot itself is ignored, whatever names it', async () => {
    await start();
    await fake.deliver({ sender: 'the_bot', text: 'mine' });
    await push({ post_type: 'message_sent', message: 'mine, too' });
    await push({ self_id: 10009, message: 'of another account' });
    await fake.deliver({ text: 'of a user' });
    expect((await received()).message_chain[1]).toEqual({ type: 'Plain', text: 'of a user' });
  });

  it('keeps a segment of an unknown kind, which is logged once', async () => {
    const warn = vi.fn();
    await start({ context: { logger: { debug: vi.fn(), info: vi.fn(), warn, error: vi.fn() } as never } });
    expect(await segments({ type: 'hologram', data: {} })).toEqual([{ type: 'Unknown', text: '[hologram]' }]);
    await segments({ type: 'hologram', data: {} }, { type: '__proto__', data: {} });
    expect(warn.mock.calls.filter(([, text]) => String(text).includes('hologram'))).toHaveLength(1);
  });

  it('is stored in the order of its chat, also behind one that waits for a lookup', async () => {
    await start();
    fake.fail('any', 'silence');
    await fake.deliver({ text: 'first', quotes: '1' });
    await fake.deliver({ text: 'second' });
    await push({ message: 'elsewhere' });
    await received(3);
    expect(context.received.map(({ message_chain }) => message_chain.at(-1))).toMatchObject([
      { text: 'elsewhere' },
      { text: 'first' },
      { text: 'second' },
    ]);
  });

  it('is stored at once when the bot is stopped during a lookup', async () => {
    await start({ timing: { lookupMs: 60_000, actionMs: 60_000 } });
    fake.fail('any', 'silence');
    await fake.deliver({ text: 'Hello', quotes: '1' });
    await expect.poll(() => fake.account.calls).toContain('get_msg');
    await adapter.stop();
    expect((await received()).message_chain.slice(1)).toEqual([
      { type: 'Quote', id: '1', origin: [] },
      { type: 'Plain', text: 'Hello' },
    ]);
  });

  it('is stored as soon as that is possible, since no client repeats it', async () => {
    let failures = 3;
    await start();
    const { receive } = context;
    context.receive = async (event) => {
      failures -= 1;
      if (failures >= 0) throw new TypeError('The disk is full');
      return receive(event);
    };
    await fake.deliver({ text: 'Hello' });
    await received();
    expect(failures).toBe(-1);
  });

  it('is stored in order after the bot was disconnected, and before what its next connection receives', async () => {
    let isAway = true;
    const store = fakePlatformContext();
    const receive: PlatformContext['receive'] = async (event) => {
      if (isAway) throw new TypeError('The database is away');
      return store.receive(event);
    };
    await start({ context: { receive }, timing: { stopMs: 20 } });
    const first = { adapter, attempts: vi.spyOn(context, 'receive') };
    for (const text of ['first', 'second']) await fake.deliver({ text });
    await expect.poll(() => first.attempts.mock.calls.length).toBeGreaterThan(1);
    await adapter.stop();
    await adapter.start();
    await fake.deliver({ text: 'third' });
    const before = first.attempts.mock.calls.length;
    await expect.poll(() => first.attempts.mock.calls.length).toBeGreaterThan(before);
    isAway = false;
    const stored = () => store.received.map(({ message_chain }) => message_chain.at(-1));
    await expect.poll(() => stored().length).toBe(3);
    expect(stored()).toMatchObject([{ text: 'first' }, { text: 'second' }, { text: 'third' }]);
  });

  it('is stored before its client learns of a stop, and connects elsewhere', async () => {
    const isStored = Promise.withResolvers<void>();
    const store = fakePlatformContext();
    const receive: PlatformContext['receive'] = async (event) => {
      await isStored.promise;
      return store.receive(event);
    };
    await start({ context: { receive }, timing: { arrivedMs: 20_000 } });
    await fake.link.up();
    await fake.deliver({ text: 'Hello' });
    const stopped = adapter.stop();
    // Sent before the client knows of the stop.
    await fake.deliver({ text: 'World' });
    const [client] = fake.link.open.keys();
    for (let count = 0; count < 3 && client?.readyState === WebSocket.OPEN; count += 1) {
      client?.ping();
      await Promise.race(['pong', 'close'].map((event) => once(client as WebSocket, event)));
    }
    expect(client?.readyState).toBe(WebSocket.OPEN);
    isStored.resolve();
    await expect.poll(() => store.received.length).toBe(2);
    await stopped;
    expect(fake.connections().open).toBe(0);
  });

  it('is given up when the service stops', async () => {
    const closing = new AbortController();
    const error = vi.fn();
    const receive = vi.fn(() => Promise.reject(new TypeError('The database is away')));
    const logger = { ...silentLogger, error };
    await start({ context: { receive, logger, intakeClosed: closing.signal }, timing: { stopMs: 60_000 } });
    for (const text of ['first', 'second']) await fake.deliver({ text });
    await expect.poll(() => receive.mock.calls.length).toBeGreaterThan(1);
    closing.abort();
    await adapter.stop();
    expect(error).toHaveBeenCalledTimes(2);
  });

  it.each(['invalid_request', 'too_large'] as const)('is dropped when it is refused as %s', async (reason) => {
    let attempts = 0;
    await start();
    const { receive } = context;
    context.receive = async (event) => {
      attempts += 1;
      if (attempts === 1) throw new ParleyError(reason, 'No');
      return receive(event);
    };
    await fake.deliver({ text: 'refused' });
    await fake.deliver({ text: 'Hello' });
    expect((await received()).message_chain[1]).toEqual({ type: 'Plain', text: 'Hello' });
    expect(attempts).toBe(2);
  });
});

describe('a quoted message', () => {
  it('comes with its content, and its sender', async () => {
    await start();
    const { id } = await fake.deliver({ chat: fake.group(), text: 'the first' });
    await fake.deliver({ chat: fake.group(), text: 'about it', quotes: id });
    const { message_chain, facts } = await received(2);
    expect(message_chain[1]).toEqual({
      type: 'Quote',
      id,
      group_id: '20001',
      sender_id: '10001',
      origin: [{ type: 'Plain', text: 'the first' }],
    });
    expect(facts).toEqual({ sender_permission: 'MEMBER' });
  });

  it('of the bot mentions it', async () => {
    await start();
    const own = fake.account.keep({ chat: fake.group(), senderId: fake.accountId, segments: [], at: fake.now() });
    await fake.deliver({ chat: fake.group(), quotes: String(own.id) });
    expect((await received()).facts?.bot_mentions).toEqual(['reply']);
  });

  it('has its id alone when the client does not know it, or has no socket for actions', async () => {
    await start();
    await fake.deliver({ quotes: 'gone' });
    expect((await received()).message_chain[1]).toEqual({ type: 'Quote', id: '404404', origin: [] });
  });
});

describe('a forwarded chat', () => {
  const node = (text: string) => ({
    sender: { user_id: 10002, nickname: 'Bob' },
    message: [{ type: 'text', data: { text } }],
  });

  it('comes with its messages, also those inside one another', async () => {
    await start();
    const inner = { type: 'forward', data: { id: 'inner' } };
    fake.account.forwards.set('outer', [node('one'), { ...node(''), message: [inner] }]);
    fake.account.forwards.set('inner', [{ type: 'node', data: { uin: '10003', name: 'Cy', content: 'two' } }]);
    expect(await segments({ type: 'forward', data: { id: 'outer' } })).toEqual([
      {
        type: 'Forward',
        node_list: [
          { sender_id: '10002', sender_name: 'Bob', message_chain: [{ type: 'Plain', text: 'one' }] },
          {
            sender_id: '10002',
            sender_name: 'Bob',
            message_chain: [
              {
                type: 'Forward',
                node_list: [{ sender_id: '10003', sender_name: 'Cy', message_chain: [{ type: 'Plain', text: 'two' }] }],
              },
            ],
          },
        ],
      },
    ]);
  });

  it('is empty when the client does not have it any more', async () => {
    await start();
    expect(await segments({ type: 'forward', data: { id: 'gone' } })).toEqual([{ type: 'Forward', node_list: [] }]);
  });

  it('has bounds: of messages, of lookups, and of what is inside one another', async () => {
    await start();
    fake.account.forwards.set(
      'wide',
      Array.from({ length: 5000 }, (_, index) => node(`${index}`)),
    );
    fake.account.forwards.set('loop', [{ ...node(''), message: [{ type: 'forward', data: { id: 'loop' } }] }]);
    const [wide] = await segments({ type: 'forward', data: { id: 'wide' } });
    expect(wide).toMatchObject({ node_list: { length: 200 } });
    await segments({ type: 'forward', data: { id: 'loop' } });
    expect(fake.account.calls.filter((action) => action === 'get_forward_msg').length).toBeLessThanOrEqual(11);
    await fake.deliver({ depth: 5000 });
    await received(3);
    await push({ message: Array.from({ length: 5000 }, () => ({ type: 'text', data: { text: 'x' } })) });
    expect((await received(4)).message_chain).toHaveLength(1000);
  });
});

describe('a notice', () => {
  it.each(['group', 'person'] as const)('tells of a message that was recalled: %s', async (kind) => {
    await start();
    const { id } = await fake.deliver({ chat: fake[kind]() });
    await fake.recall(id);
    await expect
      .poll(() => context.notices)
      .toEqual([{ type: 'recalled', platform_message_id: (await received()).platform_message_id }]);
  });

  it('tells that the bot was added to a group, and has a new friend', async () => {
    await start();
    await fake.addBot();
    await push({ post_type: 'notice', notice_type: 'group_increase', user_id: 10002 });
    await push({ post_type: 'notice', notice_type: 'friend_add', user_id: 10002, time: 1 });
    await expect
      .poll(() => context.notices)
      .toMatchObject([
        { type: 'bot_added', session_type: 'group', session_id: '20001' },
        { type: 'bot_added', session_type: 'person', session_id: '10002', platform_event_id: 'friend_add/10002/1' },
      ]);
  });
});

describe('hostile frames', () => {
  it.each(['malformed', 'deep'] as const)('do not keep the next message back: %s', async (how) => {
    await start();
    await fake.forge(how);
    await fake.deliver({ text: 'Hello' });
    expect((await received(context.received.length + 1)).message_chain.at(-1)).toEqual({
      type: 'Plain',
      text: 'Hello',
    });
  });

  it.each([
    [{ user_id: 1e300 }],
    [{ user_id: { toString: 1 } }],
    [{ message_id: 2 ** 53 }],
    [{ message_id: 'a b' }],
    [{ group_id: null }],
    [{ message: [] }],
    [{ message: [null, 7, 'text', { type: 5 }, { type: 'text' }] }],
  ])('without what a message needs are ignored: %j', async (over) => {
    await start();
    await push({ raw_message: '', ...over });
    await fake.deliver({ text: 'Hello' });
    expect((await received()).message_chain.at(-1)).toEqual({ type: 'Plain', text: 'Hello' });
  });
});

describe('names', () => {
  it('of a group and its member are asked for', async () => {
    await start();
    const { signal } = new AbortController();
    const target = { ...fake.group(), pipeline_uuid: null };
    expect(await adapter.namesOf?.(target, '10001', signal)).toEqual({
      group_name: 'Group 20001',
      sender_name: 'Member 10001',
    });
    expect(await adapter.namesOf?.({ ...fake.person(), pipeline_uuid: null }, '10001', signal)).toEqual({
      sender_name: 'User 10001',
    });
    await fake.goAway();
    await expect.poll(() => context.reports.at(-1)?.state).toBe('reconnecting');
    await expect(adapter.namesOf?.(target, '10001', signal)).rejects.toBeInstanceOf(DeliveryError);
  });
});
