import type { MessageChain } from '@parley/sdk';
import { expect, it } from 'vitest';
import { noProgress } from '../../kit/streams/no-progress.ts';
import { outgoing, wecomBotTests } from './testing/start-adapter.ts';

const start = wecomBotTests();
const plain = (text: string): MessageChain => [{ type: 'Plain', text }];
const mode = 'webhook' as const;

it('sends what the stream cannot show any more as the one reply', async () => {
  const { fake, adapter, context } = await start({ mode, timing: { fetchMs: 100 } });
  await fake.deliver({ text: 'Hello' });
  const { reply_context } = context.received[0] ?? {};
  expect(reply_context).toMatchObject({ uses: 2 });
  const stream = await adapter.stream?.(outgoing(fake.person(), [], reply_context), noProgress);
  await stream?.update(plain('The start'));
  await expect.poll(() => fake.sent().map(({ text }) => text)).toEqual(['The start']);
  fake.closeStream();
  // A request that is under way would bring the end.
  await fake.settled();
  await stream?.finish(plain('The start, and the end'));
  expect(fake.sent().map(({ text }) => text)).toEqual(['The start', ', and the end']);
  await expect(adapter.send(outgoing(fake.person(), plain('More'), reply_context))).rejects.toMatchObject({
    kind: 'refused',
    reason: 'reply_expired',
  });
});

it('begins the same stream when a message is delivered again', async () => {
  const { fake, adapter, context } = await start({ mode });
  const { id } = await fake.deliver({ text: 'Hello' });
  await fake.redeliver(id);
  await adapter.send(outgoing(fake.person(), plain('An answer'), context.received[0]?.reply_context));
  expect(fake.sent()).toMatchObject([{ text: 'An answer', isUnfinished: false }]);
});

it('ends the stream of a message that is not answered, unless an answer is being generated', async () => {
  const { fake, adapter, context } = await start({ mode, timing: { unansweredMs: 60, streamMs: 5000 } });
  await fake.deliver({ text: 'Not for the bot' });
  await expect.poll(async () => (await fake.pollStream())?.isFinished).toBe(true);
  expect(fake.sent()).toEqual([]);
  // A late answer is the one reply.
  await adapter.send(outgoing(fake.person(), plain('Late'), context.received[0]?.reply_context));
  expect(fake.sent()).toMatchObject([{ text: 'Late' }]);

  await fake.deliver({ text: 'For the bot' });
  const message = outgoing(fake.person(), plain('An answer'), context.received[1]?.reply_context);
  const until = Date.now() + 150;
  while (Date.now() < until) {
    await adapter.showTyping?.(message.target);
    expect((await fake.pollStream())?.isFinished).toBe(false);
  }
  const sent = await adapter.send(message);
  expect(sent.platform_message_id).toBe(fake.sent()[1]?.id);
});

it('greets a user in the response to the event', async () => {
  const { fake, adapter, context } = await start({ mode, config: { welcome_text: 'Welcome' } });
  const added = fake.addBot();
  await expect.poll(() => context.notices.length).toBe(1);
  const [notice] = context.notices;
  const greeting = notice?.type === 'bot_added' ? notice.reply_context : undefined;
  await adapter.send(outgoing(fake.person(), plain('Welcome'), greeting));
  expect((await added).outcome).toBe('acknowledged');
  expect(fake.sent()).toMatchObject([{ text: 'Welcome' }]);
  // Without a text in time, the event is only acknowledged.
  expect((await fake.addBot()).outcome).toBe('acknowledged');
  expect(fake.sent()).toHaveLength(1);
});

it('sends pictures at the end of a stream, and no other files', async () => {
  const { fake, adapter, context } = await start({ mode });
  await fake.deliver({ text: 'Hello' });
  const { reply_context } = context.received[0] ?? {};
  const file: MessageChain = [{ type: 'File', name: 'list.txt', base64: 'bGlzdA==' }];
  await expect(adapter.send(outgoing(fake.person(), file, reply_context))).rejects.toMatchObject({
    reason: 'unsupported_element',
  });
  const picture = Buffer.from('ffd8ff00', 'hex').toString('base64');
  await adapter.send(outgoing(fake.person(), [{ type: 'Image', base64: picture }], reply_context));
  await expect.poll(() => fake.sent().flatMap(({ media }) => media.length)).toEqual([1]);
});

it.each(['BotId', 'Token', 'EncodingAESKey'])('does not start without %s', async (field) => {
  await expect(start({ mode, config: { [field]: ' ' } })).rejects.toMatchObject({
    reason: 'invalid_request',
    details: [{ path: field }],
  });
});
