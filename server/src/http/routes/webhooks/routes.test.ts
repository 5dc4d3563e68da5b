import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakePlatform } from '../../../../test/factories/fake-platform.ts';
import { startTestService } from '../../../../test/factories/start-test-service.ts';
import { answerWith, startWebhookReceiver, type WebhookReceiver } from '../../../../test/fakes/webhook-receiver.ts';
import { messageEvent } from '../../../../test/stores/ledger-records.ts';

const fake = createFakePlatform();
const service = await startTestService({ extensions: { platforms: [fake.platform] }, bots: [{ adapter: 'fake' }] });
afterAll(() => service.stop());

const url = '/api/v1/webhooks';
const unknownUuid = '00000000-0000-7000-8000-000000000000';
const address = 'https://example.com/hook';
const bearer = service.account.token;
const create = async (json: object = { name: 'n', url: address }) =>
  (await service.request({ method: 'POST', url, bearer, json })).body.data.webhook;
const read = async (id: number) => (await service.request({ url: `${url}/${id}`, bearer })).body.data.webhook;
const put = (id: number | string, json: unknown) =>
  service.request({ method: 'PUT', url: `${url}/${id}`, bearer, json });

beforeEach(() => service.database.deleteFrom('webhooks').execute());

it('are created, listed, changed and deleted', async () => {
  const made = await create({ name: 'office', url: address, description: 'd', enabled: false });
  expect(made).toEqual({
    id: expect.any(Number),
    name: 'office',
    url: address,
    description: 'd',
    enabled: false,
    secret: expect.stringMatching(/^whsec_.{44}$/),
    disabled_reason: null,
    created_at: expect.stringMatching(/Z$/),
    updated_at: expect.stringMatching(/Z$/),
  });
  made.secret = expect.stringMatching(/^whs….{4}$/);
  const other = await create();
  expect(other).toMatchObject({ description: '', enabled: true });
  other.secret = made.secret;
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
  const made = await read((await create()).id);
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
  ['an unknown field', { name: 'n', url: address, color: 'red' }, 'color'],
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
      { method: 'POST', url: `${url}/${id}/rotate-secret` },
      { method: 'POST', url: `${url}/${id}/test` },
      { url: `${url}/${id}/deliveries` },
      { url: `${url}/${id}/deliveries/${unknownUuid}` },
      { method: 'POST', url: `${url}/${id}/deliveries/${unknownUuid}/redeliver` },
    ];
    for (const request of requests) {
      expect((await service.request({ ...request, apiKey })).status).toBe(403);
      expect((await service.request(request)).status).toBe(401);
    }
    expect(await read(id)).toMatchObject({ name: 'n' });
  });
});

describe('what is sent', () => {
  let receiver: WebhookReceiver;
  beforeEach(async () => {
    receiver = await startWebhookReceiver();
  });
  afterEach(() => receiver.close());

  const post = (path: string) => service.request({ method: 'POST', url: `${url}/${path}`, bearer });
  const get = (path: string) => service.request({ url: `${url}/${path}`, bearer });
  const say = async (text: string) => {
    await vi.waitFor(() => expect(fake.up()).toHaveLength(1));
    return (await fake.up()[0]?.context.receive(messageEvent(text)))?.uuid ?? '';
  };
  const made = () => create({ name: 'n', url: receiver.url });

  it('is listed in pages, shown with its attempts, and sent again', async () => {
    const { id } = await made();
    receiver.behave(answerWith(418, 'teapot'));
    const uuids = [await say('one'), await say('two'), await say('three')].reverse();
    const first = uuids[2] as string;
    await vi.waitFor(async () => expect((await get(`${id}/deliveries/${first}`)).body.data.attempts).toHaveLength(1));
    const page = (await get(`${id}/deliveries?limit=2`)).body.data;
    expect(page.deliveries.map(({ uuid }: { uuid: string }) => uuid)).toEqual(uuids.slice(0, 2));
    const rest = (await get(`${id}/deliveries?limit=2&cursor=${page.next_cursor}&state=pending`)).body.data;
    expect(rest).toMatchObject({ deliveries: [{ uuid: first, error: 'HTTP 418' }], next_cursor: null });
    expect((await get(`${id}/deliveries?state=delivered`)).body.data).toEqual({ deliveries: [], next_cursor: null });

    receiver.behave(answerWith(200, 'thanks'));
    const again = await post(`${id}/deliveries/${first}/redeliver`);
    expect([again.status, again.body.data]).toEqual([200, {}]);
    await vi.waitFor(async () =>
      expect((await get(`${id}/deliveries?state=delivered`)).body.data.deliveries).toHaveLength(3),
    );
    expect((await get(`${id}/deliveries/${first}`)).body.data).toMatchObject({
      delivery: { uuid: first, webhook_id: id, event_type: 'bot.person_message', state: 'delivered', attempts: 2 },
      attempts: [
        { number: 1, status: 418, error: 'HTTP 418', answer: 'teapot' },
        { number: 2, status: 200, error: null, answer: 'thanks' },
      ],
    });
    expect((await put(id, { enabled: false })).status).toBe(200);
    const held = await post(`${id}/deliveries/${first}/redeliver`);
    expect([held.status, held.body.reason]).toEqual([409, 'conflict']);
  });

  it('is not found under another webhook, an unknown identifier or one that is none', async () => {
    const { id } = await made();
    for (const path of [`${id}/deliveries/${unknownUuid}`, `${id}/deliveries/x`, `999999/deliveries/${unknownUuid}`]) {
      expect((await get(path)).status).toBe(404);
      expect((await post(`${path}/redeliver`)).status).toBe(404);
    }
    expect((await get('999999/deliveries')).status).toBe(404);
    for (const path of ['999999/test', '999999/rotate-secret', 'x/test', '0/rotate-secret']) {
      expect((await post(path)).status).toBe(404);
    }
  });

  it.each(['limit=0', 'limit=201', 'state=unknown', 'cursor=x', 'cursor=MQ==', 'cursor=LTE', 'color=red', 'cursor='])(
    'is not listed with %s',
    async (query) => {
      const { id } = await made();
      const answer = await get(`${id}/deliveries?${query}`);
      expect([answer.status, answer.body.reason]).toEqual([400, 'invalid_request']);
    },
  );

  it('can be tried with a ping', async () => {
    const { id } = await made();
    receiver.behave(answerWith(200, 'pong'));
    expect((await post(`${id}/test`)).body.data).toMatchObject({ delivered: true, status: 200, answer: 'pong' });
    expect(receiver.received).toMatchObject([{ payload: { event_type: 'ping' } }]);
    receiver.behave((_, response) => void response.destroy());
    const failed = (await post(`${id}/test`)).body.data;
    expect(failed).toMatchObject({ delivered: false, status: null, answer: null, error: expect.stringMatching(/./) });
  });

  it('is signed with a secret that can be replaced, and is never returned again', async () => {
    const { id, secret } = await made();
    const rotated = (await post(`${id}/rotate-secret`)).body.data.secret;
    expect(rotated).toMatch(/^whsec_.{44}$/);
    expect(rotated).not.toBe(secret);
    // The test service looks for known secrets in every answer.
    expect((await read(id)).secret).toBe(`whs…${rotated.slice(-4)}`);
    const entries = (await service.request({ url: '/api/v1/audit?limit=20', bearer })).text;
    expect(entries).toContain('webhook.rotate-secret');
    expect(entries).not.toContain(`whs…${rotated.slice(-4)}`);
  });
});
