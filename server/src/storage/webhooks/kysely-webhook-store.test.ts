import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import type { Webhook } from '../../core/webhooks/webhook.ts';
import { KyselyWebhookStore } from './kysely-webhook-store.ts';

const timestamp = '2026-01-01T00:00:00.000Z';
const later = '2030-01-01T00:00:00.000Z';

const seal = (id: number) => ({ sealed_secret: `sealed for ${id}`, secret_mask: 'whs…wxyz' });

const webhook = (over: Partial<Webhook> = {}): Omit<Webhook, 'id'> => ({
  name: 'Büro 履歴書',
  url: 'https://example.com/hook?a=1',
  description: 'for the office',
  enabled: true,
  secret: 'not stored as it is',
  disabled_reason: null,
  created_at: timestamp,
  updated_at: timestamp,
  ...over,
});

describeOnEachEngine('the store of webhooks', (storage) => {
  const store = () => new KyselyWebhookStore(storage().database, storage().engine);

  it('returns a webhook as it was stored', async () => {
    const made = await store().create(webhook(), seal);
    expect(made).toEqual({ ...webhook(), id: expect.any(Number), secret: 'whs…wxyz' });
    expect(await store().byId(made.id)).toEqual(made);
    expect(await store().byId(made.id + 1)).toBeNull();
    expect(await store().create(webhook({ enabled: false, description: 'a\0b' }), seal)).toMatchObject({
      enabled: false,
      description: 'a\ufffdb',
    });
  });

  it('lists by age and reuses no id', async () => {
    const ids: number[] = [];
    for (let index = 0; index < 5; index += 1) ids.push((await store().create(webhook(), seal)).id);
    expect((await store().list()).map(({ id }) => id)).toEqual(ids);
    expect(ids).toEqual([...new Set(ids)].sort((left, right) => left - right));
    const last = ids.at(-1) as number;
    expect(await store().delete(last)).toBe(true);
    expect(await store().delete(last)).toBe(false);
    expect((await store().create(webhook(), seal)).id).toBeGreaterThan(last);
  });

  it('updates only the given fields', async () => {
    const [first, second] = [await store().create(webhook(), seal), await store().create(webhook(), seal)];
    expect(await store().update(first.id, () => ({ enabled: false }), later)).toEqual({
      ...first,
      enabled: false,
      updated_at: later,
    });
    const changes = { name: 'n', url: 'http://example.com/', description: '', enabled: true };
    expect(await store().update(first.id, () => changes, later)).toEqual({ ...first, ...changes, updated_at: later });
    expect(await store().byId(second.id)).toEqual(second);
    expect(await store().update(second.id + 1, () => changes, later)).toBeNull();
  });

  it('stores secrets apart from visible data, encrypted for their webhook', async () => {
    const { id } = await store().create(webhook(), seal);
    expect(await store().sealedSecret(id)).toBe(`sealed for ${id}`);
    expect(await store().sealedSecret(id + 1)).toBeNull();
    expect(await store().withoutSecret()).toEqual([]);
    const other = { sealed_secret: 'another', secret_mask: '…' };
    expect(await store().replaceSecret(id, other, later)).toBe(true);
    expect(await store().replaceSecret(id + 1, other, later)).toBe(false);
    expect(await store().byId(id)).toMatchObject({ secret: '…', updated_at: later });
    expect(await store().sealedSecret(id)).toBe('another');
    // One of before there were any.
    await storage().database.updateTable('webhooks').set({ sealed_secret: null, secret_mask: '' }).execute();
    expect(await store().withoutSecret()).toEqual([id]);
  });

  it('keeps the first secret that a webhook is given', async () => {
    const store = new KyselyWebhookStore(storage().database, storage().engine);
    const { id } = await store.create(webhook(), seal);
    await storage().database.updateTable('webhooks').set({ sealed_secret: null }).execute();
    const secrets = ['one', 'two', 'three'];
    await Promise.all(
      secrets.map((secret) => store.addSecret(id, { sealed_secret: secret, secret_mask: secret }, '2027')),
    );
    const first = await store.sealedSecret(id);
    expect(secrets).toContain(first);
    expect((await store.byId(id))?.secret).toBe(first);
    await store.addSecret(id, { sealed_secret: 'late', secret_mask: 'late' }, '2028');
    expect(await store.sealedSecret(id)).toBe(first);
  });
});
