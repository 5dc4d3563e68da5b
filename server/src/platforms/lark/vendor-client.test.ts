import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, EventDispatcher, WSClient } from '@larksuiteoapi/node-sdk';
import { afterEach, expect, it } from 'vitest';
import { FakeLark } from './testing/fake-lark.ts';

const ignored = () => undefined;
const logger = { error: ignored, warn: ignored, info: ignored, debug: ignored, trace: ignored };
let fake: FakeLark;
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await fake.close();
});

it('exchanges messages with the fake over its long connection', async () => {
  fake = await FakeLark.start();
  const { app_id: appId, app_secret: appSecret } = fake.config() as { app_id: string; app_secret: string };
  const settings = { appId, appSecret, domain: fake.url, logger };
  const client = new Client(settings);
  const received: unknown[] = [];
  const eventDispatcher = new EventDispatcher({ logger }).register({
    'im.message.receive_v1': async ({ message }) => {
      received.push(JSON.parse(message.content));
      await client.im.v1.message.reply({
        path: { message_id: message.message_id },
        data: { msg_type: 'text', content: JSON.stringify({ text: 'Good day' }) },
      });
    },
  });
  const socket = new WSClient({ ...settings, autoReconnect: false });
  closing.push(() => socket.close({ force: true }));
  await socket.start({ eventDispatcher });
  await expect.poll(() => fake.connections().open).toBe(1);
  const { outcome, id } = await fake.deliver({ text: 'Hello 你好' });
  expect(outcome).toBe('acknowledged');
  expect(received).toEqual([{ text: 'Hello 你好' }]);
  await expect.poll(() => fake.sent()).toMatchObject([{ text: 'Good day', quotes: id }]);
  expect(fake.violations()).toEqual([]);
});

it('reads the signed and encrypted events of the fake', async () => {
  fake = await FakeLark.start({ mode: 'webhook' });
  const { 'encrypt-key': encryptKey } = fake.config() as { 'encrypt-key': string };
  const received: unknown[] = [];
  const dispatcher = new EventDispatcher({ encryptKey, logger }).register({
    'im.message.receive_v1': async ({ message }) => void received.push(JSON.parse(message.content)),
  });
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    await dispatcher.invoke(Object.assign(Object.create({ headers: request.headers }), JSON.parse(body)));
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  const { port } = server.address() as AddressInfo;
  fake.enterAddress({ url: `http://127.0.0.1:${port}` });
  expect((await fake.deliver({ text: 'Hello' })).outcome).toBe('acknowledged');
  expect(received).toEqual([{ text: 'Hello' }]);
  await fake.forge('wrong_signature');
  expect(received).toHaveLength(1);
});
