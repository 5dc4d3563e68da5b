import { randomBytes } from 'node:crypto';
import type { DeliveryError, MessageChain } from '@parley/sdk';
import { expect, it } from 'vitest';
import { noProgress } from '../../kit/streams/no-progress.ts';
import { outgoing, wecomBotTests } from './testing/start-adapter.ts';

const start = wecomBotTests();
type Started = Awaited<ReturnType<typeof start>>;
const plain = (text: string): MessageChain => [{ type: 'Plain', text }];
/** A user writes. @returns what answers need */
async function ask({ fake, context }: Started, chat = fake.person()) {
  await fake.deliver({ chat, text: 'Hello' });
  await expect.poll(() => context.received.length).toBe(1);
  return context.received[0]?.reply_context;
}
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error as DeliveryError,
  );

it('gives up when another program takes over, and says what to do', async () => {
  const { fake, context } = await start();
  fake.takeOver();
  await expect.poll(() => context.reports.at(-1)?.state).toBe('failed');
  expect(context.reports.at(-1)).toMatchObject({
    reason: 'invalid_request',
    message: expect.stringMatching(/^Another program connected with this bot ID.*enable it again/),
  });
  expect(fake.connections()).toEqual({ open: 0, attempts: 1 });
});

it('sends a frame again that meets a conflict', async () => {
  const { fake, adapter } = await start();
  fake.answerWith(6000, 3);
  await adapter.send(outgoing(fake.person(), plain('News')));
  expect(fake.sent()).toMatchObject([{ text: 'News' }]);
  fake.answerWith(6000, 4);
  expect(await failureOf(adapter.send(outgoing(fake.person(), plain('More'))))).toMatchObject({ kind: 'not_sent' });
});

it('answers unsolicited, with pictures, when the platform does not know the question any more', async () => {
  const started = await start();
  const { fake, adapter } = started;
  const reply = await ask(started, fake.group());
  fake.spendWindow('msg1');
  const base64 = Buffer.concat([Buffer.from('89504e47', 'hex'), randomBytes(10)]).toString('base64');
  const chain: MessageChain = [...plain('An answer'), { type: 'Image', base64 }];
  await adapter.send(outgoing(fake.group(), chain, reply));
  expect(fake.sent()).toMatchObject([
    { chat: fake.group(), text: 'An answer', media: [] },
    { chat: fake.group(), text: '', media: [{ kind: 'image' }] },
  ]);
  const stream = await adapter.stream?.(outgoing(fake.group(), [], reply), noProgress);
  expect(await failureOf(stream?.update(plain('Start')) ?? Promise.resolve())).toMatchObject({ kind: 'refused' });
});

it('uploads files in chunks, and pictures that are no end of a stream', async () => {
  const started = await start();
  const { fake, adapter } = started;
  const reply = await ask(started);
  const content = randomBytes(1_200_000);
  const chain: MessageChain = [
    { type: 'File', name: 'list.bin', base64: content.toString('base64') },
    { type: 'Voice', base64: Buffer.from('#!AMR\n sound').toString('base64') },
    { type: 'Image', base64: Buffer.from('GIF89a picture').toString('base64') },
  ];
  await adapter.send(outgoing(fake.person(), chain, reply));
  const media = fake.sent().flatMap((shown) => shown.media);
  expect(media.map(({ kind }) => kind)).toEqual(['file', 'voice', 'file']);
  expect(Buffer.from(media[0]?.content ?? []).equals(content)).toBe(true);
});

it('sends at most 30 messages a minute into a conversation, and keeps some for the ends of answers', async () => {
  const started = await start();
  const { fake, adapter } = started;
  const reply = await ask(started);
  const message = outgoing(fake.person(), [], reply);
  const stream = await adapter.stream?.(message, noProgress);
  for (let length = 1; length <= 40; length += 1) await stream?.update(plain('a'.repeat(length)));
  expect(fake.sent()[0]?.text).toBe('a'.repeat(20));
  await stream?.finish(plain('a'.repeat(41)));
  expect(fake.sent()).toMatchObject([{ text: 'a'.repeat(41), isUnfinished: false }]);
  for (let sent = 0; sent < 9; sent += 1) await adapter.send(outgoing(fake.person(), plain('More')));
  const failure = await failureOf(adapter.send(outgoing(fake.person(), plain('Too much'))));
  expect(failure).toMatchObject({ kind: 'not_sent', reason: 'quota', rateLimit: { scope: 'chat' } });
  expect(failure?.rateLimit?.pauseMs).toBeGreaterThan(50_000);
  await adapter.send(outgoing(fake.group(), plain('Elsewhere')));
  expect(fake.sent().at(-1)?.text).toBe('Elsewhere');
});

