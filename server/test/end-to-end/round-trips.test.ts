import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Address, type Runner, Secret } from '@parley/sdk';
import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeTelegram, startFakeTelegram } from '../../src/platforms/telegram/testing/fake-telegram.ts';
import { multipart, multipartType } from '../factories/multipart.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';
import { createTrackedPlatform, type TrackedPlatform } from '../factories/tracked-platform.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../fakes/openai-server.ts';
import type { FreshDatabase } from '../postgres/fresh-database.ts';
import { migratedDatabase } from '../postgres/test-database.ts';
import { enginesInTurns } from '../shared/looks-closely.ts';
import { openChat } from './api-client.ts';

/** A runner that answers with the key that it was given. */
const tellsItsKey: Runner = {
  name: 'tells-its-key',
  label: { en_US: 'Tells its key' },
  config: Type.Object({ 'base-url': Address({ default: '' }), 'api-key': Secret({ default: '' }) }),
  async *answer({ config }) {
    yield { type: 'text', text: `The key ends with ${String(config['api-key']).split('-').at(-1)}.` };
  },
};

const elsewhere = 'http://127.0.0.1:1';
const providers = '/api/v1/provider/providers';
const models = '/api/v1/provider/models';
const pipelines = '/api/v1/pipelines';
const bots = '/api/v1/platform/bots';

