import { type MessageReceipt, type OutgoingMessage, ParleyError } from '@parley/sdk';
import type { InternalPlatformAdapter } from '@parley/sdk/internal';
import { type FakePlatformContext, fakePlatformContext, platformContract } from '@parley/sdk/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { websocket } from './index.ts';
import { FakeSocket, type Frame } from './testing/fake-socket.ts';

const seen: FakeSocket[] = [];
platformContract({
  platform: websocket,
  chat: {
    target: { session_type: 'person', session_id: 'reader' },
    open: (adapter: InternalPlatformAdapter) => {
      // The outgoing messages of the suite belong to no pipeline.
      const socket = new FakeSocket('reader', { pipeline_uuid: '' });
      seen.push(socket);
      adapter.acceptBrowser?.(socket);
    },
    // A message that is shown again replaces itself by its id.
    texts: () => {
      const shown = seen.flatMap(({ frames }) => frames).filter(({ type }) => type === 'response');
      return [...new Map(shown.map(({ data }) => [data.id, data.content])).values()];
    },
  },
});

const hello = (text: string, more: Frame = {}) => ({ message: [{ type: 'Plain', text }], ...more });
const outgoing = (over: Partial<OutgoingMessage['target']> = {}): OutgoingMessage => ({
  uuid: '00000000-0000-7000-8000-0000000000aa',
  sequence: 7,
  piece: 0,
  reply_to: null,
  target: { session_type: 'person', session_id: 'ada', thread_id: '', pipeline_uuid: 'pipeline', ...over },
  message_chain: [{ type: 'Plain', text: 'Hello' }],
  created_at: '2026-01-01T00:00:00.000Z',
  idempotency_token: '00000000-0000-7000-8000-0000000000aa',
});

const { create } = await websocket.load();