it('does not finish a stream twice when the response to its end is lost', async () => {
  const started = await start();
  const { fake, adapter } = started;
  const reply = await ask(started);
  const message = outgoing(fake.person(), plain('An answer'), reply);
  fake.fail('send', 'silence');
  expect(await failureOf(adapter.send(message))).toMatchObject({ kind: 'unknown', isRepeatable: true });
  await adapter.send(message);
  expect(fake.sent()).toMatchObject([{ text: 'An answer', isUnfinished: false }]);
});

it('does not send an answer again that may be there, when its question is not known any more', async () => {
  const started = await start();
  const { fake, adapter, context } = started;
  const message = outgoing(fake.person(), plain('An answer'), await ask(started));
  fake.fail('send', 'cut');
  expect(await failureOf(adapter.send(message))).toMatchObject({ kind: 'unknown', isRepeatable: true });
  fake.spendWindow('msg1');
  await expect.poll(() => context.reports.at(-1)?.state).toBe('connected');
  expect(await failureOf(adapter.send(message))).toMatchObject({ kind: 'unknown', isRepeatable: false });
  expect(fake.sent()).toHaveLength(1);
});

it('says that it is unknown whether an interrupted answer was completed', async () => {
  const started = await start();
  const { fake, adapter } = started;
  const reply = await ask(started);
  const message = outgoing(fake.person(), plain('An answer'), reply);
  const stored: unknown[] = [];
  const store = async (handle: unknown) => void stored.push(structuredClone(handle));
  const stream = await adapter.stream?.(message, { ...noProgress, store });
  await stream?.update(plain('An'));
  await stream?.finish(plain('An answer'));
  await adapter.stop();
  await adapter.start();
  const progress = { handle: stored.at(-1), isInterrupted: true, store };
  expect(await failureOf(adapter.send(message, progress))).toMatchObject({ kind: 'unknown', reason: 'interrupted' });
  expect(fake.sent()).toHaveLength(1);
});

it('greets a user with the event, and takes likes and dislikes', async () => {
  const { fake, adapter, context } = await start();
  await fake.addBot();
  await expect.poll(() => context.notices).toMatchObject([{ type: 'bot_added', session_id: 'ada' }]);
  const [notice] = context.notices;
  const greeting = notice?.type === 'bot_added' ? notice.reply_context : undefined;
  await adapter.send(outgoing(fake.person(), plain('Welcome'), greeting));
  expect(fake.sent()).toMatchObject([{ text: 'Welcome' }]);

  await fake.deliver({ text: 'Hello' });
  await expect.poll(() => context.received.length).toBe(1);
  const id = `a-stream ${context.received[0]?.platform_message_id}`;
  await fake.judge(id, 2, 'Wrong');
  await fake.judge(id, 3);
  await fake.judge('', 1);
  await fake.deliver({ text: 'Still there' });
  await expect.poll(() => context.received.length).toBe(2);
  expect(context.feedback).toEqual([
    {
      feedback_id: id,
      feedback_type: 2,
      feedback_content: 'Wrong',
      inaccurate_reasons: ['2', '4'],
      stream_id: 'a-stream',
      message_id: context.received[0]?.platform_message_id,
      user_id: 'ada',
      session_type: 'person',
      session_id: 'ada',
    },
  ]);
});

it('stores what has arrived after it was disconnected, in order, and before what its next connection receives', async () => {
  const { fake, adapter, context } = await start({ timing: { stopMs: 20 } });
  const { receive } = context;
  let isAway = true;
  let attempts = 0;
  context.receive = async (event) => {
    attempts += 1;
    if (isAway) throw new TypeError('The database is away');
    return receive(event);
  };
  for (const text of ['first', 'second']) await fake.deliver({ text });
  await expect.poll(() => attempts).toBeGreaterThan(1);
  await adapter.stop();
  await adapter.start();
  await fake.deliver({ text: 'third' });
  const before = attempts;
  await expect.poll(() => attempts).toBeGreaterThan(before);
  isAway = false;
  const stored = () => context.received.map(({ message_chain }) => message_chain.at(-1));
  await expect.poll(() => stored().length).toBe(3);
  expect(stored()).toMatchObject([{ text: 'first' }, { text: 'second' }, { text: 'third' }]);
});

it('tests the address without taking over the connection', async () => {
  const { fake, config, implementation, context } = await start();
  const { fetch, openSocket } = context;
  const signal = AbortSignal.timeout(1000);
  const result = await implementation.test?.(config, { fetch, openSocket, webhook_url: null, signal });
  expect(result).toMatchObject({ id: fake.accountId, findings: [{ level: 'warning', field: 'Secret' }] });
  await fake.goAway();
  await expect(implementation.test?.(config, { fetch, openSocket, webhook_url: null, signal })).rejects.toMatchObject({
    reason: 'platform_failed',
  });
});
