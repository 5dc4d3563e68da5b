import type { FakePlatform, ShownMessage } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { botLease } from '../../src/core/replicas/leases.ts';
import { eventually } from '../factories/eventually.ts';
import { fakedPlatforms } from '../factories/faked-platforms.ts';
import { startBalancer, type TestBalancer } from '../factories/start-balancer.ts';
import { type TestReplicas, testReplicas } from '../factories/start-replicas.ts';
import type { TestService } from '../factories/start-test-service.ts';

/** How platforms call bots. */
const called = ['telegram', 'slack', 'lark', 'wecombot'] as const;
const mentioned = { mention: 'account' } as const;

describe('requests of platforms that reach any of two replicas', () => {
  let replicas: TestReplicas;
  let balancer: TestBalancer;
  let fake: FakePlatform;
  let services: TestService[];
  let token: string;
  let bot: string;
  beforeEach(async () => {
    balancer = await startBalancer();
    replicas = await testReplicas();
    services = [];
  });
  afterEach(async () => {
    await replicas.stop();
    await fake.close();
    await balancer.close();
    // The bot called the platform as documented.
    expect(fake.violations()).toEqual([]);
  });

  const ask = async (method: string, url: string, json?: unknown, at = services[0] as TestService) => {
    const { body, text, status } = await at.request({ method, url, bearer: token, json });
    if (status !== 200) throw new Error(text);
    return body.data;
  };
  /** @returns the replica that has connected the bot, and the other one */
  const start = async (
    adapter: (typeof called)[number],
    over: Record<string, unknown> = {},
    replicaAddress: string | null = '127.0.0.1:0',
  ) => {
    const { deliveries } = fakedPlatforms[adapter] as (typeof fakedPlatforms)[string];
    fake = await (deliveries.webhook as NonNullable<(typeof deliveries)['webhook']>).fake();
    const config = { publicUrl: balancer.address, replicaAddress };
    services = [await replicas.start({ config }), await replicas.start({ config })];
    token = services[0]?.account.token ?? '';
    await replicas.met();
    const { pipelines } = await ask('GET', '/api/v1/pipelines');
    const adapter_config = { ...fake.config(), ...over };
    const record = { name: 'Parrot', adapter, adapter_config, use_pipeline_uuid: pipelines[0].uuid, enable: true };
    bot = (await ask('POST', '/api/v1/platform/bots', record)).uuid;
    fake.enterAddress({ url: `${balancer.address}/bots/${bot}` });
    // Each knows the account with which it is connected.
    for (const service of services) {
      const shown = async () =>
        (await ask('GET', `/api/v1/platform/bots/${bot}`, undefined, service)).bot.adapter_runtime_values;
      await eventually(shown).toMatchObject({ state: 'running', bot_account_id: expect.any(String) });
    }
    const { database } = services[0] as TestService;
    const rows = await database.selectFrom('replicas').select('id').orderBy('started_at').execute();
    const lease = await database
      .selectFrom('leases')
      .select('replica')
      .where('name', '=', botLease(bot))
      .executeTakeFirstOrThrow();
    const order = rows[0]?.id === lease.replica ? services : services.toReversed();
    return order as [held: TestService, other: TestService];
  };
  const stored = () =>
    (services[0] as TestService).database
      .selectFrom('messages')
      .select(['platform_message_id', 'state'])
      .where('direction', '=', 'inbound')
      .where('bot_uuid', '=', bot)
      .execute();
  const texts = () => fake.sent().flatMap(({ text, isUnfinished }: ShownMessage) => (isUnfinished ? [] : [text]));

  describe.each(called)('of %s', (adapter) => {
    it('are stored by either, once, and answered by the one that has connected the bot', async () => {
      const [held, other] = await start(adapter);
      balancer.to = [other.address];
      const { id, outcome } = await fake.deliver({ chat: fake.group(), text: 'at the other', ...mentioned });
      expect(outcome).toBe('acknowledged');
      expect(balancer.statuses.has(held.address)).toBe(false);
      await eventually(() => texts().join()).toContain('at the other');
      // Again, at the one that has it.
      balancer.to = [held.address];
      await fake.redeliver(id);
      await fake.deliver({ text: 'at the holder' });
      await eventually(() => texts().join()).toContain('at the holder');
      // At both at once.
      balancer.to = [held.address, other.address];
      await fake.deliver({ text: 'at both' });
      await eventually(() => texts().join()).toContain('at both');
      expect(await stored()).toHaveLength(3);
      expect(texts()).toHaveLength(3);
    });

    it('are refused when they are forged', async () => {
      const [, other] = await start(adapter);
      balancer.to = [other.address];
      for (const how of ['wrong_signature', 'missing_signature', 'of_another_bot'] as const) {
        expect(await fake.forge(how)).not.toContain('acknowledged');
      }
      expect(await stored()).toEqual([]);
      expect(balancer.statuses.get(other.address)?.every((status) => status === 401 || status === 400)).toBe(true);
    });

    it('are stored while no replica has connected the bot, and answered later', async () => {
      const [held, other] = await start(adapter);
      balancer.to = [other.address];
      // The platform cannot be reached, so that the other one takes the bot without connecting it.
      fake.fail('start', 'server_error', 2);
      await held.stop();
      services = [other];
      const { outcome } = await fake.deliver({ text: 'while no replica has the bot' });
      expect(outcome).toBe('acknowledged');
      expect(await stored()).toHaveLength(1);
      await eventually(() => texts().join()).toContain('while no replica has the bot');
      expect(texts()).toHaveLength(1);
    });
  });

  it.each(['lark', 'wecombot'] as const)('greet a chat of %s that they added the bot to', async (adapter) => {
    const [, other] = await start(adapter, { welcome_text: 'Welcome!' });
    balancer.to = [other.address];
    await fake.addBot();
    await eventually(texts).toEqual(['Welcome!']);
  });

  describe('of WeCom, which fetches answers', () => {
    const answered = (text: string) => expect.poll(() => texts().join(), { timeout: 30_000 }).toContain(text);

    it('give them from the replica that has them, wherever they come', async () => {
      const [held, other] = await start('wecombot');
      balancer.to = [other.address];
      await fake.deliver({ text: 'begun and fetched at the other' });
      await answered('begun and fetched at the other');
      expect(balancer.statuses.has(held.address)).toBe(false);
      await fake.deliver({ text: 'begun at the other' });
      balancer.to = [held.address];
      await answered('begun at the other');
      await fake.deliver({ text: 'begun where it is' });
      balancer.to = [other.address];
      await answered('begun where it is');
      expect(texts()).toHaveLength(3);
      expect(new Set([...balancer.statuses.values()].flat())).toEqual(new Set([200]));
    });

    it('are answered by a reply where the replicas cannot reach each other', async () => {
      const [, other] = await start('wecombot', {}, null);
      balancer.to = [other.address];
      expect(await fake.deliver({ text: 'alone' })).toMatchObject({ outcome: 'acknowledged' });
      await answered('alone');
      expect(texts()).toHaveLength(1);
    });
  });
});
