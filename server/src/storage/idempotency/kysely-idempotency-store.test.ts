import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import type { RequestName } from '../../core/idempotency/idempotency-store.ts';
import { now, secondsFromNow } from '../../lib/clock.ts';
import { KyselyIdempotencyStore } from './kysely-idempotency-store.ts';

const name = (over: Partial<RequestName> = {}): RequestName => ({
  principal: 'user/one',
  route: 'POST /api/v1/pipelines',
  key: 'key',
  ...over,
});
const answer = { status: 200, text: '{"code":0}' };

describeOnEachEngine('the store of idempotency keys', (storage) => {
  const store = () => new KyselyIdempotencyStore(storage().database);
  const begin = (of: RequestName = name(), hash = 'hash', startedAt = now()) =>
    store().begin(of, hash, startedAt, secondsFromNow(-60));

  it('starts a request once per caller, route and key', async () => {
    expect(await begin()).toBeNull();
    expect(await begin(name({ principal: 'user/two' }))).toBeNull();
    expect(await begin(name({ route: 'POST /api/v1/files/documents' }))).toBeNull();
    expect(await begin(name({ key: 'Key' }))).toBeNull();
    expect(await begin(name(), 'another')).toEqual({ state: 'running', hash: 'hash', answer: null });
  });

  it('starts one of many concurrent requests', async () => {
    const begun = await Promise.all(Array.from({ length: 20 }, (_, index) => begin(name(), String(index))));
    expect(begun.filter((earlier) => earlier === null)).toHaveLength(1);
    const winner = String(begun.indexOf(null));
    for (const earlier of begun.filter((one) => one !== null)) expect(earlier.hash).toBe(winner);
  });

  it('starts one at a time of many that fail and retry', async () => {
    let running = 0;
    let ran = 0;
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        if ((await begin()) !== null) return;
        running += 1;
        expect(running).toBe(1);
        ran += 1;
        running -= 1;
        await store().forget(name());
      }),
    );
    expect(ran).toBeGreaterThan(0);
    expect(await begin()).toBeNull();
  });

  it('returns a stored response', async () => {
    await begin();
    await store().finish(name(), answer);
    expect(await begin()).toEqual({ state: 'finished', hash: 'hash', answer });
  });

  it('starts again after the record expired', async () => {
    await begin(name(), 'old', secondsFromNow(-61));
    await store().finish(name(), answer);
    const results = await Promise.all([begin(name(), 'new'), begin(name(), 'new')]);
    expect(results.filter((earlier) => earlier === null)).toHaveLength(1);
    expect(results.find((earlier) => earlier !== null)).toEqual({ state: 'running', hash: 'new', answer: null });
  });

  it('marks only running requests as interrupted', async () => {
    await begin();
    await begin(name({ key: 'other' }));
    await store().finish(name({ key: 'other' }), answer);
    expect(await store().interruptRunning()).toBe(1);
    expect(await store().interruptRunning()).toBe(0);
    expect(await begin()).toMatchObject({ state: 'interrupted', answer: null });
    expect(await begin(name({ key: 'other' }))).toMatchObject({ state: 'finished', answer });
  });

  it('removes the oldest, as many as it may', async () => {
    for (const seconds of [300, 100, 200, 10]) {
      await begin(name({ key: String(seconds) }), 'hash', secondsFromNow(-seconds));
    }
    const keys = async () => {
      const rows = await storage().database.selectFrom('idempotency_keys').select('key').orderBy('key').execute();
      return rows.map(({ key }) => key);
    };
    expect(await store().removeBefore(secondsFromNow(-60), 2)).toBe(2);
    expect(await keys()).toEqual(['10', '100']);
    expect(await store().removeBefore(secondsFromNow(-60), 2)).toBe(1);
    expect(await store().removeBefore(secondsFromNow(-60), 2)).toBe(0);
    expect(await keys()).toEqual(['10']);
  });
});
