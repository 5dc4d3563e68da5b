import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { badCredentials, everyCredential } from '../../../../test/factories/every-credential.ts';
import { startTestService } from '../../../../test/factories/start-test-service.ts';
import { listedModels, startModelServer } from '../../../../test/fakes/model-server/index.ts';

const service = await startTestService();
const bearer = service.account.token;
const list = '/api/v1/provider/providers';
const key = 'sk-0123456789abcdefwxyz';
const provider = await startModelServer('gemini');
afterAll(async () => {
  await service.stop();
  await provider.close();
});
beforeEach(() => {
  provider.requests.length = 0;
  provider.behave({ kind: 'answer' });
});

async function create(requester: string, base_url: string): Promise<string> {
  const json = { name: 'Example', requester, base_url, api_keys: [key] };
  return (await service.request({ method: 'POST', url: list, bearer, json })).body.data.uuid;
}
const uuid = await create('gemini', provider.base_url);
const path = (of: string) => `${list}/${of}/available-models`;
const ask = (of = uuid) => service.request({ url: path(of), bearer });

const credentials = await everyCredential(service, 'write');

describe('GET /api/v1/provider/providers/{provider_uuid}/available-models', () => {
  it.each(credentials)('lists what the provider offers to %s', async (_name, part) => {
    const answer = await service.request({ url: path(uuid), ...part });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({
      supported: true,
      models: [
        { id: listedModels[0], kinds: ['llm'], label: 'SOME-MODEL' },
        { id: listedModels[1], kinds: ['text-embedding'], label: 'SOME-EMBEDDING' },
      ],
    });
    expect(provider.keys()).toEqual([key]);
  });

  it('says that providers of a kind have no list', async () => {
    const bedrock = await create('amazon-bedrock', 'https://bedrock-runtime.eu-north-1.amazonaws.com');
    expect((await ask(bedrock)).body.data).toEqual({ supported: false, models: [] });
  });

  it.each<[object, number, object]>([
    [{ status: 401, message: `No such key ${key}` }, 502, { reason: 'provider_unauthorized' }],
    [{ status: 400, message: 'API key not valid.' }, 502, { reason: 'provider_unauthorized' }],
    [{ status: 404, message: `Nothing for ${key}` }, 502, { reason: 'provider_failed' }],
    [{ status: 429, headers: { 'retry-after': '9' } }, 422, { reason: 'quota' }],
    [{ status: 504 }, 504, { reason: 'provider_timeout' }],
    [{ status: 200 }, 502, { reason: 'provider_failed' }],
  ])('answers what went wrong at the provider: %j', async (behaviour, status, expected) => {
    provider.behave({ kind: 'error', status: 0, ...behaviour });
    const answer = await ask();
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject(expected);
    expect(answer.text).not.toContain(key);
    expect(answer.headers['retry-after']).toBe(status === 422 ? '9' : undefined);
  });

  it('reports connection failures and blocked addresses', async () => {
    const closed = await startModelServer('ollama');
    await closed.close();
    const answer = await ask(await create('ollama-chat', closed.base_url));
    expect([answer.status, answer.body.reason]).toEqual([502, 'provider_unreachable']);
    const metadata = await ask(await create('ollama-chat', 'http://169.254.169.254'));
    expect([metadata.status, metadata.body.reason]).toEqual([422, 'address_not_allowed']);
  });

  it.each(['00000000-0000-4000-8000-000000000000', 'nothing', '_'])('answers 404 to %s', async (unknown) => {
    const answer = await ask(unknown);
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ code: -1, reason: 'not_found' });
  });

  it.each(badCredentials)('answers 401 to %s', async (_name, part) => {
    expect((await service.request({ url: path(uuid), ...part })).status).toBe(401);
    expect(provider.requests).toEqual([]);
  });

  it('answers 403 to a key that may only read, because it makes a call with the stored key', async () => {
    const { key: apiKey } = await service.createApiKey(['read']);
    expect((await service.request({ url: path(uuid), apiKey })).status).toBe(403);
    expect(provider.requests).toEqual([]);
  });

  it('gives up with the client', { timeout: 15_000 }, async () => {
    provider.behave({ kind: 'stall' });
    const controller = new AbortController();
    const headers = { authorization: `Bearer ${bearer}` };
    const answer = fetch(`${service.address}${path(uuid)}`, { headers, signal: controller.signal });
    answer.catch(() => {});
    await expect.poll(() => provider.requests.length).toBe(1);
    controller.abort();
    await expect(answer).rejects.toThrow();
    await provider.requests[0]?.closed;
  });
});