describe('the web chat', () => {
  let context: FakePlatformContext;
  let adapter: InternalPlatformAdapter;
  beforeEach(async () => {
    context = fakePlatformContext();
    adapter = create({}, context);
    await adapter.start();
  });
  const connect = (person: string, over?: ConstructorParameters<typeof FakeSocket>[1]) => {
    const socket = new FakeSocket(person, over);
    adapter.acceptBrowser?.(socket);
    return socket;
  };

  it('passes a message on with its sender, and shows it in every window of the user', async () => {
    const [first, second, other] = [connect('ada'), connect('ada'), connect('bob')];
    first.say(hello('Hi', { message_id: 'mine' }));
    await expect.poll(() => second.types).toEqual(['connected', 'user_message']);
    expect(context.received).toEqual([
      {
        platform_message_id: 'ada/pipeline/person/ada/mine',
        session_type: 'person',
        session_id: 'ada',
        sender_id: 'ada',
        sender_name: 'Name of ada',
        message_chain: [{ type: 'Plain', text: 'Hi' }],
        pipeline_uuid: 'pipeline',
      },
    ]);
    expect(first.frames[1]).toEqual(second.frames[1]);
    expect(first.frames[1]?.data.connection_id).toBe(first.frames[0]?.connection_id);
    expect(other.types).toEqual(['connected']);
  });

  it('stops answers, and tells every window of the user', async () => {
    const [first, second, other] = [connect('ada'), connect('ada'), connect('bob')];
    first.say({ type: 'stop' });
    await expect.poll(() => second.frames[1]).toEqual({ type: 'stopped', session_type: 'person', last_id: 7 });
    expect(first.stops).toEqual([null]);
    expect(other.types).toEqual(['connected']);
    first.say({ type: 'stop', uuid: '00000000-0000-7000-8000-0000000000AA' });
    await expect.poll(() => first.stops).toEqual([null, '00000000-0000-7000-8000-0000000000aa']);
    first.say({ type: 'stop', uuid: "' or 1=1" });
    await expect.poll(() => first.frames.at(-1)).toMatchObject({ type: 'error', reason: 'invalid_request' });
    expect(first.stops).toHaveLength(2);
    expect(context.received).toEqual([]);
  });

  it('repeats a question that is replaced without another content', async () => {
    const ada = connect('ada');
    const replaces = '00000000-0000-7000-8000-0000000000aa';
    ada.say({ replaces, message_id: 'again' });
    ada.say({ ...hello('asked better'), replaces, message_id: 'better' });
    await expect.poll(() => ada.types).toEqual(['connected', 'user_message', 'user_message']);
    expect(context.received.map(({ message_chain, facts }) => ({ message_chain, facts }))).toEqual([
      { message_chain: [{ type: 'Plain', text: 'asked before' }], facts: { replaces } },
      { message_chain: [{ type: 'Plain', text: 'asked better' }], facts: { replaces } },
    ]);
    expect(ada.replacements).toEqual([
      [replaces, 'ada/pipeline/person/ada/again'],
      [replaces, 'ada/pipeline/person/ada/better'],
    ]);
    expect(ada.frames[1]?.data).toMatchObject({ content: 'asked before', replaces });
    ada.say({ replaces: 7, message_id: 'broken' });
    await expect.poll(() => ada.frames.at(-1)).toMatchObject({ type: 'error', reason: 'invalid_request' });
  });

  it('keeps the conversation of a draft apart', async () => {
    const [draft, published] = [connect('ada', { trial: { version: 'draft' }, thread_id: 'draft' }), connect('ada')];
    draft.say(hello('Hi', { message_id: 'mine' }));
    await expect.poll(() => draft.types).toEqual(['connected', 'user_message']);
    expect(context.received).toMatchObject([
      {
        platform_message_id: 'ada/pipeline/person/ada/draft/mine',
        session_id: 'ada',
        thread_id: 'draft',
        facts: { trial: { version: 'draft' } },
      },
    ]);
    await adapter.send(outgoing({ thread_id: 'draft' }));
    await adapter.send(outgoing());
    expect(draft.types).toEqual(['connected', 'user_message', 'response']);
    expect(published.types).toEqual(['connected', 'response']);
  });

  it('marks messages of signed-in admins', async () => {
    connect('ada', { signed_in_admin: true }).say(hello('Hi'));
    await expect.poll(() => context.received.length).toBe(1);
    connect('bob').say(hello('Hi', { facts: { signed_in_admin: true } }));
    await expect.poll(() => context.received.length).toBe(2);
    expect(context.received.map(({ facts }) => facts)).toEqual([{ signed_in_admin: true }, undefined]);
  });

  describe('with images that were uploaded', () => {
    const image = {
      path: 'key.png',
      name: 'a.png',
      size: 1,
      media_type: 'image/png',
      url: '/api/v1/files/image/key.png',
    };
    const text = { path: 'key', name: 'a.txt', size: 1, media_type: 'text/plain' };
    beforeEach(async () => {
      const readMedia: FakePlatformContext['readMedia'] = async (path) => {
        const media = [image, text].find((known) => known.path === path);
        return media === undefined ? null : { ...media, content: new Blob(['a']).stream() };
      };
      context = fakePlatformContext({ readMedia });
      adapter = create({}, context);
      await adapter.start();
    });

    it('tells where they are found, in quotes and forwards too', async () => {
      const socket = connect('ada');
      const sent = { type: 'Image', path: 'key.png', url: 'https://elsewhere.example/' };
      const other = { type: 'Image', url: 'https://example.com/a.png', path: '' };
      const node = { sender_id: 1, message_chain: [sent] };
      socket.say({
        message: [
          sent,
          other,
          { type: 'Quote', origin: [{ type: 'Forward', node_list: [node, { sender_id: 2 }] }] },
          { type: 'Forward' },
        ],
      });
      await expect.poll(() => socket.types).toEqual(['connected', 'user_message']);
      const shown = { type: 'Image', path: 'key.png', url: image.url };
      const chain = [
        shown,
        other,
        {
          type: 'Quote',
          origin: [{ type: 'Forward', node_list: [{ sender_id: 1, message_chain: [shown] }, { sender_id: 2 }] }],
        },
        { type: 'Forward' },
      ];
      expect(context.received[0]?.message_chain).toEqual(chain);
      expect(socket.frames[1]?.data.message_chain).toEqual(chain);
    });

    it.each<[string, unknown, string, string?]>([
      ['unknown', [{ type: 'Image', path: 'unknown' }], 'message[0].path'],
      ['that of a file that is gone', [{ type: 'File', path: 'unknown', name: 'a.pdf' }], 'message[0].path', 'file'],
      ['that of a voice message that is gone', [{ type: 'Voice', path: 'unknown' }], 'message[0].path', 'file'],
      [
        'no image',
        [
          { type: 'Plain', text: 'a' },
          { type: 'Image', path: 'key' },
        ],
        'message[1].path',
      ],
      ['a file of the server', [{ type: 'Image', path: '../../etc/passwd', base64: 'YQ==' }], 'message[0].path'],
      ['unknown', [{ type: 'Quote', origin: [{ type: 'Image', path: 'unknown' }] }], 'message[0].origin[0].path'],
    ])('refuses a path that is %s, and the window lives on', async (_, message, place, kind = 'image') => {
      const socket = connect('ada');
      socket.say({ message, message_id: 'mine' });
      await expect.poll(() => socket.types).toEqual(['connected', 'error']);
      expect(socket.frames[1]).toEqual({
        type: 'error',
        message: `${place}: names no ${kind} that was uploaded here`,
        reason: 'invalid_request',
        message_id: 'mine',
        missing_file: expect.stringMatching(/^(unknown|key|\.\.\/\.\.\/etc\/passwd)$/),
      });
      expect(context.received).toEqual([]);
      socket.say(hello('Hi'));
      await expect.poll(() => socket.types).toEqual(['connected', 'error', 'user_message']);
    });
  });

  it('assigns an id to messages without one', async () => {
    const socket = connect('ada');
    socket.say(hello('Hi'));
    socket.say(hello('Hi'));
    await expect.poll(() => context.received).toHaveLength(2);
    expect(new Set(context.received.map(({ platform_message_id }) => platform_message_id)).size).toBe(2);
    expect(socket.frames[1]?.data).not.toHaveProperty('message_id');
  });

  it('separates ids by user, session type and pipeline', async () => {
    const sockets = [
      connect('ada'),
      connect('bob'),
      connect('ada', { session_type: 'group' }),
      connect('ada', { pipeline_uuid: 'another' }),
      connect('bob', { session_type: 'group' }),
    ];
    for (const socket of sockets) socket.say(hello('Hi', { message_id: '1' }));
    await expect.poll(() => context.received).toHaveLength(5);
    expect(new Set(context.received.map(({ platform_message_id }) => platform_message_id)).size).toBe(5);
  });

  it('tells a repeat only to the window that was not sure', async () => {
    const [first, second] = [connect('ada'), connect('ada')];
    first.say(hello('Hi', { message_id: 'mine' }));
    await expect.poll(() => second.types).toEqual(['connected', 'user_message']);
    second.say(hello('Hi', { message_id: 'mine' }));
    await expect.poll(() => second.types).toEqual(['connected', 'user_message', 'user_message']);
    expect(first.types).toEqual(['connected', 'user_message']);
    expect(second.frames[2]?.data.id).toBe(second.frames[1]?.data.id);
  });

  it('shows a group its messages, separately for each pipeline', async () => {
    const [ada, bob, elsewhere] = [
      connect('ada', { session_type: 'group' }),
      connect('bob', { session_type: 'group' }),
      connect('eve', { session_type: 'group', pipeline_uuid: 'another' }),
    ];
    ada.say(hello('Hi, all'));
    await expect.poll(() => bob.types).toEqual(['connected', 'user_message']);
    expect(context.received[0]).toMatchObject({
      session_type: 'group',
      session_id: 'websocketgroup',
      sender_id: 'ada',
    });
    expect(elsewhere.types).toEqual(['connected']);
  });

  it('streams an answer to clients that want it, and the finished one to all', async () => {
    const [streaming, patient, other] = [connect('ada'), connect('ada'), connect('bob')];
    patient.say(hello('Hi', { stream: false }));
    await expect.poll(() => patient.types).toEqual(['connected', 'user_message']);
    const stream = await adapter.stream?.(outgoing());
    await stream?.update([{ type: 'Plain', text: 'Hel' }]);
    await stream?.finish([{ type: 'Plain', text: 'Hello' }]);
    const shown = ({ frames }: FakeSocket) =>
      frames.filter(({ type }) => type === 'response').map(({ data }) => [data.id, data.content, data.is_final]);
    expect(shown(streaming)).toEqual([
      [7, 'Hel', false],
      [7, 'Hello', true],
    ]);
    expect(shown(patient)).toEqual([[7, 'Hello', true]]);
    expect(shown(other)).toEqual([]);
  });

  it('sends to a user at one pipeline', async () => {
    const [here, there] = [connect('ada'), connect('ada', { pipeline_uuid: 'another' })];
    await adapter.send(outgoing());
    await adapter.send(outgoing({ session_id: 'unknown' }));
    await adapter.send(outgoing({ pipeline_uuid: null }));
    expect(here.frames[1]).toEqual({
      type: 'response',
      session_type: 'person',
      data: {
        id: 7,
        uuid: outgoing().uuid,
        role: 'assistant',
        content: 'Hello',
        message_chain: [{ type: 'Plain', text: 'Hello' }],
        timestamp: '2026-01-01T00:00:00.000Z',
        is_final: true,
        connection_id: '',
      },
    });
    expect(here.frames).toHaveLength(2);
    expect(there.frames).toHaveLength(1);
  });

  it('stores the frames of one window in order, although storing takes its time', async () => {
    const gates: (() => void)[] = [];
    const order: string[] = [];
    adapter = create(
      {},
      {
        ...context,
        receive: async (event) => {
          order.push((event.message_chain[0] as { text: string }).text);
          await new Promise<void>((resolve) => gates.push(resolve));
          return context.receive(event);
        },
      },
    );
    await adapter.start();
    const socket = connect('ada');
    for (const text of ['one', 'two', 'three']) socket.say(hello(text));
    for (const expected of [['one'], ['one', 'two'], ['one', 'two', 'three']]) {
      await expect.poll(() => order).toEqual(expected);
      gates.at(-1)?.();
    }
    await expect.poll(() => socket.frames.slice(1).map(({ data }) => data.content)).toEqual(['one', 'two', 'three']);
  });

  it('disconnects a client that writes faster than messages can be stored, and stores accepted ones', async () => {
    const gate = Promise.withResolvers<void>();
    const receive = async (event: Parameters<typeof context.receive>[0]): Promise<MessageReceipt> => {
      await gate.promise;
      return context.receive(event);
    };
    adapter = create({}, { ...context, receive });
    await adapter.start();
    const [flooding, calm] = [connect('ada'), connect('bob')];
    for (let index = 0; index < 100; index += 1) flooding.say(hello(`message ${index}`));
    expect(flooding.closedWith).toBeNull();
    flooding.say(hello('one too many'));
    flooding.say(hello('and another'));
    expect(flooding.closedWith).toEqual([1013, 'writing too fast']);
    gate.resolve();
    await expect.poll(() => context.received).toHaveLength(100);
    expect(calm.closedWith).toBeNull();
    expect(adapter.connections?.()).toHaveLength(1);
  });

  it('does not count frames that were handled', async () => {
    const socket = connect('ada');
    for (let index = 0; index < 150; index += 1) {
      socket.say({ type: 'ping' });
      await expect.poll(() => socket.frames, { interval: 1 }).toHaveLength(index + 2);
    }
    expect(socket.closedWith).toBeNull();
  });

  it('disconnects a client that reads too slowly', async () => {
    const [slow, quick] = [connect('ada'), connect('ada')];
    slow.buffered = 4 * 1024 * 1024 + 1;
    await adapter.send(outgoing());
    expect(slow.closedWith).toEqual([1013, 'reading too slowly']);
    expect(slow.types).toEqual(['connected']);
    expect(quick.types).toEqual(['connected', 'response']);
    expect(adapter.connections?.()).toHaveLength(1);
  });

  it.each<[string, unknown, Frame]>([
    ['no JSON', '{', { message: 'Invalid JSON format', reason: 'invalid_request' }],
    ['no object', [1], { message: 'A frame must be a JSON object', reason: 'invalid_request' }],
    ['null', null, { message: 'A frame must be a JSON object', reason: 'invalid_request' }],
    ['no message', {}, { message: 'message: must be an array of message elements', reason: 'invalid_request' }],
    [
      'a long identifier',
      hello('Hi', { message_id: 'a'.repeat(129) }),
      { message: 'message_id: must be a text of 1 to 128 characters', reason: 'invalid_request' },
    ],
  ])('reports %s and continues', async (_, frame, fault) => {
    const socket = connect('ada');
    socket.say(frame);
    socket.say({ type: 'ping' });
    await expect.poll(() => socket.types).toEqual(['connected', 'error', 'pong']);
    expect(socket.frames[1]).toMatchObject(fault);
    expect(context.received).toEqual([]);
  });

  it.each([
    [
      'why it was refused',
      new ParleyError('not_ready', 'The server is stopping'),
      'The server is stopping',
      'not_ready',
    ],
    ['nothing of a fault inside', new Error('secret'), 'The message was not stored', 'internal'],
  ])('reports a message that was not stored %s', async (_, failure, message, reason) => {
    adapter = create({}, { ...context, receive: () => Promise.reject(failure) });
    await adapter.start();
    const socket = connect('ada');
    socket.say(hello('Hi'));
    await expect.poll(() => socket.types).toEqual(['connected', 'error']);
    expect(socket.frames[1]).toMatchObject({ message, reason });
  });

  it('ignores unknown frames and closes on request', async () => {
    const socket = connect('ada');
    socket.say({ type: 'typing' });
    socket.say({ type: 'disconnect' });
    await expect.poll(() => socket.closedWith).toEqual([1000, 'as asked']);
    expect(socket.types).toEqual(['connected']);
    expect(adapter.connections?.()).toEqual([]);
  });

  it('writes a notice to every connection of a pipeline', () => {
    const [person, group, elsewhere] = [
      connect('ada'),
      connect('bob', { session_type: 'group' }),
      connect('eve', { pipeline_uuid: 'another' }),
    ];
    adapter.broadcast?.('pipeline', { text: 'soon' });
    for (const socket of [person, group]) {
      expect(socket.frames[1]).toMatchObject({ type: 'broadcast', message: { text: 'soon' } });
    }
    expect(elsewhere.frames).toHaveLength(1);
  });

  it('lists its connections without internals, and closes them when it stops', async () => {
    const socket = connect('ada');
    expect(adapter.connections?.()).toEqual([
      {
        connection_id: socket.frames[0]?.connection_id,
        pipeline_uuid: 'pipeline',
        session_type: 'person',
        created_at: expect.any(String),
        last_active: expect.any(String),
        is_active: true,
      },
    ]);
    await adapter.stop();
    expect(socket.closedWith?.[0]).toBe(1012);
    expect(adapter.connections?.()).toEqual([]);
  });
});
