import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { badCredentials, everyCredential } from '../../../../test/factories/every-credential.ts';
import { startTestService } from '../../../../test/factories/start-test-service.ts';

const service = await startTestService();
afterAll(() => service.stop());

const url = '/api/v1/provider/model-prices';
const bearer = service.account.token;
const price = { input_price: 0.15, output_price: 0.6 };
const of = (name: string) => `${url}/${encodeURIComponent(name)}`;
const put = (name: string, json: unknown = price) => service.request({ method: 'PUT', url: of(name), bearer, json });
const remove = (name: string) => service.request({ method: 'DELETE', url: of(name), bearer });
const list = async () => (await service.request({ url, bearer })).body.data.model_prices;

beforeEach(async () => {
  for (const { model_name } of await list()) await remove(model_name);
});

describe('prices of models', () => {
  it('are none at first, then set, listed, changed and forgotten', async () => {
    expect(await list()).toEqual([]);
    const made = await put('gpt');
    expect(made.status).toBe(200);
    expect(made.body.data).toEqual({
      model_price: {
        model_name: 'gpt',
        ...price,
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
      },
    });
    await put('another', { input_price: 0, output_price: 0 });
    const listed = await list();
    expect(listed.map(({ model_name }: { model_name: string }) => model_name)).toEqual(['another', 'gpt']);

    // Writing back what was read changes only the timestamp.
    const again = await put('gpt', made.body.data.model_price);
    expect(again.body.data.model_price).toMatchObject({ ...price, created_at: made.body.data.model_price.created_at });
    expect((await put('gpt', { ...price, input_price: 1 })).body.data.model_price.input_price).toBe(1);

    expect((await remove('gpt')).body).toEqual({ code: 0, msg: 'ok', data: {} });
    expect((await remove('gpt')).status).toBe(404);
    expect(await list()).toHaveLength(1);
  });

  it.each(['DeepSeek-AI/DeepSeek-V3', 'gpt 4 (old)', '模型', 'a%2Fb', 'x'.repeat(255), '/'.repeat(100)])(
    'take the name %j, in upper or lower case',
    async (name) => {
      expect((await put(name)).body.data.model_price.model_name).toBe(name.toLowerCase());
      await put(name.toUpperCase());
      expect(await list()).toHaveLength(1);
      expect((await remove(name.toUpperCase())).status).toBe(200);
    },
  );

  it.each<[string, unknown, string]>([
    ['no price for what it writes', { input_price: 1 }, 'output_price'],
    ['a price below nothing', { ...price, input_price: -0.01 }, 'input_price'],
    ['a price beyond counting', { ...price, output_price: 1e10 }, 'output_price'],
    ['a text for a price', { ...price, input_price: '1' }, 'input_price'],
    ['null for a price', { ...price, input_price: null }, 'input_price'],
    ['an unknown field', { ...price, currency: 'EUR' }, 'currency'],
  ])('are refused with %s', async (_, json, path) => {
    const answer = await put('gpt', json);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ reason: 'invalid_request', details: [{ path }] });
    expect(await list()).toEqual([]);
  });

  it('are of models that have a name', async () => {
    expect((await put(' ')).body).toMatchObject({
      code: -1,
      reason: 'invalid_request',
      details: [{ path: 'model_name' }],
    });
    expect((await put('x'.repeat(256))).status).toBe(404);
    expect((await put('')).status).toBe(404);
    expect(await list()).toEqual([]);
  });

  it('leave a trace of who changed them', async () => {
    await put('GPT');
    await put('GPT', { ...price, output_price: 7 });
    await remove('GPT');
    const filter = '/api/v1/audit?record_kind=model-price&record_id=gpt&limit=3';
    const { entries } = (await service.request({ url: filter, bearer })).body.data;
    expect(entries).toMatchObject([
      { action: 'model-price.delete', before: { output_price: 7 }, after: null },
      { action: 'model-price.update', changed: ['output_price'], before: price, after: { output_price: 7 } },
      { action: 'model-price.update', before: null, after: price },
    ]);
  });
});

describe('credentials for prices', async () => {
  const [readers, writers] = [await everyCredential(service, 'read'), await everyCredential(service, 'write')];
  it.each(readers)('to read: %s', async (_, part) => {
    expect((await service.request({ url, ...part })).status).toBe(200);
  });
  it.each(writers)('to write: %s', async (_, part) => {
    expect((await service.request({ method: 'PUT', url: of('gpt'), json: price, ...part })).status).toBe(200);
    expect((await service.request({ method: 'DELETE', url: of('gpt'), ...part })).status).toBe(200);
  });
  it.each(badCredentials)('not %s', async (_, part) => {
    expect((await service.request({ method: 'PUT', url: of('gpt'), json: price, ...part })).status).toBe(401);
  });
  it('not a key that may only read', async () => {
    const { key: apiKey } = await service.createApiKey(['read']);
    expect((await service.request({ method: 'PUT', url: of('gpt'), json: price, apiKey })).status).toBe(403);
    expect((await service.request({ method: 'DELETE', url: of('gpt'), apiKey })).status).toBe(403);
    expect((await service.request({ url, apiKey })).status).toBe(200);
  });
});
