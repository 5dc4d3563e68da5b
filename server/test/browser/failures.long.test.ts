import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { japanese } from '../../../web/src/locales/ja/index.ts';
import { chinese } from '../../../web/src/locales/zh-hans/index.ts';
import { type FakeTelegram, startFakeTelegram } from '../../src/platforms/telegram/testing/fake-telegram.ts';
import { incoming } from '../../src/platforms/telegram/testing/fixtures.ts';
import { type FakeWecomBot, startFakeWecomBot } from '../../src/platforms/wecombot/testing/fake-wecombot.ts';
import { openChat } from '../end-to-end/api-client.ts';
import { type MailServer, startMailServer } from '../fakes/mail-server.ts';
import { type FakeOpenAi, type FakeOpenAiBehaviour, startFakeOpenAi } from '../fakes/openai-server.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';
import { fill } from './texts.ts';

const languages = { en: english, 'zh-Hans': chinese, ja: japanese };
type Reason = keyof typeof english.reasons;
type Hint = keyof typeof english.hints;

let visit: ConsoleVisit;
let model: FakeOpenAi;
let telegram: FakeTelegram;
/** Any server with TLS and a certificate that it has signed itself. */
let selfSigned: MailServer;
let wecom: FakeWecomBot;
let provider: string;
let pipeline: string;
let bot: string;
vi.setConfig({ testTimeout: 120_000 });
beforeAll(async () => {
  [visit, model, telegram, selfSigned, wecom] = await Promise.all([
    visitConsole(),
    startFakeOpenAi(),
    startFakeTelegram(),
    startMailServer('', { secure: true }),
    startFakeWecomBot({ mode: 'webhook' }),
  ]);
  provider = (
    await visit.call('POST', '/api/v1/provider/providers', {
      name: 'Fake provider',
      requester: 'openai-chat-completions',
      base_url: model.base_url,
      api_keys: ['sk-first-key-000000'],
    })
  ).uuid;
  const body = { name: 'fake', provider_uuid: provider, abilities: [] };
  const { uuid } = await visit.call('POST', '/api/v1/provider/models/llm', body);
  const { bots } = await visit.call('GET', '/api/v1/platform/bots');
  pipeline = bots[0].use_pipeline_uuid;
  await configure({ model: { primary: uuid, fallbacks: [] }, 'max-answer-seconds': 5 });
  const config = { token: telegram.token, api_base_url: telegram.apiBaseUrl };
  const made = { name: 'Parrot', adapter: 'telegram', adapter_config: config, enable: true };
  bot = (await visit.call('POST', '/api/v1/platform/bots', made)).uuid;
}, 120_000);
afterAll(async () => {
  await visit?.close();
  await Promise.all([model, telegram, selfSigned, wecom].map((fake) => fake?.close()));
}, 30_000);

async function configure(agent: object): Promise<void> {
  await visit.call('PUT', `/api/v1/pipelines/${pipeline}`, { config: { ai: { 'local-agent': agent } } });
}

const setProvider = (change: object) => visit.call('PUT', `/api/v1/provider/providers/${provider}`, change);

/** The message with a text, once it failed. */
async function failed(text: string): Promise<string> {
  const find = async () =>
    (await visit.call('GET', `/api/v1/messages?direction=inbound&text=${encodeURIComponent(text)}`)).messages[0];
  await expect.poll(async () => (await find())?.state, { timeout: 30_000 }).toBe('failed');
  return (await find()).uuid;
}

async function say(text: string): Promise<void> {
  const chat = await openChat(visit.address, { pipeline, headers: { authorization: `Bearer ${visit.token}` } });
  chat.say(text);
  await failed(text);
  await chat.close();
}

/** Looks at a page in each language. */
async function inEachLanguage(path: string, look: (texts: typeof english, language: string) => Promise<void>) {
  for (const [language, texts] of Object.entries(languages)) {
    await visit.page.evaluate((value) => localStorage.setItem('language', value), language);
    await visit.open(path);
    await look(texts as typeof english, language);
  }
  await visit.page.evaluate(() => localStorage.setItem('language', 'en'));
}

/** The failure of a message is shown with its reason, what to do, and the words of the other side. */
async function shows(
  uuid: string,
  expected: { name: string; reason: Reason; next: (texts: typeof english) => string; words: string[] },
): Promise<void> {
  await inEachLanguage(`/messages/${uuid}`, async (texts, language) => {
    const main = visit.page.locator('main');
    await main.getByText(expected.next(texts)).first().waitFor();
    await main.getByText(texts.reasons[expected.reason]).first().waitFor();
    for (const words of expected.words) await main.getByText(words).first().waitFor();
    expect(await main.getByText(texts.explain.outcomes.failed, { exact: true }).count()).toBeGreaterThan(0);
    const content = (await main.textContent()) ?? '';
    expect(content).not.toContain('sk-first-key');
    if (language !== 'en') expect(content).not.toContain(english.reasons[expected.reason]);
    await visit.look(`failure-${expected.name}-${language}`);
  });
}

