import type { MessageStream, PlatformAdapter } from '@parley/sdk';
import { type FakeChat, outgoingMessage, plain, RecordedProgress } from '@parley/sdk/testing';
import { describe, expect, it } from 'vitest';
import type { FakeSlack } from './testing/fake-slack.ts';
import { slackTests } from './testing/start-adapter.ts';

const start = slackTests();

/** An answer to a question in a chat. */
async function answering(adapter: PlatformAdapter, chat: FakeChat, progress = new RecordedProgress()) {
  const question = { platform_message_id: 'C0TALK/1700000000.000001', sender_id: 'U0ADA' };
  return (await adapter.stream?.(outgoingMessage([], chat, question), progress)) as MessageStream;
}

async function shows(stream: MessageStream, ...texts: string[]): Promise<void> {
  for (const text of texts.slice(0, -1)) await stream.update(plain(text));
  await stream.finish(plain(texts.at(-1) ?? ''));
}

const written = (fake: FakeSlack) => fake.workspace.calls.filter((method) => method.startsWith('chat.'));
const texts = (fake: FakeSlack) => fake.sent().map(({ text }) => text);

describe('an answer in a thread', () => {
  it('is a stream to which text is added', async () => {
    const { fake, adapter } = await start();
    await shows(await answering(adapter, fake.thread()), 'One', 'One **two**', 'One **two** three');
    expect(written(fake)).toEqual(['chat.startStream', 'chat.appendStream', 'chat.stopStream']);
    expect(texts(fake)).toEqual(['One **two** three']);
  });

  it('is edited where it does not continue what is shown', async () => {
    const { fake, adapter } = await start();
    await shows(await answering(adapter, fake.thread()), 'One secret', 'One ***', 'One *** two');
    expect(written(fake)).toEqual(['chat.startStream', 'chat.stopStream', 'chat.update', 'chat.update']);
    expect(texts(fake)).toEqual(['One *** two']);
    expect(fake.sent()[0]?.isUnfinished).toBe(false);
  });

  it('notifies no one, also with a mention that is cut in two', async () => {
    const { fake, adapter } = await start();
    await shows(
      await answering(adapter, fake.thread()),
      'Hello <',
      'Hello <!',
      'Hello <!channel> and <@U0BOB>',
      '<@U0BOB>',
    );
    const { notifies, history } = fake.sent()[0] ?? {};
    expect(notifies).toEqual([]);
    expect(history?.map(({ text }) => text.replaceAll('\u2060', ''))).toContain('Hello @channel and @U0BOB');
    expect(written(fake).filter((method) => method === 'chat.appendStream')).toHaveLength(2);
  });

  it('mentions users by elements', async () => {
    const { fake, adapter } = await start();
    const stream = await answering(adapter, fake.thread());
    const chain = [{ type: 'At', target: 'U0ADA' } as const, ...plain(' yes')];
    await stream.update(chain);
    await stream.finish(chain);
    expect(fake.sent()).toMatchObject([{ text: '@U0ADA yes', notifies: ['U0ADA'] }]);
  });

  it.each(['unknown_method', 'not_allowed_token_type', 'missing_scope', 'feature_not_enabled'])(
    'is edited from then on when Slack refuses streams: %s',
    async (error) => {
      const { fake, adapter } = await start();
      fake.workspace.streams.refusal = error;
      await shows(await answering(adapter, fake.thread()), 'One', 'One two', 'One two');
      await shows(await answering(adapter, fake.thread()), 'Three', 'Three four');
      const edited = ['chat.postMessage', 'chat.update'];
      expect(written(fake)).toEqual(['chat.startStream', ...edited, ...edited]);
      expect(texts(fake)).toEqual(['One two', 'Three four']);
    },
  );

  it('is edited when Slack refuses this stream only', async () => {
    const { fake, adapter } = await start();
    fake.workspace.streams.refusal = 'channel_type_not_supported';
    await shows(await answering(adapter, fake.thread()), 'One', 'One two');
    fake.workspace.streams.refusal = null;
    await shows(await answering(adapter, fake.thread()), 'Three', 'Three four');
    expect(written(fake)).toEqual([
      'chat.startStream',
      ...['chat.postMessage', 'chat.update'],
      ...['chat.startStream', 'chat.stopStream'],
    ]);
  });

  it('is edited when too many streams were started', async () => {
    const { fake, adapter } = await start();
    fake.limit({ route: 'send', after: 0, pause: { seconds: 60 }, times: 1 });
    await shows(await answering(adapter, fake.thread()), 'One', 'One two');
    expect(written(fake)).toEqual(['chat.postMessage', 'chat.update']);
    expect(texts(fake)).toEqual(['One two']);
  });

  it('is replaced when it is unknown what was added', async () => {
    const { fake, adapter } = await start();
    const stream = await answering(adapter, fake.thread());
    await stream.update(plain('One'));
    fake.fail('edit', 'cut');
    await expect(stream.update(plain('One two'))).rejects.toMatchObject({ kind: 'unknown', isRepeatable: true });
    await stream.finish(plain('One two three'));
    expect(texts(fake)).toEqual(['One two three']);
  });
});

it('answers outside of threads are edited', async () => {
  const { fake, adapter } = await start();
  await shows(await answering(adapter, fake.group()), 'One', 'One two');
  await shows(await answering(adapter, fake.person()), 'Three', 'Three four');
  expect(written(fake)).not.toContain('chat.startStream');
  expect(texts(fake)).toEqual(['One two', 'Three four']);
});

it('the fake ends streams after five minutes, and limits calls by their tiers', async () => {
  const { fake, adapter } = await start();
  const stream = await answering(adapter, fake.thread());
  await stream.update(plain('One'));
  fake.advance(5 * 60_000);
  expect(fake.sent()[0]?.isUnfinished).toBe(false);
  await stream.finish(plain('One two'));
  expect(texts(fake)).toEqual(['One two']);
  const { bot_token, api_base_url } = fake.config();
  const call = (method: string) =>
    fetch(`${api_base_url}/${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bot_token}` },
      body: '{}',
    });
  const statuses: number[] = [];
  for (let count = 0; count < 25; count += 1) statuses.push((await call('chat.startStream')).status);
  expect(statuses.indexOf(429)).toBeGreaterThan(20);
});
