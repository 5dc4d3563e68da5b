import { type DeliveryError, type MessageChain, ParleyError } from '@parley/sdk';
import { describe, expect, it } from 'vitest';
import { larkTests, outgoing, recordedProgress } from './testing/start-adapter.ts';

const start = larkTests();
const plain = (text: string): MessageChain => [{ type: 'Plain', text }];
const failureOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ParleyError);
  return error as DeliveryError;
};

it('tells the name of the bot once it is connected', async () => {
  const { adapter } = await start();
  expect(adapter.accountProfile?.()).toEqual({ name: 'Parley' });
});

describe('receiving', () => {
  it.each(['socket', 'webhook'] as const)('stores a message before it is acknowledged: %s', async (mode) => {
    const { fake, context } = await start({ mode });
    const { id, outcome } = await fake.deliver({ text: 'Hello 你好' });
    expect(outcome).toBe('acknowledged');
    expect(context.received).toMatchObject([{ platform_message_id: id, session_type: 'person', session_id: 'ou_ada' }]);
  });

  it('reads topics, mentions and rich text with pictures', async () => {
    const { fake, context } = await start();
    const picture = { kind: 'image', name: 'cat.png', content: new Uint8Array([1, 2, 3]) } as const;
    const voice = { kind: 'file', name: 'list.pdf', content: new Uint8Array([4]) } as const;
    await fake.deliver({ chat: fake.thread(), mention: 'account', text: 'Look', media: [picture, voice] });
    const [event] = context.received;
    expect(event).toMatchObject({ session_type: 'group', session_id: 'oc_team', thread_id: 'omt_topic' });
    expect(event?.message_chain.map(({ type }) => type)).toEqual(['Source', 'At', 'Plain', 'Image', 'Plain', 'File']);
    expect(event?.media).toHaveLength(2);
  });

  it('fetches content with the token, and says what cannot be had', async () => {
    const { fake, adapter, context } = await start();
    const picture = { kind: 'image', name: 'cat.png', content: new Uint8Array([1, 2, 3]) } as const;
    await fake.deliver({ media: [picture] });
    await fake.deliver({ media: [{ ...picture, fault: 'gone' }] });
    const [there, gone] = context.received.map(({ media }) => media?.[0]?.value);
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await adapter.fetchMedia?.(there, AbortSignal.timeout(1000))) ?? []) chunks.push(chunk);
    expect(Buffer.concat(chunks)).toEqual(Buffer.from([1, 2, 3]));
    const failure = await failureOf(Promise.resolve(adapter.fetchMedia?.(gone, AbortSignal.timeout(1000))));
    expect(failure.reason).toBe('not_found');
  });

  it('quotes messages with their content, and knows a reply to the bot', async () => {
    const { fake, adapter, context } = await start();
    const { platform_message_id: own = '' } = await adapter.send(outgoing(fake.group(), plain('My answer')));
    await fake.deliver({ chat: fake.group(), text: 'Why?', quotes: own });
    await fake.deliver({ chat: fake.group(), text: 'What?', quotes: 'gone' });
    expect(context.received).toMatchObject([
      {
        facts: { bot_mentions: ['reply'] },
        message_chain: [{ type: 'Source' }, { type: 'Quote', id: own, origin: plain('My answer') }, { type: 'Plain' }],
      },
      { message_chain: [{ type: 'Source' }, { type: 'Quote', id: 'om_gone', origin: [] }, { type: 'Plain' }] },
    ]);
  });

  it('takes an event again that could not be stored, also with the same signature', async () => {
    let isFull = true;
    const { fake, context } = await start({
      mode: 'webhook',
      context: { receive: (event) => (isFull ? Promise.reject(new Error('The disk is full')) : store(event)) },
    });
    const store = async (event: Parameters<typeof context.receive>[0]) => {
      context.received.push(event);
      return { outcome: 'accepted' as const, uuid: '', sequence: 1, created_at: '' };
    };
    await fake.deliver({ text: 'Hello' });
    isFull = false;
    expect(await fake.forge('replayed')).toEqual(['acknowledged']);
    expect(context.received).toHaveLength(1);
    expect(await fake.forge('replayed')).toEqual(['refused']);
    expect(context.received).toHaveLength(1);
  });
});

