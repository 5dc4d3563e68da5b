import type { DeliveryError, MessageChain, MessageEvent } from '@parley/sdk';
import { RecordedProgress } from '@parley/sdk/testing';
import { describe, expect, it } from 'vitest';
import { dingTalkTests, outgoing } from './testing/start-adapter.ts';

const start = dingTalkTests();
const plain = (text: string): MessageChain => [{ type: 'Plain', text }];

/** The address to answer to that came with a message. */
const webhookOf = (event: MessageEvent | undefined) =>
  (event?.reply_context?.value as { webhook: string } | undefined)?.webhook;

describe('the session webhook', () => {
  it('is used as long as it lasts, and says so', async () => {
    const { fake, context, adapter } = await start();
    await fake.deliver({ text: 'Hello' });
    const [event] = context.received;
    const lasts = Date.parse(event?.reply_context?.expires_at ?? '') - fake.now();
    expect(lasts).toBeGreaterThan(80 * 60_000);
    await adapter.send(outgoing(fake.person(), plain('An answer'), webhookOf(event)));
    fake.advance(lasts + 1000);
    await adapter.send(outgoing(fake.person(), plain('A late answer'), webhookOf(event)));
    expect(fake.sent().map(({ text }) => text)).toEqual(['An answer', 'A late answer']);
  });

  it.each([
    'https://oapi.dingtalk.com.attacker.example/robot/sendBySession?session=1',
    'https://attacker.example/robot/sendBySession?session=1',
    'http://oapi.dingtalk.com/robot/sendBySession?session=1',
    'http://127.0.0.1:1/robot/sendBySession',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]/',
    'file:///etc/passwd',
    'not a URL',
  ])('is not used at %s', async (sessionWebhook) => {
    const { fake, context, adapter } = await start();
    const called: string[] = [];
    const { fetch } = context;
    context.fetch = (input, init) => {
      called.push(String(input));
      return fetch(input, init);
    };
    const data = JSON.stringify({ ...fake.data('forged', { text: 'Hello' }), sessionWebhook });
    const frame = { type: 'CALLBACK', headers: { topic: '/v1.0/im/bot/messages/get', messageId: 'one' }, data };
    await fake.raw(Buffer.from(JSON.stringify(frame)));
    await expect.poll(() => context.received.length).toBe(1);
    expect(context.received[0]?.reply_context).toBeUndefined();
    // Nor is one that was stored under another configuration.
    await adapter.send(outgoing(fake.person(), plain('An answer'), sessionWebhook));
    expect(fake.sent().map(({ text }) => text)).toEqual(['An answer']);
    expect(called).not.toContain(sessionWebhook);
  });

  it('is not used more than 20 times a minute', async () => {
    const { fake, context, adapter } = await start();
    await fake.deliver({ text: 'Hello' });
    const webhook = webhookOf(context.received[0]);
    const answer = () => adapter.send(outgoing(fake.person(), plain('An answer'), webhook));
    for (let count = 0; count < 20; count += 1) await answer();
    const failure = await answer().catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: 'not_sent', reason: 'quota', rateLimit: { scope: 'chat' } });
    const { pauseMs } = (failure as DeliveryError).rateLimit ?? {};
    expect(pauseMs).toBeGreaterThan(30_000);
    expect(pauseMs).toBeLessThanOrEqual(60_000);
    expect(fake.calls('send')).toBe(20);
  });

  it('pauses for 10 minutes when DingTalk refuses more', async () => {
    const { fake, context, adapter } = await start();
    await fake.deliver({ text: 'Hello' });
    const answer = () => adapter.send(outgoing(fake.person(), plain('An answer'), webhookOf(context.received[0])));
    fake.limit({ route: 'send', after: 0, pause: 'unnamed' });
    const limited = { kind: 'not_sent', reason: 'quota', rateLimit: { scope: 'chat' } };
    await expect(answer()).rejects.toMatchObject({ ...limited, rateLimit: { pauseMs: 600_000 } });
    await expect(answer()).rejects.toMatchObject(limited);
    expect(fake.calls('send')).toBe(1);
  });
});

describe('users outside the company', () => {
  const outsider = '$:LWCP_v1:$eve';
  const chat = { session_type: 'person', session_id: outsider, thread_id: '' } as const;

  it('are answered in their session, as a whole', async () => {
    const { fake, context, adapter } = await start();
    const { senderStaffId: _, ...data } = fake.data('outside', { text: 'Hello' });
    const headers = { topic: '/v1.0/im/bot/messages/get', messageId: 'one' };
    const message = JSON.stringify({ ...data, senderId: outsider });
    await fake.raw(Buffer.from(JSON.stringify({ type: 'CALLBACK', headers, data: message })));
    await expect.poll(() => context.received.length).toBe(1);
    const [event] = context.received;
    expect(event).toMatchObject({ session_id: outsider, sender_id: outsider });
    const { message_chain: __, ...head } = outgoing(chat, [], webhookOf(event));
    const stream = await adapter.stream?.(head, new RecordedProgress());
    await stream?.update(plain('An'));
    expect(fake.sent()).toEqual([]);
    await stream?.finish(plain('An answer'));
    expect(fake.sent().map(({ text }) => text)).toEqual(['An answer']);
  });

  it('are not reached without it', async () => {
    const { adapter } = await start();
    const failure = { kind: 'refused', reason: 'unknown_target' };
    await expect(adapter.send(outgoing(chat, plain('News')))).rejects.toMatchObject(failure);
  });
});

