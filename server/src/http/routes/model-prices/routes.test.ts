import { readFile } from 'node:fs/promises';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { badCredentials, everyCredential } from '../../../../test/factories/every-credential.ts';
import { startTestService } from '../../../../test/factories/start-test-service.ts';

const service = await startTestService();
// The date of the price list is that of this version.
const manifest = new URL('../package.json', import.meta.resolve('@pydantic/genai-prices'));
const { version: listVersion } = JSON.parse(await readFile(manifest, 'utf8'));
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

describe('price lists', () => {
  const importFile = (file: string, more: object = {}) =>
    service.request({ method: 'POST', url: `${url}/import`, bearer, json: { file, ...more } });
  const rows = 'model_name,input_price,output_price\ngpt,0.15,0.6\nsearch,0.02,\nimage,,';

  it('are tried, then imported, and name what they change', async () => {
    await put('gpt', { input_price: 9, output_price: 9 });
    const tried = await importFile(rows, { dry_run: true });
    expect(tried.body.data).toEqual({ added: 1, changed: 1, unchanged: 0, skipped: 1 });
    expect(await list()).toMatchObject([{ model_name: 'gpt', input_price: 9 }]);
    await importFile(rows);
    expect(await list()).toMatchObject([
      { model_name: 'gpt', ...price },
      { model_name: 'search', input_price: 0.02, output_price: 0 },
    ]);
    expect((await importFile(rows)).body.data).toMatchObject({ added: 0, changed: 0, unchanged: 2 });
  });

  it('that are not wholly valid change nothing', async () => {
    const refused = await importFile(`${rows}\nodd,-1,1`);
    expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'file[3]', rule: 'price' }] } });
    expect(await list()).toEqual([]);
    expect((await importFile('')).status).toBe(400);
    expect((await importFile('x'.repeat(9_000_000))).status).toBe(400);
  });

  it('suggest prices of installed models whose provider is known by its address', async () => {
    const models = async (base_url: string, names: string[]) => {
      const json = { name: base_url, requester: 'openai-chat-completions', base_url, api_keys: [] };
      const made = await service.request({ method: 'POST', url: '/api/v1/provider/providers', bearer, json });
      for (const name of names) {
        const model = { name, provider_uuid: made.body.data.uuid };
        await service.request({ method: 'POST', url: '/api/v1/provider/models/llm', bearer, json: model });
      }
    };
    await models('https://api.openai.com/v1', ['gpt-4o', 'GPT-4o', 'no-such-model']);
    await models('http://127.0.0.1:9/v1', ['gpt-4o-mini']);
    const { body } = await service.request({ url: `${url}/suggestions`, bearer });
    expect(body.data.suggestions).toEqual([
      { model_name: 'gpt-4o', input_price: 2.5, output_price: 10, provider_name: 'OpenAI', is_tiered: false },
    ]);
    expect(body.data.source).toMatchObject({ name: '@pydantic/genai-prices', version: listVersion });
    // Nothing is applied by itself.
    expect(await list()).toEqual([]);
  });
});

it('the currency is none at first, then set, and exists', async () => {
  const currency = '/api/v1/provider/price-currency';
  const read = async () => (await service.request({ url: currency, bearer })).body.data;
  const set = (json: object) => service.request({ method: 'PUT', url: currency, bearer, json });
  expect(await read()).toEqual({ currency: null, usd_rate: null });
  expect((await set({ currency: 'EUR', usd_rate: 0.9 })).body.data).toEqual({ currency: 'EUR', usd_rate: 0.9 });
  expect(await read()).toEqual({ currency: 'EUR', usd_rate: 0.9 });
  expect((await set({ currency: 'USD', usd_rate: null })).body.data).toEqual({ currency: 'USD', usd_rate: 1 });
  for (const json of [
    { currency: 'XQQ', usd_rate: 1 },
    { currency: 'eur', usd_rate: 1 },
    { currency: 'EUR', usd_rate: 0 },
  ]) {
    expect(await set(json)).toMatchObject({ status: 400 });
  }
  expect(await read()).toMatchObject({ currency: 'USD' });
});
