import { outgoingMessage, plain, RecordedProgress } from '@parley/sdk/testing';
import { describe, expect, it } from 'vitest';
import { slackTests } from './testing/start-adapter.ts';

const start = slackTests();
const question = { platform_message_id: '', sender_id: 'U0ADA' };
type Chat = 'person' | 'group' | 'thread';

describe.each<Chat>(['person', 'group', 'thread'])('a message whose response was lost: %s', (chat) => {
  it('is found when it is sent', async () => {
    const { fake, adapter } = await start();
    fake.workspace.scopes.add('channels:history');
    fake.fail('send', 'cut');
    const sent = await adapter.send(outgoingMessage(plain('Once'), fake[chat]()), new RecordedProgress());
    const [shown] = fake.sent();
    expect(fake.sent().map(({ text }) => text)).toEqual(['Once']);
    expect(sent.platform_message_id).toMatch(new RegExp(`/${shown?.id}$`));
  });

  it('is found by the next process, and completed', async () => {
    const { fake, adapter, restart } = await start();
    fake.workspace.scopes.add('channels:history');
    const progress = new RecordedProgress();
    fake.fail('send', 'silence');
    const message = outgoingMessage(plain('The whole'), fake[chat](), question);
    const stream = await adapter.stream?.(message, progress);
    const updating = stream?.update(plain('The start')).catch(() => undefined);
    await expect.poll(() => fake.sent().length).toBe(1);
    const stored = new RecordedProgress(progress.handle);
    const next = await restart();
    await updating;
    await next.send(message, stored);
    expect(fake.sent().map(({ text, isUnfinished }) => [text, isUnfinished])).toEqual([['The whole', false]]);
  });
});

it('is unknown where the app may not read the channel', async () => {
  const { fake, adapter } = await start();
  fake.fail('send', 'cut');
  const progress = new RecordedProgress();
  const message = outgoingMessage(plain('Once'), fake.group());
  await expect(adapter.send(message, progress)).rejects.toMatchObject({ kind: 'unknown', isRepeatable: false });
  const interrupted = new RecordedProgress(progress.handle, true);
  await expect(adapter.send(message, interrupted)).rejects.toMatchObject({ kind: 'unknown', reason: 'interrupted' });
  fake.workspace.scopes.add('channels:history');
  await adapter.send(message, new RecordedProgress(progress.handle, true));
  expect(fake.sent().map(({ text }) => text)).toEqual(['Once']);
});

it('another answer in the thread with the same start is left alone', async () => {
  const { fake, adapter } = await start();
  fake.workspace.scopes.add('channels:history');
  const thread = fake.thread();
  for (const text of ['Yes.', 'Yes!']) {
    await adapter.send(outgoingMessage(plain(text), thread), new RecordedProgress());
  }
  fake.fail('send', 'cut');
  const stream = await adapter.stream?.(outgoingMessage([], thread, question), new RecordedProgress());
  await expect(stream?.update(plain('Yes'))).rejects.toMatchObject({ kind: 'unknown' });
  expect(fake.sent().map(({ text }) => text)).toEqual(['Yes.', 'Yes!', 'Yes']);
});

it('answers before the question are not taken for the answer', async () => {
  const { fake, adapter } = await start();
  fake.workspace.scopes.add('channels:history');
  const thread = fake.thread();
  await adapter.send(outgoingMessage(plain('Yes.'), thread), new RecordedProgress());
  const { id } = await fake.deliver({ chat: thread, text: 'Really?' });
  fake.fail('send', 'cut');
  const asked = { ...question, platform_message_id: `${thread.session_id}/${id}` };
  const stream = await adapter.stream?.(outgoingMessage([], thread, asked), new RecordedProgress());
  await stream?.update(plain('Yes'));
  await stream?.finish(plain('Yes, really'));
  expect(fake.sent().map(({ text }) => text)).toEqual(['Yes.', 'Yes, really']);
});