const refusal = (status: number, message: string, code: string | null = null): FakeOpenAiBehaviour => ({
  kind: 'error',
  status,
  body: JSON.stringify({ error: { message, code } }),
});

interface ModelFault {
  behaviour?: FakeOpenAiBehaviour;
  /** Changes of the provider, given the address of the fake. */
  provider?: (origin: string) => object;
  reason: Reason;
  hint?: Hint;
  parameters?: (origin: string) => Record<string, string>;
  words: string[];
}

const modelFaults: Record<string, ModelFault> = {
  'rejected-key': {
    behaviour: refusal(401, 'Incorrect API key provided: sk-first-key-000000.'),
    reason: 'provider_unauthorized',
    hint: 'key_rejected',
    words: ['Incorrect API key provided: [key]', '401'],
  },
  'key-of-another-provider': {
    behaviour: refusal(401, 'invalid x-api-key'),
    provider: () => ({ api_keys: ['sk-ant-api03-000000000000'] }),
    reason: 'provider_unauthorized',
    hint: 'key_of_other_provider',
    parameters: () => ({ provider: 'Anthropic' }),
    words: ['invalid x-api-key', '401'],
  },
  'missing-permission': {
    behaviour: refusal(403, 'Country, region, or territory not supported'),
    reason: 'provider_unauthorized',
    hint: 'key_permissions',
    words: ['Country, region, or territory not supported', '403'],
  },
  'base-URL-without-its-version': {
    provider: (origin) => ({ base_url: origin }),
    reason: 'provider_failed',
    hint: 'base_url_version',
    parameters: (origin) => ({ url: `${origin}/v1` }),
    words: ['Unknown path /chat/completions', '404'],
  },
  'web-page': {
    behaviour: {
      kind: 'error',
      status: 404,
      body: `<!DOCTYPE html><script>attacked()</script>${'<p>x</p>'.repeat(100_000)}`,
      headers: { 'content-type': 'text/html' },
    },
    reason: 'provider_failed',
    hint: 'not_an_api',
    words: ['404'],
  },
  'unknown-model': {
    behaviour: refusal(404, 'The model `fake` does not exist or you do not have access to it.', 'model_not_found'),
    reason: 'unknown_model',
    hint: 'unknown_model',
    words: ['The model `fake` does not exist', '404'],
  },
  'rate-limit': {
    behaviour: refusal(429, 'Rate limit reached for requests'),
    reason: 'quota',
    hint: 'rate_limit',
    words: ['Rate limit reached for requests', '429'],
  },
  'used-up-quota': {
    behaviour: refusal(429, 'You exceeded your current quota', 'insufficient_quota'),
    reason: 'quota',
    hint: 'quota_used_up',
    words: ['You exceeded your current quota', '429'],
  },
  'server-error': {
    behaviour: refusal(503, 'The engine is overloaded'),
    reason: 'provider_failed',
    hint: 'provider_problem',
    words: ['The engine is overloaded', '503'],
  },
  'broken-stream': {
    behaviour: { kind: 'cut', chunks: ['```js\nlet a'] },
    reason: 'provider_failed',
    hint: 'broken_connection',
    words: [],
  },
  'refused-connection': {
    provider: () => ({ base_url: 'http://127.0.0.1:9/v1' }),
    reason: 'provider_unreachable',
    hint: 'connection_refused',
    words: [],
  },
  'server-without-TLS': {
    provider: (origin) => ({ base_url: `${origin.replace('http:', 'https:')}/v1` }),
    reason: 'provider_unreachable',
    hint: 'no_tls',
    words: [],
  },
  'untrusted-certificate': {
    provider: () => ({ base_url: `https://127.0.0.1:${selfSigned.port}/v1` }),
    reason: 'provider_unreachable',
    hint: 'certificate',
    words: [],
  },
  'no-answer-in-time': { behaviour: { kind: 'stall' }, reason: 'time_limit', words: [] },
};

test.each(Object.entries(modelFaults))('%s of the model is shown in each language', async (name, fault) => {
  const origin = new URL(model.base_url).origin;
  model.behave(fault.behaviour ?? { kind: 'answer' });
  await setProvider({ base_url: model.base_url, api_keys: ['sk-first-key-000000'], ...fault.provider?.(origin) });
  const text = `model-${name}`;
  await say(text);
  const { hint, parameters } = fault;
  await shows(await failed(text), {
    name,
    reason: fault.reason,
    words: fault.words,
    next: (texts) =>
      hint === undefined ? texts.errors.next.time_limit : fill(texts.hints[hint], parameters?.(origin) ?? {}),
  });
});

