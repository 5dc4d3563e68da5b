import { Webhook as StandardWebhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { answerWith, startWebhookReceiver } from '../../../test/fakes/webhook-receiver.ts';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import { openWebhookFixture, type WebhookFixture } from '../../../test/stores/webhook-fixture.ts';
import type { Storage } from '../../storage/storage.ts';
import type { WebhookService } from './webhook-service.ts';

let storage: Storage;
let fixture: WebhookFixture;
let service: WebhookService;
beforeEach(async () => {
  storage = await openTestStorage('sqlite');
  fixture = await openWebhookFixture(storage);
  service = fixture.service;
});
afterEach(async () => {
  await fixture.stop();
  await storage.close();
});

const url = 'https://example.com/hook';

it('is switched on unless it is said to be off', async () => {
  const made = await service.create({ name: 'n', url });
  expect(made).toEqual({
    id: expect.any(Number),
    name: 'n',
    url,
    description: '',
    enabled: true,
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    disabled_reason: null,
    created_at: expect.stringMatching(/Z$/),
    updated_at: made.created_at,
  });
  expect(await service.get(made.id)).toEqual({ ...made, secret: expect.stringMatching(/^whs….{4}$/) });
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

it('retains fields that an update omits or sets to null', async () => {
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

it('shows its secret once, and stores it encrypted only', async () => {
  const made = await service.create({ name: 'n', url });
  const other = await service.create({ name: 'n', url });
  expect(other.secret).not.toBe(made.secret);
  const rotated = await service.rotateSecret(made.id);
  expect(rotated).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(rotated).not.toBe(made.secret);
  await expect(service.rotateSecret(999)).rejects.toMatchObject({ reason: 'not_found' });
  const shown = JSON.stringify([await service.list(), await service.get(made.id), await service.update(made.id, {})]);
  const stored = JSON.stringify(await storage.database.selectFrom('webhooks').selectAll().execute());
  for (const secret of [made.secret, other.secret, rotated]) {
    expect(shown).not.toContain(secret.slice(6, 40));
    expect(stored).not.toContain(secret.slice(6, 40));
  }
});

it('is given a secret at the start when it is from before there were any', async () => {
  const { id } = await service.create({ name: 'n', url });
  await storage.database.updateTable('webhooks').set({ sealed_secret: null, secret_mask: '' }).execute();
  expect((await service.get(id)).secret).toBe('');
  await service.open();
  const { secret } = await service.get(id);
  expect(secret).toMatch(/^whs….{4}$/);
  await service.open();
  expect((await service.get(id)).secret).toBe(secret);
});

it('can be tested: a signed ping is sent immediately, and not stored', async () => {
  const receiver = await startWebhookReceiver();
  try {
    const { id, secret } = await service.create({ name: 'n', url: receiver.url, enabled: false });
    receiver.behave(answerWith(200, `pong ${secret}`));
    expect(await service.test(id)).toEqual({
      delivered: true,
      status: 200,
      milliseconds: expect.any(Number),
      error: null,
      answer: 'pong …',
    });
    const [ping] = receiver.received;
    expect(new StandardWebhook(secret).verify(ping?.body ?? '', ping?.headers ?? {})).toEqual({
      uuid: ping?.id,
      event_type: 'ping',
      data: { webhook: { id, name: 'n' }, timestamp: expect.any(Number) },
    });
    const rotated = await service.rotateSecret(id);
    await service.test(id);
    const second = receiver.received[1];
    expect(new StandardWebhook(rotated).verify(second?.body ?? '', second?.headers ?? {})).toBeTruthy();
    receiver.behave(answerWith(500, 'no'));
    expect(await service.test(id)).toMatchObject({ delivered: false, status: 500, error: 'HTTP 500', answer: 'no' });
    expect(await service.deliveries(id, null, 10, null)).toEqual({ deliveries: [], next: null });
  } finally {
    await receiver.close();
  }
  await expect(service.test(999)).rejects.toMatchObject({ reason: 'not_found' });
});

it('lists deliveries page by page, newest first', async () => {
  const { id } = await service.create({ name: 'n', url });
  const uuids: string[] = [];
  for (let index = 0; index < 5; index += 1) uuids.unshift((await fixture.say(`${index}`)).uuid);
  const first = await service.deliveries(id, null, 3, null);
  expect(first.deliveries.map(({ uuid }) => uuid)).toEqual(uuids.slice(0, 3));
  const second = await service.deliveries(id, 'pending', 3, first.next);
  expect(second).toMatchObject({ next: null, deliveries: uuids.slice(3).map((uuid) => ({ uuid, state: 'pending' })) });
  // Only the first of the conversation has a due time.
  expect(second.deliveries.map(({ next_attempt_at }) => next_attempt_at === null)).toEqual([true, false]);
  expect((await service.deliveries(id, 'failed', 3, null)).deliveries).toEqual([]);
  const missing = { reason: 'not_found' };
  await expect(service.deliveries(999, null, 3, null)).rejects.toMatchObject(missing);
  for (const uuid of ['x', '00000000-0000-7000-8000-000000000000']) {
    await expect(service.delivery(id, uuid)).rejects.toMatchObject(missing);
    await expect(service.redeliver(id, uuid)).rejects.toMatchObject(missing);
  }
  const other = await service.create({ name: 'n', url });
  await expect(service.delivery(other.id, uuids[0] ?? '')).rejects.toMatchObject(missing);
});

it('knows when there is certainly no receiver, and never says so while there may be one', async () => {
  // Before it has looked.
  expect(fixture.presence.mayTell).toBe(true);
  await service.open();
  expect(fixture.presence.mayTell).toBe(false);
  const { id } = await service.create({ name: 'n', url, enabled: false });
  expect(fixture.presence.mayTell).toBe(false);
  expect(await fixture.say('one')).not.toHaveProperty('webhook_wait_until');
  const change = service.update(id, { enabled: true });
  expect(fixture.presence.mayTell).toBe(true);
  await change;
  expect(await fixture.say('two')).toHaveProperty('webhook_wait_until');
  await service.open();
  expect(fixture.presence.mayTell).toBe(true);
  await service.delete(id);
  await service.open();
  const made = service.create({ name: 'n', url });
  expect(fixture.presence.mayTell).toBe(true);
  await made;
});