describe.each(enginesInTurns)('what was read can be written back on %s', (engine) => {
  let database: FreshDatabase | undefined;
  let service: TestService;
  let openAi: FakeOpenAi;
  let telegram: FakeTelegram;
  let tracked: TrackedPlatform;

  beforeAll(async () => {
    if (engine === 'postgres') database = await migratedDatabase();
    openAi = await startFakeOpenAi();
    telegram = await startFakeTelegram();
    tracked = createTrackedPlatform('tracked');
    service = await startTestService({
      ...(database && { databaseUrl: database.url }),
      extensions: { platforms: [tracked.platform], runners: [tellsItsKey] },
    });
  });
  afterAll(async () => {
    await service.stop();
    await telegram.close();
    await openAi.close();
    await database?.drop();
  });

  const send = (method: string, url: string, json?: unknown) =>
    service.request({ method, url, bearer: service.account.token, ...(json === undefined ? {} : { json }) });
  const data = async (method: string, url: string, json?: unknown) => {
    const answer = await send(method, url, json);
    if (answer.status !== 200) throw new Error(`${method} ${url} was answered ${answer.status} ${answer.text}`);
    return answer.body.data;
  };
  const read = async (url: string, field: string) => (await data('GET', url))[field];

  /** Reads a record and writes it back unchanged; only its timestamp changes, and nothing else in the table. */
  async function roundTrip(url: string, field: string) {
    const before = await read(url, field);
    await data('PUT', url, before);
    const after = await read(url, field);
    expect(after).toEqual({ ...before, updated_at: expect.any(String) });
    expect(after.updated_at >= before.updated_at).toBe(true);
    return after;
  }

  /** Expects that a change is refused because a stored secret would go with it, and that it left no trace. */
  async function keepsItsSecret(url: string, field: string, change: object) {
    const before = await read(url, field);
    const answer = await send('PUT', url, change);
    expect([answer.status, answer.body.code, answer.body.reason]).toEqual([400, -1, 'secret_required']);
    expect(await read(url, field)).toEqual(before);
  }

  describe('a model provider', () => {
    const keys = ['sk-first-0123456789abcd', 'sk-second-0123456789wxyz'];
    let url: string;

    beforeAll(async () => {
      const form = { name: 'P', requester: 'openai-chat-completions', base_url: openAi.base_url, api_keys: keys };
      url = `${providers}/${(await data('POST', providers, form)).uuid}`;
    });

    const usedKey = async () => {
      await data('POST', `${models}/llm/_/test`, { name: 'm', provider_uuid: url.split('/').at(-1) });
      return openAi.requests.at(-1)?.headers.authorization;
    };

    it('stays as it is, and its keys still open the door', async () => {
      const { api_keys } = await roundTrip(url, 'provider');
      expect(api_keys).toEqual(['sk-…abcd', 'sk-…wxyz']);
      expect(await usedKey()).toBe(`Bearer ${keys[0]}`);
      await data('PUT', url, { api_keys: [api_keys[1]] });
      expect(await usedKey()).toBe(`Bearer ${keys[1]}`);
      await data('PUT', url, { api_keys: [keys[0], 'sk-…wxyz'] });
      expect(await usedKey()).toBe(`Bearer ${keys[0]}`);
      await roundTrip(url, 'provider');
    });

    it('may move within its address', async () => {
      const provider = await read(url, 'provider');
      await data('PUT', url, { ...provider, base_url: `${openAi.base_url}/` });
      await data('PUT', url, provider);
      expect(await usedKey()).toBe(`Bearer ${keys[0]}`);
    });

    it('keeps its keys from another address and another requester, with and without the mask', async () => {
      const provider = await read(url, 'provider');
      for (const base_url of [
        elsewhere,
        openAi.base_url.replace('127.0.0.1', 'localhost'),
        openAi.base_url.replace('http:', 'https:'),
        openAi.base_url.replace('127.0.0.1', '127.0.0.1@127.0.0.2'),
      ]) {
        await expectRefusal(url, { ...provider, base_url });
        await expectRefusal(url, { base_url });
      }
      await keepsItsSecret(url, 'provider', { ...provider, requester: 'lmstudio-chat-completions' });
      await keepsItsSecret(url, 'provider', { requester: 'lmstudio-chat-completions' });
      await keepsItsSecret(url, 'provider', { ...provider, base_url: elsewhere });
      const before = openAi.requests.length;
      const masked = { requester: provider.requester, base_url: elsewhere, api_keys: provider.api_keys };
      for (const kind of ['llm', 'embedding', 'rerank']) {
        const answer = await send('POST', `${models}/${kind}/_/test`, { name: 'm', provider: masked });
        expect(answer.status).toBe(400);
        if (kind === 'llm') expect(answer.body.reason).toBe('secret_required');
      }
      expect(openAi.requests).toHaveLength(before);
    });

    /** An address may also be refused for what it is. */
    async function expectRefusal(target: string, change: object) {
      const before = await read(target, 'provider');
      const answer = await send('PUT', target, change);
      expect(answer.status).toBe(400);
      expect(await read(target, 'provider')).toEqual(before);
    }

    it.each([
      ['llm', 'siliconflow-chat-completions', { abilities: ['vision'] }],
      ['embedding', 'siliconflow-chat-completions', {}],
      ['rerank', 'siliconflow-chat-completions', {}],
    ])('and a model of the kind %s stay as they are', async (kind, requester, more) => {
      const provider = { requester, base_url: openAi.base_url, api_keys: [keys[1]] };
      const form = { name: `a ${kind} model`, provider, extra_args: { user: 'u', nested: { a: [1, null] } }, ...more };
      const { uuid } = await data('POST', `${models}/${kind}`, { ...form, prefered_ranking: -2 });
      const model = await roundTrip(`${models}/${kind}/${uuid}`, 'model');
      expect(model).toMatchObject({ name: form.name, extra_args: form.extra_args, prefered_ranking: -2, ...more });
      await data('POST', `${models}/${kind}/${uuid}/test`, {});
      expect(openAi.requests.at(-1)?.headers.authorization).toBe(`Bearer ${keys[1]}`);
      expect(openAi.requests.at(-1)?.body).toMatchObject({ model: form.name, user: 'u' });
      // Both that were read without their provider, as a list for one provider gives them, and with another's mask.
      const [listed] = (await data('GET', `${models}/${kind}?provider_uuid=${model.provider_uuid}`)).models;
      await data('PUT', `${models}/${kind}/${uuid}`, listed);
      expect(await read(`${models}/${kind}/${uuid}`, 'model')).toEqual({ ...model, updated_at: expect.any(String) });
    });
  });

  describe('a pipeline', () => {
    const key = 'app-0123456789-abcdefgh';
    const group = tellsItsKey.name;
    let url: string;

    beforeAll(async () => {
      const config = {
        ai: { runner: { runner: tellsItsKey.name }, [group]: { 'base-url': `${elsewhere}/v1`, 'api-key': key } },
        trigger: { 'group-respond-rules': { prefix: ['a', 'b'] } },
      };
      const form = { name: 'With a key', description: 'd', emoji: '🔑', config };
      url = `${pipelines}/${(await data('POST', pipelines, form)).uuid}`;
    });

    const usedKey = async () => {
      const headers = { authorization: `Bearer ${service.account.token}` };
      const chat = await openChat(service.address, { pipeline: url.split('/').at(-1) ?? '', headers });
      chat.say('Your key?');
      const answer = await chat.answer('key');
      await data('POST', `${url}/ws/reset/person`);
      await chat.close();
      return answer.data.content;
    };

    it('stays as it is, and its runner still gets the key', async () => {
      const { config } = await roundTrip(url, 'pipeline');
      expect(config.ai[group]['api-key']).toMatch(/…/);
      expect(await usedKey()).toBe('The key ends with abcdefgh.');
    });

    it('may move within its address', async () => {
      const { config } = await read(url, 'pipeline');
      config.ai[group]['base-url'] = `${elsewhere}/v2`;
      await data('PUT', url, { config });
      expect(await usedKey()).toBe('The key ends with abcdefgh.');
    });

    it('keeps its key from another address', async () => {
      const { config } = await read(url, 'pipeline');
      config.ai[group]['base-url'] = `${elsewhere}2/v1`;
      await keepsItsSecret(url, 'pipeline', { config });
    });

    it('and its extensions stay as they are', async () => {
      const extensions = `${url}/extensions`;
      const bound = { bound_plugins: [{ author: 'ann', name: 'weather' }], bound_mcp_servers: ['a'] };
      await data('PUT', extensions, { enable_all_plugins: false, ...bound });
      const before = [await data('GET', extensions), await read(url, 'pipeline')];
      expect(before[0]).toMatchObject({ enable_all_plugins: false, enable_all_mcp_servers: false, ...bound });
      await data('PUT', extensions, before[0]);
      expect(await data('GET', extensions)).toEqual(before[0]);
      await data('PUT', url, before[1]);
      expect(await data('GET', extensions)).toEqual(before[0]);
      expect(await usedKey()).toBe('The key ends with abcdefgh.');
    });
  });

  describe('a bot', () => {
    it('of Telegram stays as it is while it is off, and its token still opens the door', async () => {
      const adapter_config = { token: telegram.token, api_base_url: telegram.apiBaseUrl, markdown_card: false };
      const form = { name: 'Parrot', description: 'd', adapter: 'telegram', adapter_config, enable: false };
      const url = `${bots}/${(await data('POST', bots, form)).uuid}`;
      const bot = await roundTrip(url, 'bot');
      expect(bot).toMatchObject({ enable: false, adapter_config: { markdown_card: false, token: expect.any(String) } });
      expect(bot.adapter_config.token).not.toBe(telegram.token);
      expect(telegram.calls).toEqual([]);
      await keepsItsSecret(url, 'bot', { adapter_config: { ...bot.adapter_config, api_base_url: elsewhere } });
      const { api_base_url: _, ...withoutAddress } = bot.adapter_config;
      // Without one it would be Telegram's own.
      await keepsItsSecret(url, 'bot', { adapter_config: withoutAddress });
      await data('PUT', url, { ...bot, enable: true });
      await expect.poll(async () => (await read(url, 'bot')).adapter_runtime_values.state).toBe('running');
      // Calls with another token are not counted.
      expect(telegram.callsOf('getMe').length).toBeGreaterThan(0);
      await data('PUT', url, { enable: false });
    });

    it('is unchanged while it runs, without reconnecting', async () => {
      const token = 'token-0123456789-abcdefgh';
      const address = 'https://api.example.com/a';
      const { uuid: pipeline_uuid } = await data('POST', pipelines, { name: 'Nights' });
      const time = { from: '22:00', to: '06:00', days: [6, 7], time_zone: 'Asia/Shanghai' };
      const rules = [
        { pipeline_uuid, persons: ['1', '-1'], groups: ['é🦜'], keywords: [' '], mentioned: false, time },
        { pipeline_uuid, time: { from: '00:00', to: '00:00' } },
      ];
      const form = { name: 'B', adapter: 'tracked', adapter_config: { token, api_base_url: address }, enable: true };
      const { uuid } = await data('POST', bots, { ...form, pipeline_routing_rules: rules });
      const url = `${bots}/${uuid}`;
      await expect.poll(() => tracked.running.get(uuid)).toMatchObject({ token, api_base_url: address });
      const bot = await roundTrip(url, 'bot');
      expect(bot.pipeline_routing_rules).toEqual(rules);
      await data('PUT', url, { pipeline_routing_rules: rules.slice(1) });
      await data('PUT', url, { name: 'C' });
      expect((await roundTrip(url, 'bot')).pipeline_routing_rules).toEqual(rules.slice(1));
      expect(tracked.starts.get(uuid)).toBe(1);
      await data('PUT', url, { adapter_config: { ...bot.adapter_config, api_base_url: 'https://api.example.com/b' } });
      await expect.poll(() => tracked.running.get(uuid)?.api_base_url).toBe('https://api.example.com/b');
      expect(tracked.running.get(uuid)?.token).toBe(token);
      const { adapter_config } = await read(url, 'bot');
      await keepsItsSecret(url, 'bot', { adapter_config: { ...adapter_config, api_base_url: 'https://example.com' } });
      await keepsItsSecret(url, 'bot', { adapter: 'telegram', adapter_config: { token: adapter_config.token } });
      expect(tracked.running.get(uuid)?.token).toBe(token);
      await data('DELETE', url);
    });
  });

  it('a webhook stays as it is', async () => {
    const form = { name: 'W', url: 'https://example.com/hook?a=1', description: 'd', enabled: false };
    const { webhook } = await data('POST', '/api/v1/webhooks', form);
    expect(await roundTrip(`/api/v1/webhooks/${webhook.id}`, 'webhook')).toMatchObject(form);
  });

  it('an API key stays as it is, and still opens the door', async () => {
    const form = { name: 'K', description: 'd', scopes: ['read'], expires_at: '2100-01-01T00:00:00Z' };
    const { key } = await data('POST', '/api/v1/apikeys', form);
    const url = `/api/v1/apikeys/${key.id}`;
    await roundTrip(url, 'key');
    expect((await service.request({ url: pipelines, apiKey: key.key })).status).toBe(200);
    const { last_used_at, ...shown } = await roundTrip(url, 'key');
    expect(shown).toMatchObject({ scopes: ['read'], expires_at: '2100-01-01T00:00:00.000Z' });
    expect(last_used_at).toEqual(expect.any(String));
  });

  describe('a knowledge base', () => {
    const list = '/api/v1/knowledge/bases';

    it('is unchanged, without re-indexing', async () => {
      const settings = {
        creation_settings: { chunk_size: 500, language: 'german' },
        retrieval_settings: { top_k: 3, search_type: 'keyword' },
      };
      const form = { name: 'K', description: 'd', emoji: '📚', knowledge_engine_plugin_id: 'parley/built-in' };
      const url = `${list}/${(await data('POST', list, { ...form, ...settings })).uuid}`;
      const base = await roundTrip(url, 'base');
      expect(base).toMatchObject({ ...form, retrieval_settings: settings.retrieval_settings });
      expect(base.creation_settings).toMatchObject(settings.creation_settings);
      expect(base.collections).toHaveLength(1);
    });

    it('of a service elsewhere stays as it is, and its key still opens the door', async () => {
      const keys: (string | undefined)[] = [];
      const elsewhere = createServer((request, response) => {
        keys.push(request.headers.authorization);
        response.setHeader('content-type', 'application/json').end('{"records": []}');
      }).listen(0, '127.0.0.1');
      await once(elsewhere, 'listening');
      try {
        const address = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
        const creation_settings = { address, api_key: 'key-0123456789-abcdefgh', knowledge_id: 'k' };
        const form = { name: 'E', knowledge_engine_plugin_id: 'parley/http-retrieval', creation_settings };
        const url = `${list}/${(await data('POST', list, form)).uuid}`;
        const { creation_settings: shown, collections } = await roundTrip(url, 'base');
        expect(shown).toEqual({ ...creation_settings, api_key: 'key…efgh' });
        expect(collections).toHaveLength(1);
        await data('POST', `${url}/retrieve`, { query: 'q' });
        expect(keys.at(-1)).toBe(`Bearer ${creation_settings.api_key}`);
        const stranger = { ...shown, address: 'https://example.com' };
        await keepsItsSecret(url, 'base', { creation_settings: stranger });
        const rebuilt = await send('POST', `${url}/collections`, { creation_settings: stranger });
        expect([rebuilt.status, rebuilt.body.reason]).toEqual([400, 'secret_required']);
        const { collections: remaining } = await data('GET', `${url}/collections`);
        expect(remaining).toMatchObject([{ creation_settings: shown }]);
      } finally {
        elsewhere.close();
      }
    });

    it('and a golden question of it stay as they are', async () => {
      const { uuid } = await data('POST', list, { name: 'Q', knowledge_engine_plugin_id: 'parley/built-in' });
      const { body } = await service.request({
        method: 'POST',
        url: '/api/v1/files/documents',
        bearer: service.account.token,
        headers: { 'content-type': multipartType },
        payload: multipart({ name: 'file', filename: 'é.md', content: 'A cat has nine lives.' }),
      });
      await data('POST', `${list}/${uuid}/files`, { file_id: body.data.file_id });
      const expected = [{ file_id: body.data.file_id, quote: ' Nine\tlives', grade: 3 }];
      const { questions } = await data('POST', `${list}/${uuid}/questions`, { question: 'Ñ?', expected });
      const question = await roundTrip(`${list}/${uuid}/questions/${questions[0].uuid}`, 'question');
      expect(question).toMatchObject({
        question: 'Ñ?',
        expected: [{ file_name: 'é.md', quote: ' Nine\tlives', grade: 3 }],
      });
    });
  });

  it('the progress of the wizard stays as it is', async () => {
    const url = '/api/v1/system/wizard/progress';
    const progress = { step: 3, selected_adapter: 'telegram', bot_saved: true, nested: { list: [1, null, 'é🦜'] } };
    await data('PUT', url, progress);
    const shown = await read('/api/v1/system/info', 'wizard_progress');
    expect(shown).toEqual(progress);
    await data('PUT', url, shown);
    expect(await read('/api/v1/system/info', 'wizard_progress')).toEqual(progress);
  });
});
