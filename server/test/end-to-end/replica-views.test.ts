import { afterEach, beforeEach, expect, it } from 'vitest';
import { type TestReplicas, testReplicas } from '../factories/start-replicas.ts';
import type { TestService } from '../factories/start-test-service.ts';

let replicas: TestReplicas;
beforeEach(async () => {
  replicas = await testReplicas();
}, 30_000);
afterEach(() => replicas.stop());

it('each shows all replicas as it sees them, and which settings differ', async () => {
  const first = await replicas.start({ config: { platformProxy: 'http://name:password@proxy.example:3128' } });
  const list = async (at: TestService) => {
    const { body } = await at.request({ url: '/api/v1/system/replicas', bearer: first.account.token });
    return body.data;
  };
  expect((await list(first)).replicas).toMatchObject([
    { is_self: true, state: 'live', differing_settings: [], is_reachable: null, takeovers: 0 },
  ]);
  // A port and a log level may differ.
  const second = await replicas.start({ config: { auditRetentionDays: 30, logLevel: 'fatal' } });
  await replicas.met();
  for (const [at, other] of [
    [first, second],
    [second, first],
  ] as const) {
    const { replicas: seen, connections } = await list(at);
    expect(seen).toHaveLength(2);
    const self = seen.find(({ is_self }: { is_self: boolean }) => is_self);
    const another = seen.find(({ is_self }: { is_self: boolean }) => !is_self);
    expect(self).toMatchObject({ differing_settings: [] });
    expect(another).toMatchObject({ state: 'live', differing_settings: ['platform_proxy', 'audit_retention_days'] });
    for (const { beat_age_ms } of seen) expect(beat_age_ms).toBeLessThan(6000);
    expect(JSON.stringify(seen)).not.toContain('proxy.example');
    expect(connections.needed).toBe(2 * 15);
    expect(other.address).not.toBe(at.address);
  }
  await second.service.stop();
  const left = (await list(first)).replicas;
  expect(left.map(({ state }: { state: string }) => state).toSorted()).toEqual(['ended', 'live']);
}, 60_000);
