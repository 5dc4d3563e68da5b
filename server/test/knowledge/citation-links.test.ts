import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { textOfChain } from '@parley/sdk';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { linesAt, makePdf } from '../../src/parsers/pdf/testing/make-pdf.ts';
import { promptPassages } from '../../src/runners/local-agent/testing/knowledge-questions.ts';
import { type ApiClient, apiClient, openChat } from '../end-to-end/api-client.ts';
import { createFakePlatform } from '../factories/fake-platform.ts';
import { startTestService, type TestAnswer, type TestService } from '../factories/start-test-service.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../fakes/openai-server.ts';
import { messageEvent } from '../stores/ledger-records.ts';

const patience = { timeout: 30_000, interval: 50 };
const publicUrl = 'https://bots.example.com';
const quote = 'cool down for 30 minutes';
const secret = 'The master code of the factory is 4711.';
const manual = makePdf([
  [
    { text: 'Cooling', x: 60, y: 60, size: 24, bold: true },
    ...linesAt(60, 100, [`The drill must ${quote} after two hours.`], 13),
  ],
  [
    { text: 'Service', x: 60, y: 60, size: 24, bold: true },
    ...linesAt(60, 100, [secret, 'Only the service uses it.'], 13),
  ],
]);

const fake = createFakePlatform({ elements: ['Plain'] });
let service: TestService;
let model: FakeOpenAi;
let api: ApiClient;
let pipeline = '';
let base = '';
let document = '';

beforeAll(async () => {
  model = await startFakeOpenAi((index) => {
    const told = (model.requests[index]?.body?.messages ?? []) as { role: string; content: string }[];
    const shown = promptPassages(told.findLast(({ role }) => role === 'user')?.content ?? '');
    const cooling = shown.find(({ text }) => text.includes(quote))?.number;
    return { kind: 'answer', chunks: [`Half an hour [${cooling}: "${quote}"].`] };
  });
  service = await startTestService({
    config: { publicUrl },
    extensions: { platforms: [fake.platform] },
    bots: [{ adapter: 'fake' }],
  });
  api = apiClient(service.address, service.account.token);
  const { uuid } = await api.data('POST', '/provider/models/llm', {
    name: 'Large',
    provider: { requester: 'openai-chat-completions', base_url: model.base_url, api_keys: [] },
  });
  base = (
    await api.data('POST', '/knowledge/bases', {
      name: 'Manuals',
      knowledge_engine_plugin_id: 'parley/built-in',
      creation_settings: { chunk_size: 200, chunk_overlap: 0 },
    })
  ).uuid;
  const { body } = await api.upload('<b>manual.pdf', new Uint8Array(manual));
  const { files } = await api.data('POST', `/knowledge/bases/${base}/files`, { file_id: body.data.file_id });
  document = files[0].uuid;
  const isReady = async () => expect((await api.data('GET', documentPath())).file.status).toBe('completed');
  await vi.waitFor(isReady, patience);
  const { pipelines } = await api.data('GET', '/pipelines');
  pipeline = pipelines[0].uuid;
  await configure('ai', 'local-agent', { model: { primary: uuid, fallbacks: [] }, 'knowledge-bases': [base] });
  const { bots } = await api.data('GET', '/platform/bots');
  for (const bot of bots) await api.data('PUT', `/platform/bots/${bot.uuid}`, { use_pipeline_uuid: pipeline });
}, 60_000);
afterAll(async () => {
  await service?.stop();
  await model?.close();
});
afterEach(() => {
  vi.useRealTimers();
});

const documentPath = () => `/knowledge/bases/${base}/files/${document}`;

async function configure(tab: string, group: string, fields: object) {
  const { config } = (await api.data('GET', `/pipelines/${pipeline}`)).pipeline;
  Object.assign(config[tab][group], fields);
  await api.data('PUT', `/pipelines/${pipeline}`, { config });
}

/** Asks the bot of the messaging platform. @returns what it sent */
async function ask(): Promise<string> {
  const before = fake.sent.length;
  const adapter = fake.up().at(-1);
  await adapter?.context.receive(messageEvent('How long must the drill cool down after use?'));
  await vi.waitFor(() => expect(fake.sent.length).toBeGreaterThan(before), patience);
  return textOfChain(fake.sent.at(-1)?.message_chain ?? []);
}

