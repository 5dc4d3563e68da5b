import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../factories/start-test-service.ts';

/** The response of a service in a private network. */
const secret = 'INTERNAL-SECRET-4711';

describe('an address in a private network', () => {
  let service: TestService;
  let internal: Server;
  let origin: string;
  let reached: string[] = [];
  /** A key with the scopes that keys have by default. */
  let defaults: string;
  let admin: string;

  beforeAll(async () => {
    service = await startTestService();
    internal = createServer((request, response) => {
      reached.push(request.url ?? '');
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ data: [{ id: secret }], answer: secret }));
    }).listen(0, '127.0.0.1');
    await new Promise((listening) => internal.once('listening', listening));
    origin = `http://127.0.0.1:${(internal.address() as AddressInfo).port}`;
    defaults = (await service.createApiKey()).key;
    admin = (await service.createApiKey(['read', 'write', 'send', 'admin'])).key;
  });
  beforeEach(() => {
    reached = [];
  });
  afterAll(async () => {
    await service.stop();
    await new Promise((closed) => internal.close(closed));
  });

  const call = (apiKey: string, method: string, url: string, json?: object) =>
    service.request({ method, url: `/api/v1${url}`, apiKey, ...(json === undefined ? {} : { json }) });
  const made = async (apiKey: string, url: string, json: object) => {
    const { status, text, body } = await call(apiKey, 'POST', url, json);
    expect(status, text).toBe(200);
    return body.data.uuid as string;
  };
  const provider = (base_url = `${origin}/v1`) => ({ name: 'Local', requester: 'openai-chat-completions', base_url });
  const model = (base_url = `${origin}/v1`) => ({ name: 'm', provider: provider(base_url) });
  const described = (base_url?: string) => ({ provider: provider(base_url) });
  const runner = (url: string) => ({ ai: { runner: { runner: 'http-api' }, 'http-api': { url } } });
  const bot = (api_base_url: string) => ({
    name: 'Bot',
    adapter: 'telegram',
    adapter_config: { token: '123456:ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghi', api_base_url },
  });
  const base = (address: string) => ({
    name: 'Base',
    knowledge_engine_plugin_id: 'parley/http-retrieval',
    creation_settings: { address },
  });

  it.each<[string, string, (address: string) => object, string]>([
    ['a provider', '/provider/providers', provider, 'base_url'],
    ['a new model', '/provider/models/llm', model, 'provider.base_url'],
    ['the test of a model', '/provider/models/llm/_/test', model, 'provider.base_url'],
    ['the list of models', '/provider/providers/_/available-models', described, 'provider.base_url'],
    ['a bot', '/platform/bots', bot, 'adapter_config.api_base_url'],
    [
      'the test of an adapter',
      '/platform/adapters/telegram/test',
      (address) => ({ adapter_config: bot(address).adapter_config }),
      'adapter_config.api_base_url',
    ],
    ['a pipeline', '/pipelines', (url) => ({ name: 'P', config: runner(url) }), 'config.ai.http-api.url'],
    ['a knowledge base', '/knowledge/bases', base, 'creation_settings.address'],
  ])('is refused in %s that a key without `admin` brings, with the scope that it needs', async (_, url, body, path) => {
    for (const address of [`${origin}/v1`, origin.replace('127.0.0.1', 'localhost'), 'http://169.254.169.254/latest']) {
      const answer = await call(defaults, 'POST', url, body(address));
      expect(answer, address).toMatchObject({ status: 403, body: { reason: 'private_address' } });
      expect(answer.body.details).toEqual([{ path, message: 'is in a private network', rule: 'privateAddress' }]);
      expect(answer.body.msg).toContain('the scope "admin"');
    }
    expect(reached).toEqual([]);
  });

  it('is reached by what an admin saved, and by others who use it', async () => {
    const uuid = await made(admin, '/provider/providers', provider());
    const listed = await call(defaults, 'GET', `/provider/providers/${uuid}/available-models`);
    expect(listed.text).toContain(secret);
    // A change of something else leaves it the admin's.
    expect((await call(defaults, 'PUT', `/provider/providers/${uuid}`, { name: 'Renamed' })).status).toBe(200);
    expect((await call(defaults, 'GET', `/provider/providers/${uuid}/available-models`)).status).toBe(200);
  });

  it('may not take the place of another one', async () => {
    const uuid = await made(defaults, '/provider/providers', provider('https://models.example/v1'));
    expect(await call(defaults, 'PUT', `/provider/providers/${uuid}`, { base_url: origin })).toMatchObject({
      status: 403,
    });
    const pipeline = await made(defaults, '/pipelines', { name: 'Q', config: runner('https://runner.example/') });
    const change = { config: runner(`${origin}/plain`) };
    expect(await call(defaults, 'PUT', `/pipelines/${pipeline}`, change)).toMatchObject({ status: 403 });
    expect(await call(admin, 'PUT', `/pipelines/${pipeline}`, change)).toMatchObject({ status: 200 });
    // Another path of the same server is another address.
    const moved = { config: runner(`${origin}/admin/delete`) };
    expect(await call(defaults, 'PUT', `/pipelines/${pipeline}`, moved)).toMatchObject({ status: 403 });
    expect(await call(defaults, 'PUT', `/pipelines/${pipeline}`, change)).toMatchObject({ status: 200 });
  });

  it('is not reached through a name that a key without `admin` saved while it led elsewhere', async () => {
    const uuid = await made(defaults, '/provider/providers', provider('http://nowhere.invalid/v1'));
    await service.database
      .updateTable('providers')
      .set({ base_url: `${origin}/v1` })
      .where('uuid', '=', uuid)
      .execute();
    const listed = await call(defaults, 'GET', `/provider/providers/${uuid}/available-models`);
    expect(listed).toMatchObject({ status: 422, body: { reason: 'address_not_allowed' } });
    // Nor does an admin who saves something else of the record vouch for it.
    expect((await call(admin, 'PUT', `/provider/providers/${uuid}`, provider())).status).toBe(200);
    expect((await call(admin, 'GET', `/provider/providers/${uuid}/available-models`)).status).toBe(422);
    expect(reached).toEqual([]);
  });

  it('stays reachable in records from before it was known who saved them', async () => {
    const uuid = await made(admin, '/provider/providers', provider(`${origin}/old`));
    await service.database.updateTable('providers').set({ admin_addresses: null }).where('uuid', '=', uuid).execute();
    expect((await call(defaults, 'GET', `/provider/providers/${uuid}/available-models`)).text).toContain(secret);
  });

  it('is in the audit log when it was tested, also when that failed', async () => {
    const before = Date.now();
    await call(defaults, 'POST', '/platform/adapters/telegram/test', { adapter_config: bot(origin).adapter_config });
    await call(admin, 'POST', '/provider/models/llm/_/test', model(`${origin}/tested`));
    const { body } = await call(admin, 'GET', `/audit?since=${new Date(before).toISOString()}`);
    const entries = body.data.entries.map(({ action, after }: { action: string; after: object }) => [action, after]);
    expect(entries).toEqual([
      ['language-model.test', { address: `${origin}/tested`, reason: expect.any(String) }],
      ['adapter.test', { address: [origin], reason: 'private_address' }],
    ]);
  });
});