describe('sending', () => {
  it.each(['person', 'group', 'thread'] as const)('reaches a %s, unasked', async (kind) => {
    const { fake, adapter } = await start();
    await adapter.send(outgoing(fake[kind](), plain('News')));
    expect(fake.sent()).toMatchObject([{ text: 'News', chat: fake[kind]() }]);
  });

  it('sends once with one token, and again after an hour', async () => {
    const { fake, adapter } = await start();
    const message = outgoing(fake.person(), plain('Once'));
    await adapter.send(message);
    await adapter.send(message);
    expect(fake.sent()).toHaveLength(1);
    fake.advance(3_600_001);
    await adapter.send(message);
    expect(fake.sent()).toHaveLength(2);
  });

  it('answers a question that was recalled', async () => {
    const { fake, adapter } = await start();
    const quote: MessageChain = [{ type: 'Quote', id: 'om_gone', origin: [] }, ...plain('An answer')];
    await adapter.send(outgoing(fake.group(), quote));
    expect(fake.sent()).toMatchObject([{ text: 'An answer', quotes: null }]);
  });

  it('notifies those of elements only', async () => {
    const { fake, adapter } = await start();
    const text = 'Say <at user_id="all"></at> and <AT id=all></at>';
    await adapter.send(
      outgoing(fake.group(), [
        { type: 'Plain', text },
        { type: 'At', target: 'ou_ada' },
      ]),
    );
    expect(fake.sent()[0]?.notifies).toEqual(['ou_ada']);
  });

  it('takes another token when one has expired', async () => {
    const { fake, adapter } = await start();
    fake.expireToken();
    await Promise.all(['a', 'b', 'c'].map((text) => adapter.send(outgoing(fake.person(), plain(text)))));
    expect(fake.calls('token')).toBe(2);
    expect(fake.sent()).toHaveLength(3);
  });

  it('names the permission that is missing', async () => {
    const { fake, adapter } = await start();
    fake.fail('send', 'missing_permission');
    const failure = await failureOf(adapter.send(outgoing(fake.person(), plain('Hello'))));
    expect(failure).toMatchObject({ kind: 'refused', message: expect.stringContaining('im:message:send_as_bot') });
  });

  it('sends a text that is too long for rich text as plain text', async () => {
    const { fake, adapter } = await start();
    const text = `${'"'.repeat(16_000)}!`;
    await adapter.send(outgoing(fake.person(), plain(text)));
    expect(fake.sent()[0]?.text).toBe(text);
  });
});