let address = 0;
/** Opens a link as a browser does, each time from another network. */
function open(
  link: string,
  over: { method?: string; headers?: Record<string, string>; remoteAddress?: string } = {},
): Promise<TestAnswer> {
  address += 1;
  return service.request({ url: link.slice(publicUrl.length), remoteAddress: `192.0.2.${address}`, ...over });
}

const linkIn = (text: string) => /https:\/\/\S+/.exec(text)?.[0] ?? '';
const pagesFolder = () => join(service.config.dataDir, 'cache', 'pages');

describe('an answer on a messaging platform', () => {
  it('output.misc.citation-links: has no links unless the pipeline says so', async () => {
    expect(await ask()).toBe('Half an hour [1].\n\n[1] _b_manual.pdf, p. 1');
  });

  it('has a link for each source, which shows the cited passage and nothing else', async () => {
    await configure('output', 'misc', { 'citation-links': true });
    const text = await ask();
    expect(text).toMatch(
      /^Half an hour \[1\]\.\n\n\[1\] _b_manual\.pdf, p\. 1 https:\/\/bots\.example\.com\/cited\/[\w-]{76}$/,
    );
    const { status, text: html, headers } = await open(linkIn(text));
    expect(status).toBe(200);
    expect(html).toContain('<h1>&lt;b&gt;manual.pdf</h1><p>Page 1</p>');
    expect(html).toContain(`<mark>${quote}</mark>`);
    expect(html).not.toContain('4711');
    expect(html).not.toMatch(/<script|href|src=/);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-robots-tag': 'noindex, nofollow, noarchive',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
    });
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['set-cookie']).toBeUndefined();
    expect((await open(linkIn(text), { method: 'HEAD' })).text).toBe('');
    expect((await open(linkIn(text), { headers: { 'accept-language': 'ja' } })).text).toContain('1ページ');
  });

  it('in the web chat has none, whose messages name the sources instead', async () => {
    const chat = await openChat(service.address, { pipeline, headers: { authorization: `Bearer ${api.token}` } });
    chat.say('How long must the drill cool down in the chat?');
    const { data } = await chat.frame(({ type, data: message }) => type === 'response' && message.is_final);
    await chat.close();
    expect(data.content).toBe('Half an hour [1].\n\n[1] _b_manual.pdf, p. 1');
    // Programs get the frames that they know.
    expect(Object.keys(data).sort()).toEqual([
      'connection_id',
      'content',
      'id',
      'is_final',
      'message_chain',
      'role',
      'timestamp',
      'uuid',
    ]);
    const { messages } = await api.data('GET', `/pipelines/${pipeline}/ws/messages/person`);
    expect(messages.map(({ citations }: { citations?: object }) => citations)).toEqual([
      undefined,
      [{ number: 1, file_name: '<b>manual.pdf', page: 1, page_end: 1 }],
    ]);
  });
});

describe('a link', () => {
  const refused = async (link: string, status: number, text: string) => {
    const answer = await open(link);
    expect([answer.status, answer.text.includes(text)]).toEqual([status, true]);
    expect(answer.text).not.toContain(quote);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  };

  it('that was altered is not valid', async () => {
    const link = linkIn(await ask());
    const at = link.length - 10;
    const other = link[at] === 'x' ? 'y' : 'x';
    for (const altered of [
      link.slice(0, at) + other + link.slice(at + 1),
      link.slice(0, -1),
      `${link}A`,
      `${publicUrl}/cited/x`,
      `${publicUrl}/cited/%00`,
      `${publicUrl}/cited/${'A'.repeat(200)}`,
    ]) {
      await refused(altered, 404, 'not valid');
    }
    expect((await open(`${publicUrl}/cited`)).status).toBe(404);
    expect((await open(link, { method: 'POST' })).status).toBe(405);
  });

  it('output.misc.citation-link-days: expires after as many days as the pipeline said', async () => {
    await configure('output', 'misc', { 'citation-link-days': 2 });
    const link = linkIn(await ask());
    const day = 24 * 3_600_000;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * day - 60_000 });
    expect((await open(link)).status).toBe(200);
    vi.setSystemTime(Date.now() + 61_000);
    await refused(link, 410, 'expired');
  });

  it('shows nothing while the pipeline has links turned off', async () => {
    const link = linkIn(await ask());
    await configure('output', 'misc', { 'citation-links': false });
    await refused(link, 410, 'no longer available');
    await configure('output', 'misc', { 'citation-links': true });
    expect((await open(link)).status).toBe(200);
  });

  it('is rate-limited', async () => {
    const link = linkIn(await ask());
    const statuses: number[] = [];
    for (let count = 0; count < 62; count += 1)
      statuses.push((await open(link, { remoteAddress: '198.51.100.7' })).status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    const { headers } = await open(link, { remoteAddress: '198.51.100.7' });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect((await open(link)).status).toBe(200);
  });
});