test('failed answers look failed in the chat, with their cause and a way to it', async () => {
  await visit.open('/chat');
  const answers = visit.page.locator('[data-role=assistant]');
  await expect.poll(() => answers.count()).toBe(Object.keys(modelFaults).length);
  const answer = answers.filter({ hasText: '401' }).first();
  await answer.getByText(english.chat.failed).waitFor();
  await answer.getByText(english.hints.key_rejected).waitFor();
  expect(await answer.getByRole('link', { name: english.errors.links.provider }).getAttribute('href')).toBe(
    `/models/providers/${provider}`,
  );
  // The notice stands below the code that broke off.
  const broken = answers.filter({ hasText: 'let a' });
  const { config } = (await visit.call('GET', `/api/v1/pipelines/${pipeline}`)).pipeline;
  const notice: string = config.output.misc['failure-hint'];
  expect(await broken.textContent()).toContain(notice);
  expect(await broken.locator('pre').first().textContent()).not.toContain(notice);
  await visit.look('chat-failures');
});

test('failed answers look failed while they arrive, too', async () => {
  model.behave(refusal(401, 'Wrong once more'));
  await setProvider({ base_url: model.base_url, api_keys: ['sk-first-key-000000'] });
  await visit.open('/chat');
  await visit.page.getByPlaceholder(english.chat.placeholder).fill('Live');
  await visit.page.keyboard.press('Enter');
  const answer = visit.page.locator('[data-role=assistant]').last();
  await answer.getByText(english.chat.failed).waitFor();
  await answer.getByText('Wrong once more').waitFor();
});

test('failed answers look failed in the list of messages, and each fault is one error', async () => {
  const count = Object.keys(modelFaults).length + 1;
  await visit.open('/messages?direction=outbound');
  const rows = visit.page.getByRole('list', { name: english.messages.list.label }).getByRole('listitem');
  await expect.poll(() => rows.count()).toBe(count);
  expect(await rows.filter({ hasText: english.explain.outcomes.failed }).count()).toBe(count);
  expect(await rows.filter({ hasText: english.explain.outcomes.sent }).count()).toBe(0);
  await visit.look('messages-failed');
  const { errors } = await visit.call('GET', '/api/v1/monitoring/figures');
  const { total } = await visit.call('GET', '/api/v1/monitoring/errors');
  expect([errors, total]).toEqual([count, count]);
  await visit.open('/');
  await visit.page.getByText(english.dashboard.figures.errorsNote).waitFor();
  await visit.look('dashboard-failures');
});

const telegramFaults: Record<string, { code: number; description: string; reason: Reason }> = {
  blocked: { code: 403, description: 'Forbidden: bot was blocked by the user', reason: 'blocked' },
  'unknown chat': { code: 400, description: 'Bad Request: chat not found', reason: 'unknown_target' },
};

test.each(Object.entries(telegramFaults))('a refused delivery (%s) is shown in each language', async (name, fault) => {
  const { code, description, reason } = fault;
  model.behave({ kind: 'answer' });
  telegram.fail('sendMessage', { kind: 'error', code, description });
  const text = `Telegram: ${name}`;
  telegram.deliver(incoming({ text }));
  await shows(await failed(text), {
    name: name.replaceAll(' ', '-'),
    reason,
    words: [description],
    next: (texts) => (texts.errors.next as Record<string, string>)[reason] ?? '',
  });
});

test('a closed answer window is shown where the message was to be sent, in each language', async () => {
  const made = { name: 'Window', adapter: 'wecombot', adapter_config: wecom.config(), enable: true };
  const { uuid } = await visit.call('POST', '/api/v1/platform/bots', made);
  await inEachLanguage(`/bots/${uuid}?tab=send`, async (texts, language) => {
    const main = visit.page.locator('main');
    await main.getByLabel(texts.bots.target, { exact: true }).fill(wecom.userId);
    await main.getByLabel(texts.bots.text, { exact: true }).fill('Too late');
    await main.getByRole('button', { name: texts.bots.sendNow, exact: true }).click();
    // The page may list the same failure, with more words, by then.
    await main.getByText(texts.reasons.reply_expired, { exact: true }).waitFor();
    await main.getByText(texts.errors.next.reply_expired, { exact: true }).waitFor();
    await visit.look(`bot-window-closed-${language}`);
  });
});

test('a wrong token is shown at the bot and among the tasks, in each language', async () => {
  const config = { token: '123456:wrong', api_base_url: telegram.apiBaseUrl };
  const made = { name: 'Wrong', adapter: 'telegram', adapter_config: config, enable: true };
  const { uuid } = await visit.call('POST', '/api/v1/platform/bots', made);
  await inEachLanguage(`/bots/${uuid}`, async (texts, language) => {
    await visit.page.getByText(texts.reasons.platform_unauthorized).first().waitFor();
    await visit.page.getByText(texts.errors.next.platform_unauthorized).waitFor();
    await visit.look(`bot-wrong-token-${language}`);
  });
  await visit.open('/system?tab=tasks');
  const row = visit.page.getByRole('row').filter({ hasText: 'Wrong' });
  await row.getByText(english.botStates.error).waitFor();
  expect(await row.getByText(english.tasks.running).count()).toBe(0);
});

test('a revoked token is shown at the bot', async () => {
  telegram.revoke();
  await visit.open(`/bots/${bot}`);
  await visit.page.getByText(english.errors.next.platform_unauthorized).waitFor({ timeout: 60_000 });
});
