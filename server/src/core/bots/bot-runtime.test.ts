import { type MessageEvent, ParleyError } from '@parley/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { createFakePlatform, type FakeAdapter, type FakePlatform } from '../../../test/factories/fake-platform.ts';
import { type BotFixture, type BotFixtureOptions, openBotFixture } from '../../../test/stores/bot-fixture.ts';
import { messageEvent } from '../../../test/stores/ledger-records.ts';
import { now } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';

const token = 'token:of some length';
const never = () => new Promise<never>(() => undefined);
const refusal = (reason: 'platform_failed' | 'platform_unauthorized' | 'invalid_request', message = 'It says no') =>
  new ParleyError(reason, message);

describe('running bots', () => {
  const open: BotFixture[] = [];
  afterEach(async () => {
    for (const fixture of open.splice(0)) await fixture.close();
  });
  const set = async (options: BotFixtureOptions = {}) => {
    const fixture = await openBotFixture(options);
    open.push(fixture);
    return fixture;
  };
  const last = (fake: FakePlatform) => fake.adapters.at(-1) as FakeAdapter;

  it('have their secrets in clear and an address, and hand over received messages under their own name', async () => {
    const received: [string, MessageEvent][] = [];
    const { fake, runtime, events, create } = await set({
      publicUrl: 'https://chat.example.com/parley',
      receive: async (bot, event) => {
        received.push([bot, event]);
        const outcome = received.length === 1 ? 'accepted' : 'repeated';
        return { outcome, uuid: newUuid(), sequence: 1, created_at: now() };
      },
    });
    fake.accountId = () => '@parrot';
    const uuid = await create({ adapter_config: { token, limits: { key: 'another secret text' } } });
    const { config, context } = last(fake);
    expect(config).toMatchObject({ token, nickname: 'fake', limits: { rate: 5, key: 'another secret text' } });
    expect(context).toMatchObject({ bot_uuid: uuid, webhook_url: `https://chat.example.com/parley/bots/${uuid}` });
    expect([runtime.isRunning(uuid), runtime.accountId(uuid)]).toEqual([true, '@parrot']);
    const image = { type: 'Image', path: 'key-of-an-image.png' } as const;
    const event = messageEvent('', { message_chain: [{ type: 'Plain', text: 'Look: ' }, image] });
    expect((await context.receive(event)).outcome).toBe('accepted');
    expect((await context.receive(event)).outcome).toBe('repeated');
    expect(received).toEqual([
      [uuid, event],
      [uuid, event],
    ]);
    expect(events.slice(2)).toEqual([
      [
        uuid,
        {
          level: 'info',
          text: 'Look: [Image]',
          images: ['key-of-an-image.png'],
          message_session_id: 'person_ada',
        },
      ],
    ]);
  });

  it.each([
    [false, { group_name: 'G' }],
    [true, { group_name: 'G', signed_in_admin: true }],
  ])('say who is signed in only where the platform takes sockets (%s)', async (sockets, facts) => {
    const received: MessageEvent[] = [];
    const receipt = { outcome: 'accepted', uuid: newUuid(), sequence: 1, created_at: now() } as const;
    const fake = createFakePlatform();
    Object.assign(fake.platform, { sockets });
    const { create } = await set({
      fake,
      receive: async (_, event) => {
        received.push(event);
        return receipt;
      },
      receiveAll: async (_, events) => {
        received.push(...events);
        return events.map(() => ({ status: 'fulfilled', value: receipt }));
      },
    });
    await create();
    const event = messageEvent('Hi', { facts: { group_name: 'G', signed_in_admin: true } });
    await last(fake).context.receive(event);
    await last(fake).context.receiveAll([event]);
    expect(received.map((one) => one.facts)).toEqual([facts, facts]);
  });

  it('write each message of a batch into their event log once it is stored', async () => {
    const receipt = (outcome: 'accepted' | 'repeated') => ({
      outcome,
      uuid: newUuid(),
      sequence: 1,
      created_at: now(),
    });
    const batches: [string, number][] = [];
    const { fake, events, create } = await set({
      receiveAll: async (bot, all) => {
        batches.push([bot, all.length]);
        return [
          { status: 'fulfilled', value: receipt('accepted') },
          { status: 'fulfilled', value: receipt('repeated') },
          { status: 'rejected', reason: new Error('no') },
        ];
      },
    });
    const uuid = await create();
    const { context } = last(fake);
    const results = await context.receiveAll(['one', 'two', 'three'].map((text) => messageEvent(text)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(batches).toEqual([[uuid, 3]]);
    expect(events.slice(2).map(([, { text }]) => text)).toEqual(['one']);
  });

  it('run although others do not', async () => {
    const { fake, runtime, insert, state, logged, events } = await set();
    fake.start = async ({ config }) => {
      if (config.nickname === 'broken') throw refusal('platform_unauthorized');
    };
    const broken = await insert({ adapter_config: { nickname: 'broken' } });
    const orphan = await insert({ adapter: 'unknown' });
    const sealed = await insert({ sealed_secrets: 'v1.broken' });
    const off = await insert({ enable: false });
    const good = await insert();
    await runtime.start();
    expect([broken, orphan, sealed, off, good].map(state)).toEqual(['error', 'error', 'error', 'stopped', 'running']);
    expect(runtime.status(broken)).toMatchObject({ reason: 'platform_unauthorized', error: 'It says no' });
    expect(runtime.status(orphan)).toMatchObject({
      reason: 'invalid_request',
      error: 'There is no adapter "unknown"',
    });
    expect(runtime.status(sealed)).toMatchObject({ reason: 'secret_required' });
    expect([...runtime.heldBots()].sort()).toEqual([broken, orphan, sealed].sort());
    expect(fake.up()).toHaveLength(1);
    expect(logged().match(/a bot is not connected/g)).toHaveLength(3);
    expect(events.find(([uuid]) => uuid === orphan)?.[1]).toMatchObject({ text: expect.stringMatching(/"unknown"$/) });
  });

  it('are stopped once, whatever they do then', async () => {
    const { fake, runtime, create, logged, state } = await set({ timing: { stop: 20 } });
    const stops: string[] = [];
    fake.stop = ({ config }) => {
      stops.push(config.nickname as string);
      if (config.nickname === 'hanging') return never();
      return config.nickname === 'failing' ? Promise.reject(new Error('no')) : Promise.resolve();
    };
    const uuids: string[] = [];
    for (const nickname of ['good', 'hanging', 'failing']) uuids.push(await create({ adapter_config: { nickname } }));
    await runtime.stop();
    await runtime.stop();
    expect(stops.sort()).toEqual(['failing', 'good', 'hanging']);
    expect(uuids.map(state)).toEqual(['stopped', 'stopped', 'stopped']);
    expect(() => runtime.running(uuids[0] as string)).toThrow(expect.objectContaining({ reason: 'bot_not_running' }));
    expect(logged()).toContain('a platform adapter did not stop in time');
    expect(logged()).toContain('a platform adapter failed to stop');
    // Messages that an adapter still receives although it does not stop are ignored.
    const hanging = fake.adapters.find(({ config }) => config.nickname === 'hanging');
    await expect(hanging?.context.receive(messageEvent('late'))).rejects.toMatchObject({ reason: 'bot_not_running' });
    expect(await hanging?.context.receiveAll([messageEvent('late')])).toEqual([
      { status: 'rejected', reason: expect.objectContaining({ reason: 'bot_not_running' }) },
    ]);
    await runtime.apply(uuids[0] as string);
    expect(fake.adapters.map((adapter) => adapter.state)).toEqual(['stopped', 'up', 'up']);
  });

  it('that do not come up are tried again until they do', async () => {
    const { fake, create, state, states, events, runtime, released } = await set();
    let failures = 4;
    const tries = Promise.withResolvers<void>();
    fake.start = async () => {
      if (failures === 4) return Promise.reject(refusal('platform_failed', 'It is down')).finally(() => failures--);
      await tries.promise;
      if (failures-- > 0) throw refusal('platform_failed', 'It is down');
    };
    const uuid = await create();
    expect(runtime.status(uuid)).toMatchObject({ state: 'error', reason: 'platform_failed', error: 'It is down' });
    expect([runtime.heldBots(), released()]).toEqual([[uuid], 0]);
    tries.resolve();
    await expect.poll(() => state(uuid)).toBe('running');
    expect(fake.adapters.map((adapter) => adapter.state)).toEqual(['stopped', 'stopped', 'stopped', 'stopped', 'up']);
    // The same again is no news.
    expect(states).toEqual([
      [uuid, 'starting', null],
      [uuid, 'error', 'platform_failed'],
      [uuid, 'running', null],
    ]);
    expect(events.map(([, { level, text }]) => `${level}: ${text}`)).toEqual([
      'debug: Connecting',
      'error: Not connected: It is down',
      'info: Connected',
    ]);
    expect([runtime.heldBots(), released()]).toEqual([[], 1]);
    expect(runtime.status(uuid)).toMatchObject({ reason: null, error: null });
  });

  it('are tried again after pauses that grow', async () => {
    const attempts: number[] = [];
    const { fake, create } = await set({ timing: { firstPause: 10, longestPause: 10_000 } });
    fake.start = async () => {
      attempts.push(performance.now());
      throw refusal('platform_failed');
    };
    await create();
    await expect.poll(() => attempts.length).toBe(5);
    for (const [index, shortest] of [10, 20, 40, 80].entries()) {
      // A timer may fire a millisecond early.
      const pause = (attempts[index + 1] as number) - (attempts[index] as number);
      expect(pause).toBeGreaterThan(shortest - 2);
    }
  });

  it.each(['platform_unauthorized', 'invalid_request'] as const)(
    'wait for a change of their configuration after %s',
    async (reason) => {
      const { fake, create, state, service, runtime } = await set();
      fake.start = async ({ config }) => {
        if (config.nickname === 'down') throw refusal('platform_failed');
        if (config.nickname === 'wrong') throw refusal(reason);
      };
      const uuid = await create({ adapter_config: { nickname: 'wrong' } });
      expect(runtime.status(uuid)).toMatchObject({ state: 'error', reason });
      const others = await create({ adapter_config: { nickname: 'down' } });
      await expect.poll(() => fake.adapters.length).toBeGreaterThan(10);
      const made = (name: string) => fake.adapters.filter(({ config }) => config.nickname === name).length;
      expect(made('wrong')).toBe(1);
      await service.delete(others);
      await service.update(uuid, { name: 'Renamed' });
      expect(made('wrong')).toBe(1);
      await service.update(uuid, { adapter_config: { nickname: 'right' } });
      expect(state(uuid)).toBe('running');
    },
  );

  it('do not keep the service from starting while their platform does not answer', async () => {
    const { fake, runtime, insert, state, released } = await set({ timing: { patienceAtStart: 20, stop: 50 } });
    fake.start = ({ config }) => (config.nickname === 'hanging' ? never() : Promise.resolve());
    const hanging = await insert({ adapter_config: { nickname: 'hanging' } });
    const good = await insert();
    await runtime.start();
    expect([state(hanging), state(good)]).toEqual(['starting', 'running']);
    expect([runtime.heldBots(), released()]).toEqual([[hanging], 1]);
    await runtime.stop();
    expect(fake.adapters.map((adapter) => adapter.state)).toEqual(['stopped', 'stopped']);
  });

  it('fail this attempt when their platform does not respond', async () => {
    const { fake, create, runtime } = await set({ timing: { start: 20, firstPause: 60_000 } });
    fake.start = never;
    const uuid = await create();
    expect(runtime.status(uuid)).toMatchObject({
      state: 'error',
      reason: 'platform_failed',
      error: 'The platform did not answer in time',
    });
    await expect.poll(() => last(fake).state).toBe('stopped');
  });

  it('do not hold up who changes them, and can be changed while they connect', async () => {
    const { fake, create, state, service, runtime, released } = await set({ timing: { patience: 20 } });
    const late = Promise.withResolvers<void>();
    fake.start = () => late.promise;
    const uuid = await create();
    expect(state(uuid)).toBe('starting');
    const [first] = fake.adapters as [FakeAdapter];
    // It connects after the stop was requested, so it is stopped again.
    const stopped: string[] = [];
    fake.stop = async (adapter) => void stopped.push(adapter.state);
    await service.update(uuid, { enable: false });
    expect([state(uuid), first.state, runtime.heldBots(), released()]).toEqual(['stopped', 'stopped', [], 1]);
    fake.start = async () => undefined;
    await service.update(uuid, { enable: true });
    // It is not replaced before it has ended.
    expect(fake.adapters).toHaveLength(1);
    late.resolve();
    await expect.poll(() => fake.adapters.map((adapter) => adapter.state)).toEqual(['stopped', 'up']);
    expect(stopped).toEqual(['starting', 'up']);
    await expect(first.context.receive(messageEvent('late'))).rejects.toMatchObject({ reason: 'bot_not_running' });
    await expect.poll(() => state(uuid)).toBe('running');
  });

  it('are known while they pause between two attempts, and can be switched off then', async () => {
    const { fake, create, service, state } = await set({ timing: { firstPause: 60_000 } });
    fake.start = () => Promise.reject(refusal('platform_failed'));
    const uuid = await create();
    expect(state(uuid)).toBe('error');
    await service.update(uuid, { enable: false });
    expect(state(uuid)).toBe('stopped');
    fake.start = async () => undefined;
    await service.update(uuid, { enable: true });
    expect(state(uuid)).toBe('running');
    expect(fake.adapters).toHaveLength(2);
  });

  it('reconnect only when their platform or its configuration changes', async () => {
    const { fake, create, service, runtime, states } = await set();
    const uuid = await create({ adapter_config: { token } });
    const shown = await service.get(uuid);
    await service.update(uuid, { name: 'Renamed', description: 'd', enable: true, use_pipeline_uuid: null });
    await service.update(uuid, { adapter_config: shown.adapter_config });
    await service.update(uuid, { adapter_config: { ...shown.adapter_config, token } });
    await runtime.apply(uuid);
    expect(fake.adapters).toHaveLength(1);
    await service.update(uuid, { adapter_config: { ...shown.adapter_config, nickname: 'other' } });
    expect(fake.adapters.map((adapter) => adapter.state)).toEqual(['stopped', 'up']);
    expect(last(fake).config).toMatchObject({ token, nickname: 'other' });
    expect(states.map(([, state]) => state)).toEqual(['starting', 'running', 'starting', 'running']);
  });

  it('report when the platform becomes unreachable and reachable again', async () => {
    const { fake, create, runtime, states, events, released } = await set();
    const uuid = await create({ adapter_config: { token } });
    const { context } = last(fake);
    const lost = { state: 'reconnecting', reason: 'platform_failed', message: `GET /bot${token} failed` } as const;
    context.reportConnection(lost);
    context.reportConnection(lost);
    expect(runtime.status(uuid)).toMatchObject({
      state: 'reconnecting',
      reason: 'platform_failed',
      error: 'GET /bot… failed',
    });
    expect(runtime.heldBots()).toEqual([uuid]);
    expect(() => runtime.running(uuid)).toThrow('not connected');
    expect(runtime.listening(uuid).adapter).toBe(last(fake));
    const before = released();
    context.reportConnection({ state: 'connected' });
    expect([runtime.isRunning(uuid), runtime.heldBots(), released() - before]).toEqual([true, [], 1]);
    expect(states.map(([, state]) => state)).toEqual(['starting', 'running', 'reconnecting', 'running']);
    expect(events.at(-2)?.[1]).toMatchObject({ code: 'connection_lost', text: 'Connection lost: GET /bot… failed' });
    expect(fake.adapters).toHaveLength(1);
  });

  it('are replaced after a failure, unless a retry is useless', async () => {
    const { fake, create, runtime, state, states } = await set();
    const uuid = await create();
    last(fake).context.reportConnection({ state: 'failed', reason: 'platform_failed', message: 'Connected elsewhere' });
    await expect.poll(() => fake.adapters.map((adapter) => adapter.state)).toEqual(['stopped', 'up']);
    await expect.poll(() => state(uuid)).toBe('running');
    expect(states.map(([, state]) => state)).toEqual(['starting', 'running', 'error', 'running']);
    const [gone] = fake.adapters as [FakeAdapter];
    gone.context.reportConnection({ state: 'failed', reason: 'platform_failed', message: 'No longer relevant' });
    gone.context.reportConnection({ state: 'connected' });
    expect(state(uuid)).toBe('running');
    last(fake).context.reportConnection({ state: 'failed', reason: 'platform_unauthorized', message: 'Revoked' });
    await expect.poll(() => last(fake).state).toBe('stopped');
    expect(runtime.status(uuid)).toMatchObject({ state: 'error', reason: 'platform_unauthorized', error: 'Revoked' });
    expect(() => runtime.listening(uuid)).toThrow('not connected');
    expect(fake.adapters).toHaveLength(2);
  });

  it('reconnect immediately after a long connection, and after a pause when it was short', async () => {
    const broken = { state: 'failed', reason: 'platform_failed', message: 'Broken' } as const;
    const stable = await set({ timing: { stable: 0, firstPause: 60_000 } });
    const uuid = await stable.create();
    last(stable.fake).context.reportConnection(broken);
    await expect.poll(() => stable.fake.adapters.length).toBe(2);
    await expect.poll(() => stable.state(uuid)).toBe('running');
    const unstable = await set({ timing: { stable: 60_000, firstPause: 60_000 } });
    const other = await unstable.create();
    last(unstable.fake).context.reportConnection(broken);
    await expect.poll(() => last(unstable.fake).state).toBe('stopped');
    expect([unstable.state(other), unstable.fake.adapters.length]).toEqual(['error', 1]);
  });

  it('may report their state before their start has finished', async () => {
    const { fake, create, state } = await set();
    fake.start = async ({ context }) => {
      context.reportConnection({ state: 'connected' });
      context.reportConnection({ state: 'reconnecting', reason: 'platform_failed', message: 'Slow today' });
    };
    expect(state(await create())).toBe('reconnecting');
    fake.start = async ({ context }) =>
      context.reportConnection({ state: 'failed', reason: 'platform_unauthorized', message: 'Wrong token' });
    const uuid = await create();
    await expect.poll(() => state(uuid)).toBe('error');
    expect(last(fake).state).toBe('stopped');
  });

  it.each<[string, (fake: FakePlatform) => void]>([
    [
      'cannot be made',
      (fake) => {
        fake.implementation.create = () => {
          throw new Error(`cannot use ${token}`);
        };
      },
    ],
    [
      'fail unexpectedly',
      (fake) => {
        fake.start = () => Promise.reject(new Error(`GET https://example.com/${encodeURIComponent(token)} failed`));
      },
    ],
    [
      'fail on purpose',
      (fake) => {
        fake.start = () => Promise.reject(refusal('platform_unauthorized', `The token ${token} is wrong`));
      },
    ],
    [
      'throw a value that is no error',
      (fake) => {
        fake.start = () => Promise.reject(`no ${token}`);
      },
    ],
  ])('that %s give away no secrets', async (_, fail) => {
    const fake = createFakePlatform();
    fail(fake);
    const { create, runtime, logged, events, states } = await set({ fake, timing: { firstPause: 60_000 } });
    const uuid = await create({ adapter_config: { token } });
    expect(runtime.status(uuid)).toMatchObject({ state: 'error', error: expect.any(String) });
    const output = [logged(), JSON.stringify([runtime.status(uuid), events, states])].join('\n');
    expect(output).toContain('a bot is not connected');
    expect(output).not.toContain(token);
    expect(output).not.toContain(encodeURIComponent(token));
  });

  it('are logged without their secrets', async () => {
    const { create, runtime, events } = await set();
    const uuid = await create({ adapter_config: { token } });
    runtime.tell(uuid, { level: 'error', text: `POST /bot${token} failed`, message_session_id: 'person_ada' });
    expect(events.at(-1)).toEqual([
      uuid,
      { level: 'error', text: 'POST /bot… failed', message_session_id: 'person_ada' },
    ]);
  });

  it('run without knowing their account', async () => {
    const { fake, create, runtime } = await set();
    fake.accountId = () => {
      throw new Error('not yet');
    };
    const uuid = await create();
    expect([runtime.isRunning(uuid), runtime.accountId(uuid)]).toEqual([true, null]);
    expect(runtime.accountId(newUuid())).toBeNull();
  });

  it('are looked after although the store fails for a while', async () => {
    const { create, service, runtime, store, state } = await set();
    const uuid = await create();
    let failures = 2;
    const read = store.storedByUuid.bind(store);
    store.storedByUuid = (uuidToRead) =>
      failures-- > 0 ? Promise.reject(new Error('connection lost')) : read(uuidToRead);
    await service.update(uuid, { enable: false });
    expect([state(uuid), failures]).toEqual(['stopped', -1]);
    store.storedByUuid = () => Promise.reject(new Error('connection lost'));
    const applied = runtime.apply(uuid);
    await runtime.stop();
    await applied;
  });

  it('report why they are absent, and are held from then on if they should be running', async () => {
    const { fake, runtime, insert, create, state } = await set();
    expect(await runtime.absence(newUuid())).toBe('not_found');
    expect(await runtime.absence(await create({ enable: false }))).toBe('bot_disabled');
    fake.start = () => Promise.reject(refusal('platform_unauthorized'));
    const unheard = await insert();
    expect(state(unheard)).toBe('stopped');
    expect(await runtime.absence(unheard)).toBe('bot_not_running');
    expect(runtime.heldBots()).toEqual([unheard]);
  });

  it('match their records eventually after concurrent changes, and are never connected twice', async () => {
    const { fake, create, service, store, state, runtime } = await set();
    const doubles: string[] = [];
    const pause = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 8));
    fake.start = async (adapter) => {
      await pause();
      if (Math.random() < 0.2) throw refusal('platform_failed');
      const rivals = fake.up().filter(({ context }) => context.bot_uuid === adapter.context.bot_uuid);
      if (rivals.length > 0) doubles.push(adapter.context.bot_uuid);
    };
    fake.stop = async () => void (await pause());
    const uuids = await Promise.all(Array.from({ length: 8 }, () => create()));
    const changes = uuids.flatMap((uuid, bot) =>
      Array.from({ length: 25 }, async (_, step) => {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 150));
        const choice = Math.random();
        if (choice < 0.4) return service.update(uuid, { enable: Math.random() < 0.5 });
        if (choice < 0.8) return service.update(uuid, { adapter_config: { nickname: `name ${step}` } });
        if (choice < 0.95 || bot % 2 === 0) return runtime.apply(uuid);
        return service.delete(uuid);
      }),
    );
    const refused = (await Promise.allSettled(changes)).filter(({ status }) => status === 'rejected');
    for (const refusal of refused) expect(refusal).toMatchObject({ reason: { reason: 'not_found' } });
    for (const uuid of uuids) {
      const record = await store.byUuid(uuid);
      await expect
        .poll(() => state(uuid), { message: JSON.stringify(record) })
        .toBe(record?.enable ? 'running' : 'stopped');
      const up = fake.up().filter(({ context }) => context.bot_uuid === uuid);
      expect(up.map(({ config }) => config.nickname)).toEqual(record?.enable ? [record.adapter_config.nickname] : []);
    }
    expect(doubles).toEqual([]);
    expect(runtime.heldBots()).toEqual([]);
    await runtime.stop();
    expect(fake.up()).toEqual([]);
  });
});
