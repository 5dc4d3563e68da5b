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

it('a requester that is known by name only says why, and takes no provider', async () => {
  const { requester } = (await service.request({ url: '/api/v1/provider/requesters/seekdb-embedding', bearer })).body
    .data;
  expect(requester.spec).toMatchObject({ config: [], support_type: ['text-embedding'], lists_models: false });
  expect(requester.spec.unavailable.en_US).toContain('no part of Parley');
  const json = { name: 'Local', requester: 'seekdb-embedding', base_url: '' };
  const refused = await service.request({ method: 'POST', url: list, bearer, json });
  expect(refused.status).toBe(400);
  expect(refused.body.details).toEqual([{ path: 'requester', message: expect.stringContaining('is not available') }]);
});
