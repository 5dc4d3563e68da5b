import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSharedStorage } from '../../src/storage/shared-storage.ts';
import { type ApiClient, apiKey, signedIn } from '../end-to-end/api-client.ts';
import { type ServiceProcess, startServiceProcess } from '../factories/start-service-process.ts';
import { makeMigratedPlace, type StoragePlace } from '../stores/open-test-storage.ts';

const password = 'correct horse battery staple';
const planted = {
  provider: 'sk-PLANTED-provider-0123456789',
  pipeline: 'PLANTED-pipeline-0123456789',
  bot: '123456:PLANTED-bot-0123456789abcdefghijk',
  server: 'PLANTED-server-0123456789',
  query: 'PLANTED-query-0123456789',
};

let place: StoragePlace;
let service: ServiceProcess;
let api: ApiClient;
let key: string;
beforeAll(async () => {
  place = await makeMigratedPlace('sqlite');
  service = await startServiceProcess({ ...place, environment: { PARLEY_LOG_LEVEL: 'trace' } });
  api = await signedIn(service.address);
  key = await apiKey(api);
  await api.data('POST', '/provider/providers', {
    name: 'Provider',
    requester: 'openai-chat-completions',
    base_url: 'http://127.0.0.1:1/v1',
    api_keys: [planted.provider],
  });
  await api.data('POST', '/pipelines', {
    name: 'Pipeline',
    config: { ai: { runner: { runner: 'dify-service-api' }, 'dify-service-api': { 'api-key': planted.pipeline } } },
  });
  await api.data('POST', '/platform/bots', {
    name: 'Bot',
    adapter: 'telegram',
    enable: true,
    adapter_config: { token: planted.bot, api_base_url: 'http://127.0.0.1:1' },
  });
  await api.data('POST', '/mcp/servers', {
    name: 'server',
    mode: 'http',
    enable: true,
    extra_args: { url: 'http://127.0.0.1:1/mcp', headers: { 'x-key': planted.server } },
  });
  // Refused, but not before it was looked at.
  await fetch(`${service.address}/api/v1/pipelines?api_key=${planted.query}`, {
    headers: { authorization: `Bearer ${planted.query}`, cookie: `parley_session=${planted.query}` },
  });
});
afterAll(async () => {
  await service?.stop();
  await place?.remove();
});

const secrets = () => [...Object.values(planted), password, key, api.token];
const foundIn = (text: string) => secrets().filter((secret) => text.includes(secret));

describe('a secret', () => {
  it('is in no file of the data folder as it is', async () => {
    const files = readdirSync(place.dataDir, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(files.map(({ name }) => name)).toContain('parley.db');
    for (const { parentPath, name } of files) {
      expect([name, foundIn(readFileSync(join(parentPath, name), 'latin1'))]).toEqual([name, []]);
    }
    expect(statSync(place.dataDir).mode & 0o077).toBe(0);
    expect(statSync(join(place.dataDir, 'secret.key')).mode & 0o077).toBe(0);
  });

  it('is in no answer once it was stored', async () => {
    for (const path of [
      '/provider/providers',
      '/pipelines',
      '/platform/bots',
      '/mcp/servers',
      '/apikeys',
      '/audit',
      '/system/tasks',
      '/logs',
      '/system/status',
    ]) {
      const { status, body } = await api.call('GET', path);
      expect([path, status, foundIn(JSON.stringify(body))]).toEqual([path, 200, []]);
    }
  });

  it('is in no line that the process writes', () => {
    const { stdout, stderr } = service.output();
    expect(stderr.length).toBeGreaterThan(0);
    expect(foundIn(stdout + stderr)).toEqual([]);
  });
});

it('a password is hashed at a cost, whoever made the account', async () => {
  await api.data('POST', '/accounts', { user: 'mel', password, role: 'member' });
  const storage = await openSharedStorage(place);
  const accounts = await storage.database.selectFrom('accounts').select('password_hash').execute();
  await storage.close();
  expect(accounts).toHaveLength(2);
  // 19 MiB and two passes: tests give their services a lower cost, which must not reach any other.
  for (const { password_hash } of accounts) expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

describe('a stored key', () => {
  it.each<[string, object]>([
    ['another host', { base_url: 'http://127.0.0.2:1/v1' }],
    ['another port', { base_url: 'http://127.0.0.1:2/v1' }],
    ['another scheme', { base_url: 'https://127.0.0.1:1/v1' }],
    ['another protocol', { requester: 'deepseek-chat-completions' }],
  ])('does not go to %s when its mask comes back', async (_name, change) => {
    const { providers } = await api.data('GET', '/provider/providers');
    const provider = providers.find(({ name }: { name: string }) => name === 'Provider');
    const path = `/provider/providers/${provider.uuid}`;
    const refused = await api.call('PUT', path, { ...change, api_keys: provider.api_keys });
    expect([refused.status, refused.body.reason]).toEqual([400, 'secret_required']);
    const { requester, base_url, api_keys } = { ...provider, ...change };
    const json = { name: 'm', provider: { requester, base_url, api_keys } };
    const tested = await api.call('POST', '/provider/models/llm/_/test', json);
    expect([tested.status, tested.body.reason]).toEqual([400, 'secret_required']);
  });
});
