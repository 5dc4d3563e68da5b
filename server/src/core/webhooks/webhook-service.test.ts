import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import type { Storage } from '../../storage/storage.ts';
import { KyselyWebhookStore } from '../../storage/webhooks/kysely-webhook-store.ts';
import { WebhookService } from './webhook-service.ts';

let storage: Storage;
let service: WebhookService;
beforeEach(async () => {
  storage = await openTestStorage('sqlite');
  service = new WebhookService(new KyselyWebhookStore(storage.database));
});
afterEach(() => storage.close());

const url = 'https://example.com/hook';

it('is switched on unless it is said to be off', async () => {
  const made = await service.create({ name: 'n', url });
  expect(made).toEqual({
    id: expect.any(Number),
    name: 'n',
    url,
    description: '',
    enabled: true,
    created_at: expect.stringMatching(/Z$/),
    updated_at: made.created_at,
  });
  expect(await service.get(made.id)).toEqual(made);
  expect((await service.create({ name: 'n', url, enabled: false })).enabled).toBe(false);
});

it.each(['http://127.0.0.1:8080/x', 'HTTPS://Example.com/?token=a%20b#part', 'https://exämple.com/ü', 'http://[::1]/'])(
  'may be sent to %s',
  async (address) => {
    const { id } = await service.create({ name: 'n', url: address });
    expect((await service.get(id)).url).toBe(address);
  },
);

it.each([
  '',
  'example.com',
  '/hook',
  'ftp://example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'http:example.com',
  'http://',
  'https://user@example.com/',
  'https://user:word@example.com/',
  'https://:word@example.com/',
  'https://exam\nple.com/',
  'https://example.com/a b',
  ' https://example.com/',
  'https://example.com:99999/',
])('may not be sent to %j', async (address) => {
  const refusal = { reason: 'invalid_request', details: [{ path: 'url' }] };
  await expect(service.create({ name: 'n', url: address })).rejects.toMatchObject(refusal);
  const { id } = await service.create({ name: 'n', url });
  await expect(service.update(id, { url: address })).rejects.toMatchObject(refusal);
  expect((await service.list()).map((webhook) => webhook.url)).toEqual([url]);
});

it('keeps what an update leaves out or says null for', async () => {
  const made = await service.create({ name: 'n', url, description: 'd', enabled: false });
  expect(await service.update(made.id, {})).toMatchObject({ name: 'n', url, description: 'd', enabled: false });
  const nothing = { name: null, url: null, description: null, enabled: null };
  expect(await service.update(made.id, nothing)).toMatchObject({ name: 'n', url, description: 'd', enabled: false });
  expect(await service.update(made.id, { description: '', enabled: true })).toMatchObject({
    name: 'n',
    description: '',
    enabled: true,
  });
});

it('is not found when it is not there', async () => {
  const missing = { reason: 'not_found' };
  await expect(service.get(1)).rejects.toMatchObject(missing);
  await expect(service.update(1, { name: 'n' })).rejects.toMatchObject(missing);
  await expect(service.delete(1)).rejects.toMatchObject(missing);
  const { id } = await service.create({ name: 'n', url });
  await service.delete(id);
  await expect(service.get(id)).rejects.toMatchObject(missing);
});