describe('cards', () => {
  it('show their first text at once, and are not shown twice when the response is lost', async () => {
    const { fake, adapter } = await start();
    const { message_chain: _, ...head } = outgoing(fake.group(), []);
    const progress = new RecordedProgress();
    const stream = await adapter.stream?.(head, progress);
    fake.fail('send', 'cut');
    await expect(stream?.update(plain('One'))).rejects.toMatchObject({ kind: 'unknown', isRepeatable: true });
    expect(fake.sent().map(({ history }) => history.map(({ text }) => text))).toEqual([['One']]);
    // As after a crash: the handle names no card, but says that there may be one.
    const next = await adapter.stream?.(head, new RecordedProgress(progress.handle, true));
    await next?.update(plain('Another'));
    expect(fake.sent()).toMatchObject([{ text: 'Another', isUnfinished: true }]);
    const message = { ...head, message_chain: plain('Another answer') };
    await adapter.send(message, new RecordedProgress(progress.handle, true));
    expect(fake.sent()).toMatchObject([{ text: 'Another answer', isUnfinished: false }]);
  });

  it('cost one call with their first text', async () => {
    const { fake, adapter } = await start();
    const { message_chain: _, ...head } = outgoing(fake.group(), []);
    const stream = await adapter.stream?.(head, new RecordedProgress());
    const calls = fake.calls('any');
    await stream?.update(plain('One'));
    expect(fake.calls('any') - calls).toBe(1);
    await stream?.finish(plain('One two'));
    expect(fake.calls('any') - calls).toBe(2);
  });

  it('show the last text when the response to the first was lost', async () => {
    const { fake, adapter } = await start();
    const { message_chain: _, ...head } = outgoing(fake.group(), []);
    const stream = await adapter.stream?.(head, new RecordedProgress());
    fake.fail('send', 'cut');
    await stream?.update(plain('One')).catch(() => undefined);
    await stream?.finish(plain('One two'));
    expect(fake.sent()).toMatchObject([{ text: 'One two', isUnfinished: false }]);
  });

  it('are ended with their text when an earlier process is not continued', async () => {
    const { fake, adapter } = await start();
    const { message_chain: _, ...head } = outgoing(fake.group(), []);
    const progress = new RecordedProgress();
    const stream = await adapter.stream?.(head, progress);
    await stream?.update(plain('One'));
    const next = await adapter.stream?.(head, new RecordedProgress(progress.handle, true));
    await next?.abandon?.('internal');
    expect(fake.sent()).toMatchObject([{ text: 'One', isUnfinished: false }]);
  });

  it('need a template', async () => {
    for (const card_template_id of ['', '填写你的卡片template_id']) {
      const failure = { reason: 'invalid_request', details: [{ path: 'card_template_id' }] };
      await expect(start({ config: { card_template_id } })).rejects.toMatchObject(failure);
    }
  });
});

describe('a connection that is to be replaced', () => {
  it('stays until what it delivered is acknowledged', async () => {
    const stored = Promise.withResolvers<void>();
    const { fake, context } = await start();
    const { receive } = context;
    context.receive = async (event) => {
      const receipt = await receive(event);
      await stored.promise;
      return receipt;
    };
    const delivering = fake.deliver({ text: 'Hello' });
    await expect.poll(() => context.received.length).toBe(1);
    const { answers } = fake.stream;
    fake.askToReconnect();
    // It is answered after the request to connect again has been read.
    fake.stream.audible?.send(JSON.stringify(fake.stream.ping()));
    await expect.poll(() => fake.stream.answers).toBeGreaterThan(answers);
    stored.resolve();
    expect((await delivering).outcome).toBe('acknowledged');
    await expect.poll(() => fake.connections().attempts).toBe(2);
    context.receive = receive;
    await fake.deliver({ text: 'Hello again' });
    await expect.poll(() => context.received.length).toBe(2);
  });
});

it('stores what it could not store when it arrived, also after it was disconnected', async () => {
  const { fake, context, adapter } = await start({ timing: { stopMs: 20, storePauseMs: 20 } });
  const { receive } = context;
  let isAway = true;
  let attempts = 0;
  context.receive = async (event) => {
    attempts += 1;
    if (isAway) throw new TypeError('The database is away');
    return receive(event);
  };
  const delivering = fake.deliver({ text: 'Hello' });
  await expect.poll(() => attempts).toBeGreaterThan(0);
  await adapter.stop();
  expect((await delivering).outcome).not.toBe('acknowledged');
  const before = attempts;
  isAway = false;
  await expect.poll(() => context.received.length).toBe(1);
  expect(attempts).toBeGreaterThan(before);
});

it('sends messages as plain text where Markdown is off', async () => {
  const { fake, adapter } = await start({ config: { markdown_card: false } });
  await fake.deliver({ text: 'Hello' });
  await adapter.send(outgoing(fake.person(), plain('| a | b |')));
  expect(fake.sent()).toMatchObject([{ text: '| a | b |' }]);
});

it('names missing permissions in a connection test', async () => {
  const { fake, implementation, config, context } = await start();
  const test = () =>
    implementation.test?.(config, { ...context, webhook_url: null, signal: AbortSignal.timeout(5000) });
  expect(await test()).toEqual({ id: fake.accountId, name: 'Parley', findings: [] });
  fake.api.scopes.clear();
  const text = (scope: string) => ({ en_US: expect.stringContaining(scope) });
  expect((await test())?.findings).toMatchObject([
    { field: 'robot_code', text: text('qyapi_robot_sendmsg') },
    { field: 'enable-stream-reply', text: text('Card.Instance.Write') },
    { field: 'enable-stream-reply', text: text('Card.Streaming.Write') },
  ]);
  expect(fake.sent()).toEqual([]);
});