describe('a streamed answer', () => {
  const begin = async (options: Parameters<typeof start>[0] = {}) => {
    const { fake, adapter, ...rest } = await start(options);
    const { id } = await fake.deliver({ text: 'Hello' });
    const { message_chain: _, ...message } = outgoing(fake.person(), [], id);
    const progress = recordedProgress();
    const stream = await adapter.stream?.(message, progress);
    if (stream === undefined) throw new Error('The adapter does not stream');
    return { fake, adapter, message, progress, stream, ...rest };
  };
  const shown = (fake: { sent(): readonly { text: string; isUnfinished: boolean }[] }) =>
    fake.sent().map(({ text, isUnfinished }) => [text, isUnfinished]);

  it('grows in a card, and ends', async () => {
    const { fake, stream } = await begin();
    await stream.update(plain('One'));
    expect(shown(fake)).toEqual([['One', true]]);
    await stream.update(plain('One two'));
    await stream.finish(plain('One two three'));
    expect(shown(fake)).toEqual([['One two three', false]]);
    expect(fake.sent()[0]?.history.map(({ text }) => text)).toEqual(['One', 'One two', 'One two three']);
  });

  it('is complete although the platform closed the card', async () => {
    const { fake, stream } = await begin();
    await stream.update(plain('One'));
    fake.closeStream();
    await stream.update(plain('One two'));
    await stream.finish(plain('One two three'));
    expect(shown(fake)).toEqual([['One two three', false]]);
  });

  it('goes on in another card when its time is up, also while no text comes', async () => {
    const { fake, stream } = await begin({ timing: { cardStreamMs: 60 } });
    await stream.update(plain('One '));
    await expect.poll(() => shown(fake)).toEqual([['One', false]]);
    await stream.update(plain('One two'));
    await stream.finish(plain('One two three'));
    expect(shown(fake)).toEqual([
      ['One', false],
      ['two three', false],
    ]);
  });

  it('is readable when it is abandoned', async () => {
    const { fake, stream } = await begin();
    await stream.update(plain('One'));
    await stream.abandon?.('platform_failed');
    expect(shown(fake)).toEqual([['One', false]]);
  });

  it('is completed in the same card after a crash, even by a clock that is behind', async () => {
    const { fake, stream, progress, message, config, context, implementation } = await begin();
    await stream.update(plain('One'));
    fake.chats.raiseSequences(100);
    const other = implementation.create(config, context);
    await other.start();
    const resumed = recordedProgress(progress.last(), true);
    await other.send({ ...message, message_chain: plain('All of it') }, resumed);
    await other.stop();
    expect(shown(fake)).toEqual([['All of it', false]]);
  });

  it.each([true, false])(
    'is completed in the same card after a crash in the middle of a send: %s',
    async (isStreamed) => {
      const { fake, stream, progress, message, config, context, implementation } = await begin();
      fake.fail('send', 'silence');
      await stream.update(plain('One')).catch(() => undefined);
      expect(shown(fake)).toEqual([['One', true]]);
      const other = implementation.create(config, context);
      await other.start();
      const resumed = recordedProgress(progress.last(), true);
      if (isStreamed) {
        const again = await other.stream?.(message, resumed);
        await again?.update(plain('Again'));
        await again?.finish(plain('All of it'));
      } else await other.send({ ...message, message_chain: plain('All of it') }, resumed);
      await other.stop();
      expect(shown(fake)).toEqual([['All of it', false]]);
    },
  );

  it('is off where the configuration says so', async () => {
    const { adapter, platform, config } = await start({ config: { 'enable-stream-reply': false } });
    expect([adapter.stream, platform.capabilitiesOf?.(config).streams]).toEqual([undefined, {}]);
  });
});

describe('starting', () => {
  it.each([
    [{ app_secret: 'wrong' }, 'platform_unauthorized'],
    [{ app_id: 'cli_wrong' }, 'platform_unauthorized'],
    [{ app_id: ' ' }, 'invalid_request'],
    [{ app_type: 'isv' }, 'invalid_request'],
    [{ 'enable-webhook': true }, 'invalid_request'],
  ])('fails with %j: %s', async (config, reason) => {
    const { adapter } = await start({ config, starts: false });
    const failure = await failureOf(adapter.start());
    expect(failure.reason).toBe(reason);
    expect(failure.message).not.toContain('wrong');
  });

  it('tells the bot by its id', async () => {
    const { adapter, fake } = await start();
    expect(adapter.accountId?.()).toBe(fake.accountId);
  });
});

describe('an app of the store', () => {
  it('waits for its ticket, and writes on behalf of the company that asked', async () => {
    const { fake, adapter, context, platform, config } = await start({ mode: 'webhook', config: { app_type: 'isv' } });
    expect(platform.capabilitiesOf?.(config).reply_context).toBe(true);
    const early = await failureOf(adapter.send(outgoing(fake.person(), plain('Too early'))));
    expect(early.kind).toBe('not_sent');
    await fake.sendTicket();
    const { id } = await fake.deliver({ text: 'Hello' });
    const message = outgoing(fake.person(), plain('Good day'), id);
    const context_ = context.received[0]?.reply_context?.value;
    const reply_to = { platform_message_id: id, sender_id: 'ou_ada', context: context_ };
    await adapter.send({ ...message, reply_to });
    await adapter.send(outgoing(fake.person(), plain('Unasked')));
    expect(fake.sent().map(({ text }) => text)).toEqual(['Good day', 'Unasked']);
  });
});
