import { textOfChain } from '@parley/sdk';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { FakeRequest, FakeService } from '../../src/kit/services/testing/fake-service.ts';
import { startFakeCoze } from '../../src/runners/coze/testing/fake-coze.ts';
import { startFakeDashscope } from '../../src/runners/dashscope/testing/fake-dashscope.ts';
import { startFakeLangflow } from '../../src/runners/langflow/testing/fake-langflow.ts';
import { startFakeResponses } from '../../src/runners/openai-responses/testing/fake-responses.ts';
import { startFakeTbox } from '../../src/runners/tbox/testing/fake-tbox.ts';
import { createService, type Service } from '../../src/service.ts';
import { createFakePlatform } from '../factories/fake-platform.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';
import type { FreshDatabase } from '../postgres/fresh-database.ts';
import { migratedDatabase } from '../postgres/test-database.ts';
import { enginesInTurns } from '../shared/looks-closely.ts';
import { messageEvent } from '../stores/ledger-records.ts';

const patience = { timeout: 15_000 };
const picture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** What a runner is tried with. */
interface Tried {
  service: FakeService & { apiKey: string };
  group: Record<string, string>;
  /** What a question says of the conversation; undefined in a new one. */
  conversationOf: (question: FakeRequest) => unknown;
  /** What a question says of a picture. */
  pictureOf?: (question: FakeRequest) => unknown;
  models: string[];
}

async function startServices(): Promise<Record<string, Tried>> {
  const [coze, tbox, dashscope, langflow, responses] = await Promise.all([
    startFakeCoze(),
    startFakeTbox(),
    startFakeDashscope(),
    startFakeLangflow(),
    startFakeResponses(),
  ]);
  const queryOf = ({ path }: FakeRequest) => new URL(path, 'http://localhost').searchParams;
  return {
    'coze-api': {
      service: coze,
      group: { 'api-base': coze.url, 'api-key': coze.apiKey, 'bot-id': coze.botId },
      conversationOf: (question) => queryOf(question).get('conversation_id') ?? undefined,
      pictureOf: ({ json }) => json.additional_messages[0].content,
      models: [`coze/${coze.botId}`],
    },
    'tbox-app-api': {
      service: tbox,
      group: { 'base-url': tbox.url, 'api-key': tbox.apiKey, 'app-id': tbox.appId },
      conversationOf: ({ json }) => json.conversationId,
      pictureOf: ({ json }) => json.files,
      models: [],
    },
    'dashscope-app-api': {
      service: dashscope,
      group: { 'base-url': dashscope.baseUrl, 'api-key': dashscope.apiKey, 'app-id': dashscope.appId },
      conversationOf: ({ json }) => json.input.session_id,
      models: ['qwen-max'],
    },
    'langflow-api': {
      service: langflow,
      group: { 'base-url': langflow.url, 'api-key': langflow.apiKey, 'flow-id': langflow.flowId },
      conversationOf: ({ json }) => json.session_id,
      models: [],
    },
    'openai-responses': {
      service: responses,
      group: { 'base-url': responses.baseUrl, 'api-key': responses.apiKey, model: 'gpt-test' },
      conversationOf: ({ json }) => json.previous_response_id,
      pictureOf: ({ json }) => json.input.at(-1).content,
      models: ['gpt-test-2026-01-01'],
    },
  };
}

const runners = ['coze-api', 'tbox-app-api', 'dashscope-app-api', 'langflow-api', 'openai-responses'];

