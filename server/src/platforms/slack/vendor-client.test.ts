import { SocketModeClient } from '@slack/socket-mode';
import { type Logger, LogLevel, WebClient } from '@slack/web-api';
import { afterEach, expect, it } from 'vitest';
import { type FakeSlack, startFakeSlack } from './testing/fake-slack.ts';

const ignored = () => undefined;
const logger: Logger = {
  debug: ignored,
  info: ignored,
  warn: ignored,
  error: ignored,
  setLevel: ignored,
  getLevel: () => LogLevel.ERROR,
  setName: ignored,
};
let fake: FakeSlack;
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await fake.close();
});

/** Slack's client of the Web API, with a token of the fake. */
async function webClient(): Promise<WebClient> {
  fake = await startFakeSlack('socket');
  const { bot_token, api_base_url } = fake.config() as Record<string, string>;
  return new WebClient(bot_token, { slackApiUrl: `${api_base_url}/`, logger, retryConfig: { retries: 0 } });
}

it('answers a message that it received in socket mode', async () => {
  const web = await webClient();
  const { app_token, api_base_url } = fake.config() as Record<string, string>;
  const clientOptions = { slackApiUrl: `${api_base_url}/`, retryConfig: { retries: 0 } };
  const socket = new SocketModeClient({
    appToken: app_token ?? '',
    clientOptions,
    logger,
    autoReconnectEnabled: false,
  });
  closing.push(() => socket.disconnect());
  const received: unknown[] = [];
  socket.on('message', async ({ ack, event }) => {
    received.push(event.text);
    await ack();
    const { ts } = await web.chat.postMessage({ channel: event.channel, text: 'Good day' });
    await web.chat.update({ channel: event.channel, ts: ts ?? '', text: 'Good evening' });
  });
  await socket.start();
  expect(fake.connections().open).toBe(1);
  expect((await fake.deliver({ text: 'Hello 你好' })).outcome).toBe('acknowledged');
  expect(received).toEqual(['Hello 你好']);
  await expect
    .poll(() => fake.sent())
    .toMatchObject([{ chat: fake.person(), history: [{ text: 'Good day' }, { text: 'Good evening' }] }]);
  expect(fake.violations()).toEqual([]);
});

it('streams an answer into a thread, and sends a file', async () => {
  const web = await webClient();
  const { session_id: channel, thread_id: thread_ts } = fake.thread();
  const { team_id: recipient_team_id } = (await web.auth.test()) as { team_id: string };
  const stream = web.chatStream({
    channel,
    thread_ts,
    recipient_team_id,
    recipient_user_id: fake.userId,
    buffer_size: 1,
  });
  await stream.append({ markdown_text: 'One' });
  expect(fake.sent()).toMatchObject([{ chat: fake.thread(), text: 'One', isUnfinished: true }]);
  await stream.append({ markdown_text: ' two' });
  await stream.stop({ markdown_text: ' three' });
  expect(fake.sent()).toMatchObject([{ text: 'One two three', isUnfinished: false }]);
  const ts = fake.sent()[0]?.id ?? '';
  await expect(web.chat.appendStream({ channel, ts, markdown_text: '!' })).rejects.toThrow(
    'message_not_in_streaming_state',
  );
  await web.files.uploadV2({ channel_id: channel, thread_ts, filename: 'list.txt', file: Buffer.from('The content') });
  const [media] = fake.sent().flatMap((shown) => shown.media);
  expect(media).toMatchObject({ name: 'list.txt', content: new Uint8Array(Buffer.from('The content')) });
  expect(fake.violations()).toEqual([]);
});
