import { textOfChain } from '@parley/sdk';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sse } from '../../src/kit/services/testing/fake-service.ts';
import { difyKey, type FakeDify, picture, startFakeDify } from '../../src/runners/dify/testing/fake-dify.ts';
import {
  type FakeHttpService,
  headerValue,
  startFakeHttpService,
} from '../../src/runners/http/testing/fake-http-service.ts';
import { type FakeN8n, startFakeN8n } from '../../src/runners/n8n/testing/fake-n8n.ts';
import { createService, type Service } from '../../src/service.ts';
import { createFakePlatform } from '../factories/fake-platform.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';
import type { FreshDatabase } from '../postgres/fresh-database.ts';
import { migratedDatabase } from '../postgres/test-database.ts';
import { enginesInTurns } from '../shared/looks-closely.ts';
import { messageEvent } from '../stores/ledger-records.ts';

const patience = { timeout: 15_000 };

describe.each(enginesInTurns)('pipelines whose runner is a service elsewhere, on %s', (engine) => {
  const fake = createFakePlatform({ elements: ['Plain', 'Image'] });
  const extensions = { platforms: [fake.platform] };
  let database: FreshDatabase | undefined;
  let service: TestService;
  let running: Service;
  let dify: FakeDify;
  let n8n: FakeN8n;
  let http: FakeHttpService;
  const bots: Record<string, string> = {};

  beforeAll(async () => {
    if (engine === 'postgres') database = await migratedDatabase();
    [dify, n8n, http] = await Promise.all([startFakeDify(), startFakeN8n(), startFakeHttpService()]);
    service = await startTestService({ ...(database && { databaseUrl: database.url }), extensions });
    running = service.service;
    const groups = {
      'dify-service-api': { 'base-url': dify.url, 'api-key': difyKey },
      'n8n-service-api': { 'webhook-url': n8n.webhook },
      'http-api': { url: http.url, 'header-name': 'Authorization', 'header-value': headerValue },
    };
    for (const [runner, group] of Object.entries(groups)) {
      const config = { ai: { runner: { runner }, [runner]: group } };
      const { uuid: use_pipeline_uuid } = await send('POST', '/pipelines', { name: runner, config });
      // The stored configuration is used, and its secrets are masked.
      const { pipeline } = await send('GET', `/pipelines/${use_pipeline_uuid}`);
      expect(pipeline.config.ai.runner.runner).toBe(runner);
      const bot = { name: runner, adapter: 'fake', adapter_config: {}, enable: true, use_pipeline_uuid };
      bots[runner] = (await send('POST', '/platform/bots', bot)).uuid;
    }
    await vi.waitFor(() => expect(fake.up()).toHaveLength(3), patience);
  });
  afterAll(async () => {
    await running.stop();
    await service.stop();
    await Promise.all([dify.close(), n8n.close(), http.close()]);
    await database?.drop();
  });

  async function send(method: string, url: string, json?: object) {
    const request = { method, url: `/api/v1${url}`, bearer: service.account.token };
    const { status, text, body } = await service.request(json === undefined ? request : { ...request, json });
    expect(status, text).toBe(200);
    return body.data;
  }

  /** Sends a message to the bot of a runner. @returns what is sent from then on until the message is finished */
  async function say(runner: string, text: string, over: Parameters<typeof messageEvent>[1] = {}) {
    const adapter = fake.up().find(({ context }) => context.bot_uuid === bots[runner]);
    const before = fake.sent.length;
    const receipt = await adapter?.context.receive(messageEvent(text, over));
    const row = () =>
      service.database
        .selectFrom('messages')
        .select(['uuid', 'reason', 'finished_at'])
        .where('uuid', '=', receipt?.uuid ?? '')
        .executeTakeFirst();
    await expect.poll(async () => (await row())?.finished_at ?? null, patience).not.toBeNull();
    const sent = fake.sent.slice(before).map(({ message_chain }) => message_chain);
    return { message: await row(), sent, texts: sent.map((chain) => textOfChain(chain)) };
  }

  async function restart() {
    await running.stop();
    running = await createService(service.config, extensions);
    await running.start();
    await expect.poll(() => fake.up(), patience).toHaveLength(3);
  }

  it('goes on with the conversation at Dify after a restart, and begins another after a reset', async () => {
    expect((await say('dify-service-api', 'one')).texts).toEqual(['Hello from Dify']);
    expect((await say('dify-service-api', 'two')).texts).toEqual(['Hello from Dify']);
    await restart();
    expect((await say('dify-service-api', 'three')).texts).toEqual(['Hello from Dify']);
    expect((await say('dify-service-api', '!reset')).texts).toEqual(['The conversation was reset.']);
    expect((await say('dify-service-api', 'four')).texts).toEqual(['Hello from Dify']);
    const asked = dify.questions.map(({ json }) => json);
    expect(asked.map(({ query }) => query)).toEqual(['one', 'two', 'three', 'four']);
    const [first, second, third, fourth] = asked.map(({ conversation_id }) => conversation_id);
    expect([first, fourth]).toEqual(['', '']);
    expect(second).toMatch(/^[0-9a-f-]{36}$/);
    expect(third).toBe(second);
    expect(asked[0]?.inputs).toMatchObject({ launcher_id: 'ada', session_id: 'person_ada', sender_name: 'Ada' });
    expect(Object.keys(asked[0]?.inputs ?? {}).filter((name) => name.startsWith('_'))).toEqual([]);
  });

  it('keeps on record what Dify used, and sends pictures in both directions', async () => {
    const url = '/files/picture.png';
    dify.say({ event: 'message', answer: 'Look' }, { event: 'message_file', type: 'image', url });
    const base64 = `data:image/png;base64,${picture.toString('base64')}`;
    const { message, sent } = await say('dify-service-api', '', { message_chain: [{ type: 'Image', base64 }] });
    dify.say();
    expect(sent).toMatchObject([[{ type: 'Plain', text: 'Look' }, { type: 'Image' }]]);
    expect(dify.uploads).toMatchObject([{ type: 'image/png', size: picture.length, user: 'person_ada' }]);
    const explained = await service.database
      .selectFrom('model_calls')
      .selectAll()
      .where('message_uuid', '=', message?.uuid ?? '')
      .execute();
    expect(explained).toMatchObject([{ model_uuid: null, model_name: 'Dify', input_tokens: 11, output_tokens: 3 }]);
  });

  it('never sends a failure as an answer, and tells the operator why', async () => {
    const unauthorized = JSON.stringify({ code: 'unauthorized', message: `The key ${difyKey} is wrong` });
    dify.meet({ kind: 'answer', status: 401, body: unauthorized });
    const refused = await say('dify-service-api', 'five');
    expect(refused).toMatchObject({ texts: ['Request failed.'], message: { reason: 'provider_unauthorized' } });
    const failed = { event: 'error', status: 400, message: 'The model is on fire' };
    dify.meet({ kind: 'stream', type: 'text/event-stream', pieces: sse(failed), ending: 'end' });
    const broken = await say('dify-service-api', 'six');
    expect(broken).toMatchObject({ texts: ['Request failed.'], message: { reason: 'provider_failed' } });
    const rows = await service.database.selectFrom('messages').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(difyKey);
  });

  it('tells n8n the same conversation after a restart, and another after a reset', async () => {
    expect((await say('n8n-service-api', 'one')).texts).toEqual(['You said: one']);
    await restart();
    await say('n8n-service-api', 'two');
    await say('n8n-service-api', '!reset');
    await say('n8n-service-api', 'three');
    const [first, second, third] = n8n.requests.map(({ json }) => json.conversation_id);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  it('goes on with the conversation that a service named, and tells it what was said before', async () => {
    expect((await say('http-api', 'one')).texts).toEqual(['1: one']);
    expect((await say('http-api', 'two')).texts).toEqual(['2: two']);
    expect(http.requests.at(-1)?.json.history).toEqual([
      { role: 'user', text: 'one' },
      { role: 'assistant', text: '1: one' },
    ]);
    await say('http-api', '!reset');
    expect((await say('http-api', 'three')).texts).toEqual(['1: three']);
  });
});
