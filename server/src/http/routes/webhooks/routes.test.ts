import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestService } from '../../../../test/factories/start-test-service.ts';

const service = await startTestService();
afterAll(() => service.stop());

const url = '/api/v1/webhooks';
const address = 'https://example.com/hook';
const bearer = service.account.token;
const create = async (json: object = { name: 'n', url: address }) =>
  (await service.request({ method: 'POST', url, bearer, json })).body.data.webhook;
const read = async (id: number) => (await service.request({ url: `${url}/${id}`, bearer })).body.data.webhook;
const put = (id: number | string, json: unknown) =>
  service.request({ method: 'PUT', url: `${url}/${id}`, bearer, json });

beforeEach(() => service.database.deleteFrom('webhooks').execute());

it('are kept, listed, changed and deleted', async () => {
  const made = await create({ name: 'office', url: address, description: 'd', enabled: false });
  expect(made).toEqual({
    id: expect.any(Number),
    name: 'office',
    url: address,
    description: 'd',
    enabled: false,
    created_at: expect.stringMatching(/Z$/),
    updated_at: expect.stringMatching(/Z$/),
  });
  const other = await create();
  expect(other).toMatchObject({ description: '', enabled: true });
  expect((await service.request({ url, bearer })).body.data).toEqual({ webhooks: [made, other] });
  expect(await read(made.id)).toEqual(made);

  const changed = await put(made.id, { name: 'home', enabled: true, url: null });
  expect(changed.status).toBe(200);
  expect(changed.body).toEqual({ code: 0, msg: 'ok', data: {} });
  expect(await read(made.id)).toEqual({
    ...made,
    name: 'home',
    enabled: true,
    updated_at: expect.stringMatching(/Z$/),
  });

  const gone = await service.request({ method: 'DELETE', url: `${url}/${made.id}`, bearer });
  expect(gone.body).toEqual({ code: 0, msg: 'ok', data: {} });
  expect((await service.request({ url, bearer })).body.data).toEqual({ webhooks: [other] });
});

it('can be written back as they were read', async () => {
  const made = await create();
  expect((await put(made.id, made)).status).toBe(200);
  expect(await read(made.id)).toMatchObject({ name: made.name, url: made.url, created_at: made.created_at });
  expect((await service.request({ method: 'POST', url, bearer, json: made })).status).toBe(200);
});

it.each<[string, object, string]>([
  ['no name', { url: address }, 'name'],
  ['an empty name', { name: '', url: address }, 'name'],
  ['a long name', { name: 'n'.repeat(256), url: address }, 'name'],
  ['a name that is no text', { name: 1, url: address }, 'name'],
  ['no address', { name: 'n' }, 'url'],
  ['an empty address', { name: 'n', url: '' }, 'url'],
  ['an address that is too long', { name: 'n', url: `https://example.com/${'a'.repeat(1005)}` }, 'url'],
  ['another scheme', { name: 'n', url: 'ftp://example.com/' }, 'url'],
  ['a script', { name: 'n', url: 'javascript:alert(1)' }, 'url'],
  ['a password in the address', { name: 'n', url: 'https://ann:word@example.com/' }, 'url'],
  ['a long description', { name: 'n', url: address, description: 'd'.repeat(513) }, 'description'],
  ['a switch that is no truth value', { name: 'n', url: address, enabled: 1 }, 'enabled'],
  ['an unknown field', { name: 'n', url: address, secret: 's' }, 'secret'],
])('are refused with %s', async (_, json, path) => {
  const made = await create();
  const created = await service.request({ method: 'POST', url, bearer, json });
  expect(created.status).toBe(400);
  expect(created.body).toMatchObject({ code: -1, reason: 'invalid_request', details: [{ path }] });
  expect((await service.request({ url, bearer })).body.data.webhooks).toHaveLength(1);
  // What an update may leave out is the one difference.
  const updated = await put(made.id, json);
  expect(updated.status).toBe(Object.keys(json).includes(path) ? 400 : 200);
});

it('may have an address of 1024 characters', async () => {
  const long = `https://example.com/${'a'.repeat(1004)}`;
  expect((await create({ name: 'n', url: long })).url).toBe(long);
});

it.each(['POST', 'PUT'])('are not made of what is no object: %s', async (method) => {
  const { id } = await create();
  const target = method === 'POST' ? url : `${url}/${id}`;
  for (const payload of ['[]', 'null', '"a"', '1', '{']) {
    const headers = { 'content-type': 'application/json' };
    expect((await service.request({ method, url: target, bearer, headers, payload })).status).toBe(400);
  }
});

it.each(['2147483647', '0', '-1', '1.5', 'a', '99999999999999999999', '%00', '1 or 1=1'])(
  'are 404 under the number %s',
  async (id) => {
    for (const [method, json] of [['GET'], ['PUT', { name: 'n' }], ['DELETE']] as const) {
      const answer = await service.request({
        method,
        url: `${url}/${encodeURIComponent(id)}`,
        bearer,
        ...(json === undefined ? {} : { json }),
      });
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject({ code: -1, reason: 'not_found' });
    }
  },
);

describe('are for those who manage the server', () => {
  it('with a key of the scope admin', async () => {
    const { key: apiKey } = await service.createApiKey(['admin']);
    expect((await service.request({ url, apiKey })).status).toBe(200);
  });

  it('with no other key, and not without a credential', async () => {
    const { key: apiKey } = await service.createApiKey(['read', 'write', 'send']);
    const { id } = await create();
    const requests = [
      { url },
      { method: 'POST', url, json: { name: 'n', url: address } },
      { url: `${url}/${id}` },
      { method: 'PUT', url: `${url}/${id}`, json: { name: 'other' } },
      { method: 'DELETE', url: `${url}/${id}` },
    ];
    for (const request of requests) {
      expect((await service.request({ ...request, apiKey })).status).toBe(403);
      expect((await service.request(request)).status).toBe(401);
    }
    expect(await read(id)).toMatchObject({ name: 'n' });
  });
});