describe('POST /api/v1/provider/providers/_/available-models', () => {
  const described = (part: object = {}) => ({
    provider: { requester: 'gemini', base_url: provider.base_url, api_keys: [key], ...part },
  });
  const askUnsaved = (json: object, part: object = { bearer }) =>
    service.request({ method: 'POST', url: path('_'), json, ...part });

  it('lists what a provider offers that is not stored, and stores nothing', async () => {
    const counts = async () => {
      const [providers, audit] = await Promise.all([
        service.request({ url: list, bearer }),
        service.request({ url: '/api/v1/audit', bearer }),
      ]);
      return [providers.body.data.providers.length, audit.body.data.entries.length];
    };
    const before = await counts();
    const fresh = 'sk-never-stored-0123456789';
    const answer = await askUnsaved(described({ api_keys: [fresh] }));
    expect(answer.status).toBe(200);
    expect(answer.body.data.models.map(({ id }: { id: string }) => id)).toEqual(listedModels.slice(0, 2));
    expect(provider.keys()).toEqual([fresh]);
    expect(await counts()).toEqual(before);
    // The address is in a private network: a key needs the scope for that as well.
    const { key: apiKey } = await service.createApiKey(['write', 'admin']);
    expect((await askUnsaved(described(), { apiKey })).status).toBe(200);
  });

  it('uses the stored key of a provider that is named', async () => {
    expect((await askUnsaved({ provider: { uuid } })).status).toBe(200);
    expect((await askUnsaved({ provider_uuid: uuid })).status).toBe(200);
    expect(provider.keys()).toEqual([key, key]);
  });

  it('sends a stored key to no other address', async () => {
    const { body } = await service.request({ url: `${list}/${uuid}`, bearer });
    const masked = body.data.provider.api_keys;
    const other = await startModelServer('gemini');
    const answer = await askUnsaved(described({ base_url: other.base_url, api_keys: masked }));
    await other.close();
    expect(answer.status).toBe(400);
    expect(answer.body.reason).toBe('secret_required');
    expect(other.requests).toEqual([]);
  });

  it.each<[object, string]>([
    [{}, 'provider_uuid'],
    [{ provider: { requester: 'gemini' } }, 'provider_uuid'],
    [{ provider: { requester: 'nothing', base_url: 'https://models.example' } }, 'provider.requester'],
    [{ provider: { requester: 'gemini', base_url: 'nothing' } }, 'provider.base_url'],
    [{ provider: { requester: 'gemini', base_url: 'https://models.example', api_keys: 'x' } }, 'provider.api_keys'],
    [{ provider_uuid: '00000000-0000-4000-8000-000000000000' }, 'provider_uuid'],
  ])('answers 400 to %j', async (json, field) => {
    const answer = await askUnsaved(json);
    expect(answer.status).toBe(400);
    expect(answer.body.details[0].path).toBe(field);
  });

  it('reports what is wrong without the key', async () => {
    provider.behave({ kind: 'error', status: 401, message: `No such key ${key}` });
    const answer = await askUnsaved(described());
    expect([answer.status, answer.body.reason]).toEqual([502, 'provider_unauthorized']);
    expect(answer.text).not.toContain(key);
    const metadata = await askUnsaved(described({ base_url: 'http://169.254.169.254' }));
    expect([metadata.status, metadata.body.reason]).toEqual([422, 'address_not_allowed']);
  });

  it.each(badCredentials)('answers 401 to %s', async (_name, part) => {
    expect((await askUnsaved(described(), part)).status).toBe(401);
    expect(provider.requests).toEqual([]);
  });

  it('answers 403 to a key that may only read', async () => {
    const { key: apiKey } = await service.createApiKey(['read']);
    expect((await askUnsaved(described(), { apiKey })).status).toBe(403);
    expect(provider.requests).toEqual([]);
  });
});

it('a requester that is known by name only says why, and takes no provider', async () => {
  const { requester } = (await service.request({ url: '/api/v1/provider/requesters/seekdb-embedding', bearer })).body
    .data;
  expect(requester.spec).toMatchObject({ config: [], support_type: ['text-embedding'], lists_models: false });
  expect(requester.spec.unavailable.en_US).toContain('no part of Parley');
  const json = { name: 'Local', requester: 'seekdb-embedding', base_url: '' };
  const refused = await service.request({ method: 'POST', url: list, bearer, json });
  expect(refused.status).toBe(400);
  const message = expect.stringContaining('is not available');
  expect(refused.body.details).toEqual([{ path: 'requester', message, rule: 'unavailable' }]);
});