describe('the passage of a citation', () => {
  const explained = async () => {
    const { messages } = await api.data('GET', '/messages?direction=inbound&limit=1');
    const { retrievals } = await api.data('GET', `/messages/${messages[0].uuid}/explain`);
    return retrievals[0].passages.find(({ cited_as }: { cited_as: number | null }) => cited_as === 1);
  };
  const locate = (body: object) => api.call('POST', `${documentPath()}/pages/locate`, body);
  const image = (page: number) =>
    service.request({ url: `/api/v1${documentPath()}/pages/${page}/image`, bearer: api.token });

  it('has the text around it, and stands on the right page', async () => {
    const { id, text, source } = await explained();
    const { document_id, file_name, start, end } = source;
    const found = { chunk_id: id, document_id, file_name, text, start, end };
    const context = await api.data('POST', `/knowledge/bases/${base}/passage-context`, found);
    expect(context).toMatchObject({ state: 'current', document: { uuid: document, shows_pages: true }, before: '' });
    expect(context.after).toContain(secret);
    const quotes = [{ start: text.indexOf(quote), end: text.indexOf(quote) + quote.length }];
    const { pages } = (await locate({ text, quotes, from: 1, to: 2 })).body.data;
    expect(pages.map(({ page }: { page: number }) => page)).toEqual([1]);
    expect(pages[0].quotes).toHaveLength(1);
    expect(pages[0].quotes[0].y).toBeCloseTo((100 - 13) / 842, 2);
  });

  it('is on a page that is drawn as an image', async () => {
    const { status, headers } = await image(1);
    expect([status, headers['content-type']]).toEqual([200, 'image/png']);
    expect(readdirSync(pagesFolder())).toEqual([expect.stringMatching(/^[0-9a-f]{64}-1$/)]);
    expect((await image(3)).body).toMatchObject({ reason: 'not_found' });
    expect((await image(0)).status).toBe(404);
  });

  it.each([
    ['pages in the wrong order', { text: 'x', quotes: [], from: 2, to: 1 }],
    ['too many pages', { text: 'x', quotes: [], from: 1, to: 21 }],
    ['a negative offset', { text: 'x', quotes: [{ start: -1, end: 1 }], from: 1, to: 1 }],
    ['too much text', { text: 'x'.repeat(100_001), quotes: [], from: 1, to: 1 }],
  ])('is not looked for in %s', async (_, body) => {
    expect(await locate(body)).toMatchObject({ status: 400, body: { reason: 'invalid_request' } });
  });

  it('is gone with its document, its images and its links', async () => {
    const link = linkIn(await ask());
    const { id, text, source } = await explained();
    await api.data('DELETE', documentPath());
    await vi.waitFor(() => expect(existsSync(pagesFolder()) ? readdirSync(pagesFolder()) : []).toEqual([]), patience);
    const answer = await open(link);
    expect([answer.status, answer.text.includes('no longer available')]).toEqual([410, true]);
    expect(answer.text).not.toContain(quote);
    const { document_id, file_name, start, end } = source;
    const found = { chunk_id: id, document_id, file_name, text, start, end };
    expect(await api.data('POST', `/knowledge/bases/${base}/passage-context`, found)).toEqual({
      state: 'deleted',
      document: null,
      before: '',
      after: '',
    });
    expect((await image(1)).status).toBe(404);
    expect((await locate({ text, quotes: [], from: 1, to: 1 })).status).toBe(404);
  });
});
