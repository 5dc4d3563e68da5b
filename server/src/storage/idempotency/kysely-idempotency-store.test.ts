import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { otherReplica, takeOver } from '../../../test/stores/replicas.ts';
import type { RequestName } from '../../core/idempotency/idempotency-store.ts';
import { now, secondsFromNow } from '../../lib/clock.ts';
import type { Storage } from '../storage.ts';
import { KyselyIdempotencyStore } from './kysely-idempotency-store.ts';

const name = (over: Partial<RequestName> = {}): RequestName => ({
  principal: 'user/one',
  route: 'POST /api/v1/pipelines',
  key: 'key',
  ...over,
});
const answer = { status: 200, text: '{"code":0}' };

describeOnEachEngine('the store of idempotency keys', (storage) => {
  const store = ({ database, replica } = storage()) => new KyselyIdempotencyStore(database, replica);
  const begin = (of: RequestName = name(), hash = 'hash', startedAt = now()) =>
    store().begin(of, hash, startedAt, secondsFromNow(-60));

  const begun = async (...parts: Parameters<typeof begin>) => {
    const [of = name()] = parts;
    const claim = await begin(...parts);
    if (typeof claim !== 'number') throw new Error('the request was made before');
    return { ...of, claim };
  };
  const rows = () => storage().database.selectFrom('idempotency_keys').selectAll().orderBy('key').execute();

  it('starts a request once per caller, route and key', async () => {
    expect(await begin()).toBe(1);
    expect(await begin(name({ principal: 'user/two' }))).toBe(1);
    expect(await begin(name({ route: 'POST /api/v1/files/documents' }))).toBe(1);
    expect(await begin(name({ key: 'Key' }))).toBe(1);
    expect(await begin(name(), 'another')).toEqual({ state: 'running', hash: 'hash', answer: null });
  });

  it('starts one of many concurrent requests', async () => {
    const results = await Promise.all(Array.from({ length: 20 }, (_, index) => begin(name(), String(index))));
    expect(results.filter((result) => result === 1)).toHaveLength(1);
    const winner = String(results.indexOf(1));
    for (const earlier of results.filter((result) => typeof result !== 'number')) expect(earlier.hash).toBe(winner);
  });

  it('starts one at a time of many that fail and retry', async () => {
    let running = 0;
    let ran = 0;
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const claim = await begin();
        if (typeof claim !== 'number') return;
        running += 1;
        expect(running).toBe(1);
        ran += 1;
        running -= 1;
        await store().forget({ ...name(), claim });
      }),
    );
    expect(ran).toBeGreaterThan(0);
    expect(await begin()).toBe(1);
  });

  it('returns a stored response', async () => {
    await store().finish(await begun(), answer);
    expect(await begin()).toEqual({ state: 'finished', hash: 'hash', answer });
  });

  it('starts again after the record expired', async () => {
    await store().finish(await begun(name(), 'old', secondsFromNow(-61)), answer);
    const results = await Promise.all([begin(name(), 'new'), begin(name(), 'new')]);
    expect(results.filter((result) => result === 2)).toHaveLength(1);
    expect(results.find((result) => result !== 2)).toEqual({ state: 'running', hash: 'new', answer: null });
  });

  it('marks only running requests of dead replicas as interrupted', async () => {
    const [dead, living] = [await otherReplica(storage()), await otherReplica(storage())];
    const beginAs = (replica: Storage, key: string) =>
      store(replica).begin(name({ key }), 'hash', now(), secondsFromNow(-60));
    for (const key of ['a', 'b']) expect(await beginAs(dead, key)).toBe(1);
    await store(dead).finish({ ...name({ key: 'b' }), claim: 1 }, answer);
    expect(await beginAs(living, 'c')).toBe(1);
    const before = await rows();
    expect(await store().interruptAbandoned()).toBe(0);
    expect(await rows()).toEqual(before);
    await takeOver(dead, store(living));
    const [a, ...others] = await rows();
    expect(a).toMatchObject({ state: 'interrupted', claimed_by: null, claim: 1 });
    expect(others).toEqual(before.slice(1));
    expect(await store().interruptAbandoned()).toBe(0);
    expect(await begin(name({ key: 'a' }))).toEqual({ state: 'interrupted', hash: 'hash', answer: null });
  });

  it.each(['another replica', 'the same replica'])('keeps nothing of a claim that %s outdated', async (by) => {
    const first = await otherReplica(storage());
    const next = by === 'another replica' ? await otherReplica(storage()) : first;
    expect(await store(first).begin(name(), 'old', secondsFromNow(-61), secondsFromNow(-60))).toBe(1);
    expect(await store(next).begin(name(), 'new', now(), secondsFromNow(-60))).toBe(2);
    const before = await rows();
    await store(first).finish({ ...name(), claim: 1 }, answer);
    await store(first).forget({ ...name(), claim: 1 });
    expect(await rows()).toEqual(before);
    await store(next).finish({ ...name(), claim: 2 }, answer);
    expect(await begin(name(), 'new')).toEqual({ state: 'finished', hash: 'new', answer });
    const after = await rows();
    await store(next).forget({ ...name(), claim: 2 });
    expect(await rows()).toEqual(after);
  });

  it('keeps nothing of a request that was interrupted', async () => {
    const dead = await otherReplica(storage());
    expect(await store(dead).begin(name(), 'hash', now(), secondsFromNow(-60))).toBe(1);
    await takeOver(dead, store());
    const before = await rows();
    await store(dead).finish({ ...name(), claim: 1 }, answer);
    await store(dead).forget({ ...name(), claim: 1 });
    expect(await rows()).toEqual(before);
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
