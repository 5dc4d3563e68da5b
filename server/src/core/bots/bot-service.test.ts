import { ParleyError } from '@parley/sdk';
import Type from 'typebox';
import { afterEach, describe, expect, it } from 'vitest';
import { createFakePlatform, type FakePlatform } from '../../../test/factories/fake-platform.ts';
import { pipelineServiceOptions } from '../../../test/factories/pipeline-schema.ts';
import { type BotFixture, type BotFixtureOptions, openBotFixture } from '../../../test/stores/bot-fixture.ts';
import { SecretBox } from '../../lib/secret-box.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyPipelineStore } from '../../storage/pipelines/kysely-pipeline-store.ts';
import { PipelineService } from '../pipelines/pipeline-service.ts';
import { openSecrets } from '../secrets/secret-fields.ts';
import { secretContext } from './bot-configs.ts';
import type { PipelineRoutingRule } from './pipeline-routing-rule.ts';

const token = 'a token of some length';
const key = 'another secret of some length';

describe('bots as records', () => {
  const open: BotFixture[] = [];
  afterEach(async () => {
    for (const fixture of open.splice(0)) await fixture.close();
  });
  const set = async (options: BotFixtureOptions = {}) => {
    const fixture = await openBotFixture(options);
    open.push(fixture);
    return fixture;
  };
  const createPipeline = ({ storage }: BotFixture, name: string) => {
    const store = new KyselyPipelineStore(storage.database, storage.engine);
    return new PipelineService(store, new SecretBox(Buffer.alloc(32)), pipelineServiceOptions()).create({ name });
  };
  const config = ({ fake }: { fake: FakePlatform }) => fake.adapters.at(-1)?.config;
  const failureOf = (promise: Promise<unknown>): Promise<ParleyError> =>
    promise.then(
      () => Promise.reject(new Error('it was not refused')),
      (error: ParleyError) => error,
    );

  it('are created with defaults filled in, secrets masked and sealed', async () => {
    const fixture = await set();
    const adapter_config = { token, limits: { key } };
    const uuid = await fixture.service.create({ name: 'Parrot', adapter: 'fake', adapter_config });
    const shown = await fixture.service.get(uuid.toUpperCase());
    expect(shown).toMatchObject({
      uuid,
      name: 'Parrot',
      description: '',
      adapter: 'fake',
      adapter_config: { token: 'a t…ngth', server: '', nickname: 'fake', limits: { rate: 5, key: 'ano…ngth' } },
      enable: false,
      use_pipeline_uuid: null,
      use_pipeline_name: null,
      adapter_runtime_values: { state: 'stopped', error: null, error_reason: null },
    });
    expect(shown.created_at).toBe(shown.updated_at);
    expect(await fixture.service.list()).toEqual([shown]);
    const stored = await fixture.store.storedByUuid(uuid);
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(openSecrets(fixture.secrets, stored?.sealed_secrets ?? null, secretContext(uuid))).toEqual({
      token,
      'limits.key': key,
    });
    expect(fixture.fake.adapters).toEqual([]);
    // The input is not modified.
    expect(adapter_config).toEqual({ token, limits: { key } });
  });

  it.each<[string, object, string, string]>([
    ['adapter', { adapter: 'unknown' }, 'invalid_request', 'adapter'],
    ['adapter', { adapter: '__proto__' }, 'invalid_request', 'adapter'],
    ['unknown field', { adapter_config: { colour: 'red' } }, 'invalid_request', 'adapter_config.colour'],
    ['unknown inner field', { adapter_config: { limits: { a: 1 } } }, 'invalid_request', 'adapter_config.limits.a'],
    ['wrong type', { adapter_config: { token: 5 } }, 'invalid_request', 'adapter_config.token'],
    ['too long a text', { adapter_config: { nickname: 'x'.repeat(21) } }, 'invalid_request', 'adapter_config.nickname'],
    ['wrong inner type', { adapter_config: { limits: 5 } }, 'invalid_request', 'adapter_config.limits'],
    ['masked secret', { adapter_config: { token: 'a t…ngth' } }, 'secret_required', 'adapter_config.token'],
    ['pipeline', { use_pipeline_uuid: newUuid() }, 'invalid_request', 'use_pipeline_uuid'],
    ['no pipeline at all', { use_pipeline_uuid: 'default' }, 'invalid_request', 'use_pipeline_uuid'],
  ])('are not made with a wrong %s', async (_, over, reason, path) => {
    const { service, fake } = await set();
    const request = { name: 'Bot', adapter: 'fake', adapter_config: {}, enable: true, ...over };
    const failure = await failureOf(service.create(request));
    expect(failure).toBeInstanceOf(ParleyError);
    expect([failure.reason, failure.details?.[0]?.path]).toEqual([reason, path]);
    expect([await service.list(), fake.adapters]).toEqual([[], []]);
  });

  it('need what their platform requires', async () => {
    const fake = createFakePlatform();
    fake.platform.config = Type.Object({ token: Type.String({ minLength: 1 }) });
    const { service } = await set({ fake });
    const failure = await failureOf(service.create({ name: 'Bot', adapter: 'fake', adapter_config: {} }));
    expect(failure.reason).toBe('invalid_request');
    expect(failure.message).toContain('token');
  });

  it('are bound to the default pipeline unless the request says otherwise', async () => {
    let byDefault: string | null = null;
    const fixture = await set({ defaultPipeline: async () => (byDefault === null ? null : { uuid: byDefault }) });
    byDefault = await createPipeline(fixture, 'Default');
    const other = await createPipeline(fixture, 'Other');
    const boundTo = async (use_pipeline_uuid?: string | null) => {
      const given = use_pipeline_uuid === undefined ? {} : { use_pipeline_uuid };
      return (await fixture.service.get(await fixture.create(given))).use_pipeline_name;
    };
    expect(await boundTo()).toBe('Default');
    expect(await boundTo(other.toUpperCase())).toBe('Other');
    expect(await boundTo('')).toBeNull();
    expect(await boundTo(null)).toBeNull();
    byDefault = null;
    expect(await boundTo()).toBeNull();
  });

  it('accept rules that name other pipelines, which are only checked when rules are given', async () => {
    const fixture = await set();
    const [first, second] = [await createPipeline(fixture, 'First'), await createPipeline(fixture, 'Second')];
    const rules = [
      { pipeline_uuid: first, keywords: ['Invoice'], time: { from: '22:00', to: '06:00', time_zone: 'europe/berlin' } },
      { pipeline_uuid: second.toUpperCase(), mentioned: false },
    ];
    const uuid = await fixture.create({ pipeline_routing_rules: rules });
    const stored = [rules[0], { ...rules[1], pipeline_uuid: second }];
    expect((await fixture.service.get(uuid)).pipeline_routing_rules).toEqual(stored);
    await fixture.service.update(uuid, { name: 'Renamed' });
    expect(await fixture.service.get(uuid)).toMatchObject({ name: 'Renamed', pipeline_routing_rules: stored });
    await fixture.service.update(uuid, { pipeline_routing_rules: [] });
    expect((await fixture.service.get(uuid)).pipeline_routing_rules).toEqual([]);
    expect((await fixture.service.get(await fixture.create())).pipeline_routing_rules).toEqual([]);
  });

  it('do not reconnect when their rules change', async () => {
    const fixture = await set();
    const uuid = await fixture.create();
    const pipeline_uuid = await createPipeline(fixture, 'Other');
    await fixture.service.update(uuid, { pipeline_routing_rules: [{ pipeline_uuid, mentioned: true }] });
    expect([fixture.fake.adapters.length, fixture.state(uuid)]).toEqual([1, 'running']);
  });

  it('refuse rules that are empty or name an unknown pipeline or time zone', async () => {
    const fixture = await set();
    const known = await createPipeline(fixture, 'Known');
    const time = (time_zone: string) => ({ from: '08:00', to: '09:00', time_zone });
    const refused = async (rules: PipelineRoutingRule[], ...paths: string[]) => {
      const bot = { name: 'Bot', adapter: 'fake', adapter_config: {}, pipeline_routing_rules: rules };
      const before = await fixture.service.list();
      const uuid = before[0]?.uuid ?? '';
      for (const attempt of [fixture.service.create(bot), fixture.service.update(uuid, { ...bot, name: 'New' })]) {
        const failure = await failureOf(attempt);
        expect([failure.reason, failure.details?.map(({ path }) => path)]).toEqual(['invalid_request', paths]);
      }
      expect(await fixture.service.list()).toEqual(before);
    };
    await fixture.create({ use_pipeline_uuid: known });
    const at = (index: number) => `pipeline_routing_rules[${index}]`;
    const fine = { pipeline_uuid: known, mentioned: true };
    await refused([fine, { pipeline_uuid: known }, { pipeline_uuid: known }], at(1), at(2));
    for (const zone of [
      'Europe/Bonn',
      'T12:00Z',
      'T12Z',
      '__proto__',
      '+02:00',
      '',
      '2026-01-01T00:00Z',
      'UTC[u-ca=iso8601]',
    ]) {
      await refused([{ pipeline_uuid: known, time: time(zone) }], `${at(0)}.time.time_zone`);
    }
    const unknown = newUuid();
    const rules = [fine, { ...fine, pipeline_uuid: unknown }, { ...fine, pipeline_uuid: 'default' }];
    await refused(rules, `${at(1)}.pipeline_uuid`, `${at(2)}.pipeline_uuid`);
    const failure = await failureOf(
      fixture.create({ use_pipeline_uuid: unknown, pipeline_routing_rules: [{ ...fine, pipeline_uuid: unknown }] }),
    );
    expect(failure.details?.map(({ path }) => path)).toEqual(['use_pipeline_uuid', `${at(0)}.pipeline_uuid`]);
  });

  it('are limited in number', async () => {
    const { create, service, fake } = await set({ maximumBots: 2 });
    const made = await Promise.allSettled([create(), create(), create(), create()]);
    const refused = made.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(2);
    expect(refused[0]?.reason).toMatchObject({
      reason: 'limit_reached',
      message: 'Maximum number of bots (2) reached',
    });
    expect([(await service.list()).length, fake.up().length]).toEqual([2, 2]);
  });

  it('that are internal are neither shown nor counted, and cannot be created or changed', async () => {
    const others = [createFakePlatform({ name: 'own' })];
    Object.assign(others[0]?.platform ?? {}, { internal: true });
    const { create, insert, service, store, runtime, states, events } = await set({ maximumBots: 1, others });
    const own = await insert({ adapter: 'own' });
    await runtime.apply(own);
    runtime.tell(own, { level: 'info', text: 'x' });
    expect([runtime.isRunning(own), states, events]).toEqual([true, [], []]);
    const uuid = await create();
    expect((await service.list()).map((bot) => bot.uuid)).toEqual([uuid]);
    await expect(create()).rejects.toMatchObject({ reason: 'limit_reached' });
    await expect(service.get(own)).rejects.toMatchObject({ reason: 'not_found' });
    await expect(service.update(own, { name: 'Mine', enable: false })).rejects.toMatchObject({ reason: 'not_found' });
    await expect(service.delete(own)).rejects.toMatchObject({ reason: 'not_found' });
    await expect(service.update(uuid, { adapter: 'own' })).rejects.toMatchObject({ reason: 'invalid_request' });
    await expect(create({ adapter: 'own' })).rejects.toMatchObject({ reason: 'invalid_request' });
    expect(await store.byUuid(own)).toMatchObject({ enable: true });
  });

  it('retain fields that a change omits', async () => {
    const fixture = await set();
    const use_pipeline_uuid = await createPipeline(fixture, 'Support');
    const uuid = await fixture.create({ description: 'd', adapter_config: { token }, use_pipeline_uuid });
    const before = await fixture.service.get(uuid);
    await fixture.service.update(uuid, { name: 'Renamed' });
    const after = await fixture.service.get(uuid);
    expect(after).toEqual({ ...before, name: 'Renamed', updated_at: expect.any(String) });
    expect(after.updated_at >= before.updated_at).toBe(true);
    await fixture.service.update(uuid, {});
    expect(await fixture.service.get(uuid)).toMatchObject({ name: 'Renamed', use_pipeline_uuid });
    for (const none of ['', null]) {
      await fixture.service.update(uuid, { use_pipeline_uuid });
      await fixture.service.update(uuid, { use_pipeline_uuid: none });
      expect(await fixture.service.get(uuid)).toMatchObject({ use_pipeline_uuid: null, use_pipeline_name: null });
    }
  });

  it('accept a full configuration, and retain secrets that come back masked', async () => {
    const fixture = await set();
    const uuid = await fixture.create({ adapter_config: { token, nickname: 'first', limits: { key, rate: 9 } } });
    const { adapter_config: shown } = await fixture.service.get(uuid);
    await fixture.service.update(uuid, { adapter_config: { token: shown.token, limits: shown.limits } });
    expect(config(fixture)).toEqual({ token, nickname: 'fake', server: '', limits: { key, rate: 9 } });
    await fixture.service.update(uuid, { adapter_config: { token: 'a new token of some length' } });
    expect(config(fixture)).toEqual({
      token: 'a new token of some length',
      nickname: 'fake',
      server: '',
      limits: { rate: 5, key: '' },
    });
    await fixture.service.update(uuid, { adapter_config: {} });
    expect(config(fixture)).toMatchObject({ token: '' });
    expect((await fixture.store.storedByUuid(uuid))?.sealed_secrets).toBeNull();
  });

  it('do not send a stored secret to another address or platform', async () => {
    const fixture = await set({ others: [createFakePlatform({ name: 'other' })] });
    const uuid = await fixture.create({ adapter_config: { token, server: 'https://example.com/a' } });
    const { adapter_config: shown } = await fixture.service.get(uuid);
    const refused = async (change: object) => {
      const failure = await failureOf(fixture.service.update(uuid, change));
      expect(failure).toMatchObject({ reason: 'secret_required' });
      expect(failure.details?.map(({ path }) => path)).toEqual(['adapter_config.token']);
    };
    await refused({ adapter_config: { ...shown, server: 'https://evil.example.com/a' } });
    await refused({ adapter_config: { ...shown, token: 'b t…ngth' } });
    await refused({ adapter: 'other' });
    await refused({ adapter: 'other', adapter_config: shown });
    await fixture.service.update(uuid, { adapter_config: { ...shown, server: 'https://example.com/b' } });
    expect(config(fixture)).toMatchObject({ token, server: 'https://example.com/b' });
  });

  it('are not changed by half when a change is wrong', async () => {
    const { create, service, fake } = await set();
    const uuid = await create({ adapter_config: { token } });
    const before = await service.get(uuid);
    for (const wrong of [
      { adapter_config: { colour: 'red' } },
      { adapter: 'unknown' },
      { use_pipeline_uuid: newUuid() },
    ]) {
      expect((await failureOf(service.update(uuid, { name: 'New', enable: false, ...wrong }))).reason).toBe(
        'invalid_request',
      );
    }
    expect(await service.get(uuid)).toEqual(before);
    expect(fake.adapters).toHaveLength(1);
  });

  it('can be renamed and switched off although their platform is gone', async () => {
    const { insert, service, state } = await set();
    const uuid = await insert({ adapter: 'gone', adapter_config: { token: '…' }, sealed_secrets: 'v1.broken' });
    const { adapter, adapter_config } = await service.get(uuid);
    await service.update(uuid, { name: 'Renamed', adapter, adapter_config });
    expect([state(uuid), (await service.get(uuid)).name]).toEqual(['error', 'Renamed']);
    await service.update(uuid, { enable: false });
    expect(state(uuid)).toBe('stopped');
    const failure = await failureOf(service.update(uuid, { adapter_config: {} }));
    expect(failure.details?.[0]?.path).toBe('adapter');
  });

  it('accept new secrets when the stored ones cannot be decrypted any more', async () => {
    const { insert, service, state } = await set();
    const uuid = await insert({ adapter_config: { token: '…' }, sealed_secrets: 'v1.broken', enable: false });
    expect((await failureOf(service.update(uuid, { adapter_config: { token: '…', server: 'x' } }))).reason).toBe(
      'secret_required',
    );
    await service.update(uuid, { adapter_config: { token }, enable: true });
    expect(state(uuid)).toBe('running');
  });

  it('disconnect immediately when deleted, and once', async () => {
    const { create, service, fake, state, states, runtime } = await set();
    const uuid = await create();
    await service.delete(uuid.toUpperCase());
    expect([fake.up(), state(uuid), runtime.heldBots()]).toEqual([[], 'stopped', []]);
    expect(states.at(-1)).toEqual([uuid, 'stopped', null]);
    for (const gone of [uuid, newUuid(), 'not-a-uuid']) {
      expect((await failureOf(service.delete(gone))).reason).toBe('not_found');
      expect((await failureOf(service.get(gone))).reason).toBe('not_found');
      expect((await failureOf(service.update(gone, { name: 'x' }))).reason).toBe('not_found');
      expect((await failureOf(service.logs(gone, -1, 10))).reason).toBe('not_found');
    }
  });

  it('are connected again when they could not be removed', async () => {
    const { create, service, fake, store, state } = await set();
    const uuid = await create();
    store.delete = () => Promise.reject(new Error('connection lost'));
    await expect(service.delete(uuid)).rejects.toThrow('connection lost');
    expect([state(uuid), fake.up().length]).toEqual(['running', 1]);
  });

  it('show their webhook address, if they have one', async () => {
    const publicUrl = 'https://chat.example.com';
    const values = async (options: BotFixtureOptions) => {
      const { create, service } = await set(options);
      const uuid = await create();
      const { adapter_runtime_values } = await service.get(uuid);
      return { uuid, values: adapter_runtime_values };
    };
    const without = await values({ publicUrl });
    expect(without.values).toEqual({
      bot_account_id: null,
      bot_account_name: null,
      bot_account_url: null,
      webhook_url: null,
      webhook_full_url: null,
      extra_webhook_full_url: null,
      uses_webhook: false,
      state: 'running',
      error: null,
      error_reason: null,
      since: expect.stringMatching(/Z$/),
    });
    const reached = await values({ publicUrl, fake: createFakePlatform({ webhook: true }) });
    expect(reached.values).toMatchObject({
      webhook_url: `/bots/${reached.uuid}`,
      webhook_full_url: `https://chat.example.com/bots/${reached.uuid}`,
      extra_webhook_full_url: '',
      uses_webhook: true,
    });
    const nowhere = await values({ fake: createFakePlatform({ webhook: true }) });
    expect(nowhere.values).toMatchObject({ webhook_url: `/bots/${nowhere.uuid}`, webhook_full_url: null });
    const configured = createFakePlatform({ webhook: true });
    configured.platform.capabilitiesOf = () => ({ ...configured.platform.capabilities, webhook: false });
    const unused = await values({ publicUrl, fake: configured });
    // As the reference system does, whose clients show the address.
    expect(unused.values).toMatchObject({ webhook_url: `/bots/${unused.uuid}`, uses_webhook: false });
  });
});