describe.each(enginesInTurns)('pipelines whose service remembers the conversation, on %s', (engine) => {
  const fake = createFakePlatform({ elements: ['Plain', 'Image'] });
  const extensions = { platforms: [fake.platform] };
  let database: FreshDatabase | undefined;
  let service: TestService;
  let running: Service;
  let tried: Record<string, Tried>;
  const bots: Record<string, string> = {};

  beforeAll(async () => {
    if (engine === 'postgres') database = await migratedDatabase();
    tried = await startServices();
    expect(Object.keys(tried)).toEqual(runners);
    service = await startTestService({ ...(database && { databaseUrl: database.url }), extensions });
    running = service.service;
    for (const [runner, { group, service: elsewhere }] of Object.entries(tried)) {
      const config = { ai: { runner: { runner }, [runner]: group } };
      const { uuid: use_pipeline_uuid } = await send('POST', '/pipelines', { name: runner, config });
      expect(JSON.stringify(await send('GET', `/pipelines/${use_pipeline_uuid}`))).not.toContain(elsewhere.apiKey);
      const bot = { name: runner, adapter: 'fake', adapter_config: {}, enable: true, use_pipeline_uuid };
      bots[runner] = (await send('POST', '/platform/bots', bot)).uuid;
    }
    await vi.waitFor(() => expect(fake.up()).toHaveLength(runners.length), patience);
  });
  afterAll(async () => {
    await running.stop();
    await service.stop();
    await Promise.all(Object.values(tried).map((one) => one.service.close()));
    await database?.drop();
  });

  async function send(method: string, url: string, json: object | null = null) {
    const request = { method, url: `/api/v1${url}`, bearer: service.account.token };
    const { status, text, body } = await service.request(json === null ? request : { ...request, json });
    expect(status, text).toBe(200);
    return body.data;
  }

  /** Sends a message to the bot of a runner. @returns what is sent from then on until the message is finished */
  async function say(runner: string, text: string, over: Parameters<typeof messageEvent>[1] = {}) {
    const adapter = fake.up().find(({ context }) => context.bot_uuid === bots[runner]);
    const before = fake.sent.length;
    const receipt = await adapter?.context.receive(messageEvent(text, over));
    const uuid = receipt?.uuid ?? '';
    const row = () =>
      service.database.selectFrom('messages').select('finished_at').where('uuid', '=', uuid).executeTakeFirst();
    await expect.poll(async () => (await row())?.finished_at ?? null, patience).not.toBeNull();
    const texts = fake.sent.slice(before).map(({ message_chain }) => textOfChain(message_chain));
    return { uuid, texts };
  }

  it.each(runners)('%s continues after a restart, and starts a new conversation after a reset', async (runner) => {
    const { service: elsewhere, conversationOf, models } = tried[runner] as Tried;
    const { uuid, texts } = await say(runner, 'one');
    expect(texts).toEqual(['Forty-two.']);
    const calls = service.database.selectFrom('model_calls').select(['model_uuid', 'model_name']);
    expect(await calls.where('message_uuid', '=', uuid).execute()).toEqual(
      models.map((model_name) => ({ model_uuid: null, model_name })),
    );
    await running.stop();
    running = await createService(service.config, extensions);
    await running.start();
    await expect.poll(() => fake.up(), patience).toHaveLength(runners.length);
    expect((await say(runner, 'two')).texts).toEqual(['Forty-two.']);
    expect((await say(runner, '!reset')).texts).toEqual(['The conversation was reset.']);
    expect((await say(runner, 'three')).texts).toEqual(['Forty-two.']);
    const [first, second, third] = elsewhere.requests.map(conversationOf);
    expect(elsewhere.requests).toHaveLength(3);
    expect(second).toEqual(expect.stringMatching(/./));
    // Langflow receives a session id of the server from the first question on; the others create their own.
    expect(first).toBe(runner === 'langflow-api' ? second : undefined);
    expect(third).not.toBe(second);
  });

  it.each(['coze-api', 'tbox-app-api', 'openai-responses'])('%s is shown a picture', async (runner) => {
    const { service: elsewhere, pictureOf } = tried[runner] as Tried;
    await say(runner, '', { message_chain: [{ type: 'Image', base64: picture }] });
    const shown = JSON.stringify(pictureOf?.(elsewhere.requests.at(-1) as FakeRequest));
    expect(shown).toMatch(/file-1|data:image\/png;base64,iVBOR/);
  });

  it.each(runners)('%s does not send a failure as an answer', async (runner) => {
    const { service: elsewhere } = tried[runner] as Tried;
    elsewhere.meet({ kind: 'answer', status: 500, body: JSON.stringify({ message: elsewhere.apiKey }) });
    expect((await say(runner, 'four')).texts).toEqual(['Request failed.']);
    const rows = await service.database.selectFrom('messages').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(elsewhere.apiKey);
  });
});
