import { randomBytes } from 'node:crypto';
import { WSClient } from '@wecom/aibot-node-sdk';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type FakeWecomBot, startFakeWecomBot } from './testing/fake-wecombot.ts';

const ignored = () => undefined;
const logger = { error: ignored, warn: ignored, info: ignored, debug: ignored };
let fake: FakeWecomBot;
let client: WSClient;
beforeEach(async () => {
  fake = await startFakeWecomBot();
});
afterEach(async () => {
  client.disconnect();
  await fake.close();
});

const connect = (over: { secret?: string } = {}) => {
  const { BotId: botId, Secret: secret, websocket_url: wsUrl } = fake.config() as Record<string, string>;
  const given = { botId: String(botId), secret: over.secret ?? String(secret), wsUrl: String(wsUrl) };
  client = new WSClient({ ...given, logger, maxAuthFailureAttempts: 1, maxReconnectAttempts: 0 });
  return client;
};

it("streams an answer through the vendor's client", async () => {
  const texts: unknown[] = [];
  connect().on('message.text', (frame) => {
    texts.push(frame.body?.text.content);
    const answer = async () => {
      await client.replyStream(frame, 'a-stream', 'Good', false, undefined, { id: 'feedback' });
      await client.replyStream(frame, 'a-stream', 'Good day', true);
    };
    void answer();
  });
  client.connect();
  await fake.deliver({ text: 'Hello 你好' });
  await expect.poll(() => fake.sent()).toMatchObject([{ id: 'a-stream', text: 'Good day', isUnfinished: false }]);
  expect(fake.sent()[0]?.history.map(({ text }) => text)).toEqual(['Good', 'Good day']);
  expect(texts).toEqual(['Hello 你好']);
  expect(fake.violations()).toEqual([]);
});

it('uploads, sends unasked and downloads', async () => {
  const content = randomBytes(1_300_000);
  const received: Buffer[] = [];
  connect().on('message.image', (frame) => {
    const { url = '', aeskey = '' } = frame.body?.image ?? {};
    void client.downloadFile(url, aeskey).then(({ buffer }) => received.push(buffer));
  });
  const ready = new Promise<void>((resolve) => client.on('authenticated', resolve));
  client.connect();
  await ready;
  const { media_id } = await client.uploadMedia(content, { type: 'file', filename: 'list.bin' });
  await client.sendMediaMessage(fake.group().session_id, 'file', media_id);
  await client.sendMessage(fake.person().session_id, { msgtype: 'markdown', markdown: { content: 'News' } });
  const [file, text] = fake.sent();
  expect(file?.media).toMatchObject([{ name: 'list.bin' }]);
  expect(Buffer.from(file?.media[0]?.content ?? []).equals(content)).toBe(true);
  expect(text).toMatchObject({ chat: fake.person(), text: 'News' });
  await fake.deliver({ media: [{ kind: 'image', name: 'cat.png', content }] });
  await expect.poll(() => received.some((one) => one.equals(content))).toBe(true);
  expect(fake.violations()).toEqual([]);
});

it('is refused with a wrong secret, and told when it is taken over', async () => {
  const errors: Error[] = [];
  connect({ secret: 'wrong' }).on('error', (error) => errors.push(error));
  client.connect();
  await expect.poll(() => errors.map(({ message }) => message)).toContainEqual(expect.stringContaining('853000'));
  client.disconnect();
  let isTakenOver = false;
  connect().on('event.disconnected_event', () => {
    isTakenOver = true;
  });
  client.connect();
  await expect.poll(() => fake.connections().open).toBe(1);
  await fake.deliver({ text: 'Are you there?' });
  fake.takeOver();
  await expect.poll(() => isTakenOver).toBe(true);
});
