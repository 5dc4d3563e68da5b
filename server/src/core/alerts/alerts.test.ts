import { DeliveryError } from '@parley/sdk';
import { silentLogger } from '@parley/sdk/testing';
import { beforeEach, expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { otherReplica, takeOver } from '../../../test/stores/replicas.ts';
import { newUuid } from '../../lib/uuid.ts';
import { ownDuty } from '../../lib/worker-loop.ts';
import { KyselyAlertFigures } from '../../storage/alerts/kysely-alert-figures.ts';
import { KyselyAlertStore } from '../../storage/alerts/kysely-alert-store.ts';
import type { Storage } from '../../storage/storage.ts';
import type { BotConnectionState } from './alert-conditions.ts';
import { AlertEvaluator } from './alert-evaluator.ts';
import type { StoredAlertRule } from './alert-rule.ts';
import type { StoredAlertTarget } from './alert-target.ts';
import { NoticeSender, type NoticeSenderOptions } from './notice-sender.ts';

const minute = 60_000;
const start = Date.parse('2026-11-27T12:00:00Z');

describeOnEachEngine('alerts', (storage) => {
  const storeOf = ({ database, engine, replica }: Storage) => new KyselyAlertStore(database, engine, replica);
  let store: KyselyAlertStore;
  let bots: BotConnectionState[];
  let now: number;
  let elapsed: number;
  let begun: number;
  beforeEach(() => {
    store = storeOf(storage());
    bots = [{ uuid: newUuid(), name: 'Support', isConnected: true }];
    now = start;
    elapsed = 0;
    begun = 0;
  });

  /** As one process has it; another one is as after a restart. */
  const evaluator = () =>
    new AlertEvaluator(store, {
      figures: new KyselyAlertFigures(storage().database),
      monitoring: { sums: async () => new Map() },
      enabledBots: async () => bots,
      references: {
        bots: async () => new Set(bots.map(({ uuid }) => uuid)),
        targets: async () => new Set((await store.targets()).map(({ uuid }) => uuid)),
        existing: async () => new Set(),
      },
      duty: ownDuty,
      noticesDue: () => {
        begun += 1;
      },
      logger: silentLogger,
      now: () => now,
      elapsed: () => elapsed,
    });
  const sender = (over: Partial<NoticeSenderOptions>) =>
    new NoticeSender(store, {
      sendMail: async () => {},
      webhooks: { send: () => Promise.reject(new Error('no webhook')) },
      sendToChat: async () => {},
      openSecrets: () => ({}),
      isOwner: () => true,
      logger: silentLogger,
      now: () => now,
      retryDelayMs: 5,
      ...over,
    });
  const addTarget = async (kind: StoredAlertTarget['kind'] = 'email') => {
    const uuid = newUuid();
    const config =
      kind === 'chat' ? { bot_uuid: bots[0]?.uuid ?? '', target_id: '1', target_type: 'person' as const } : {};
    const times = { created_at: new Date(now).toISOString(), updated_at: new Date(now).toISOString() };
    const target = { uuid, name: kind, kind, language: 'en' as const, config, secret: '', sealed_secrets: null };
    await store.createTarget({ ...target, ...times }, 100);
    return uuid;
  };
  const addRule = async (over: Partial<StoredAlertRule> = {}) => {
    const rule: StoredAlertRule = {
      uuid: newUuid(),
      name: 'Offline',
      kind: 'bot_offline',
      enabled: true,
      parameters: { bot_uuid: null },
      minimum_minutes: 0,
      muted_until: null,
      targets: [await addTarget()],
      held_ms: 0,
      created_at: new Date(now).toISOString(),
      updated_at: new Date(now).toISOString(),
      ...over,
    };
    await store.createRule(rule, 100);
    return rule;
  };
  const pass = (milliseconds: number) => {
    now += milliseconds;
    elapsed += milliseconds;
  };
  const all = () => store.alerts({ limit: 100, before: null });
  const setConnected = (isConnected: boolean | null) => {
    bots = bots.map((bot) => ({ ...bot, isConnected }));
  };
  const events = async () => (await all()).flatMap(({ notices }) => notices.map(({ event }) => event));

  it('begin once and end once, also when two processes evaluate at the same time', async () => {
    await addRule();
    const [first, second] = [evaluator(), evaluator()];
    await first.evaluate();
    expect(await all()).toEqual([]);
    setConnected(false);
    await Promise.all([first.evaluate(), second.evaluate()]);
    await evaluator().evaluate();
    expect(await all()).toMatchObject([{ facts: { count: 1, names: ['Support'] }, ended_at: null }]);
    setConnected(true);
    await Promise.all([first.evaluate(), second.evaluate()]);
    await evaluator().evaluate();
    expect(await all()).toMatchObject([{ end_reason: 'over', ended_at: '2026-11-27T12:00:00.000Z' }]);
    expect((await events()).sort()).toEqual(['ended', 'started']);
  });

  it('begin after the minimum duration, which a restart in between does not begin again', async () => {
    await addRule({ minimum_minutes: 10 });
    setConnected(false);
    const first = evaluator();
    for (let round = 0; round < 7; round += 1) {
      await first.evaluate();
      pass(minute);
    }
    expect(await all()).toEqual([]);
    // The hour that the service is down proves nothing.
    pass(60 * minute);
    const second = evaluator();
    for (let round = 0; round < 4; round += 1) {
      await second.evaluate();
      expect(await all()).toEqual([]);
      pass(minute);
    }
    await second.evaluate();
    expect(await all()).toHaveLength(1);
  });

  it('start the duration again when the condition held no longer in between', async () => {
    await addRule({ minimum_minutes: 2 });
    const one = evaluator();
    for (const isConnected of [false, false, true, false, false]) {
      setConnected(isConnected);
      await one.evaluate();
      pass(minute);
    }
    expect(await all()).toEqual([]);
    await one.evaluate();
    expect(await all()).toHaveLength(1);
  });

  it.each([-1, 1])('measure the duration right when the clock is set by %d hours', async (hours) => {
    await addRule({ minimum_minutes: 2 });
    setConnected(false);
    const one = evaluator();
    await one.evaluate();
    now += hours * 60 * minute;
    pass(minute);
    await one.evaluate();
    expect(await all()).toEqual([]);
    pass(minute);
    await one.evaluate();
    expect(await all()).toHaveLength(1);
  });

  it('are one for a thousand bots, with their number and the first names on one line each', async () => {
    await addRule();
    bots = Array.from({ length: 1000 }, (_, index) => ({
      uuid: newUuid(),
      name: index === 0 ? `First\r\nBcc: x@example.com ${'a'.repeat(200)}` : `Bot ${index}`,
      isConnected: false,
    }));
    await evaluator().evaluate();
    const [alert] = await all();
    expect(await all()).toHaveLength(1);
    expect(alert?.facts).toMatchObject({ count: 1000 });
    expect(alert?.facts.names).toHaveLength(5);
    expect(alert?.facts.names?.[0]).toMatch(/^First Bcc: x@example\.com a+…$/);
    expect(alert?.notices).toHaveLength(1);
    bots = bots.slice(0, 10);
    await evaluator().evaluate();
    expect(await all()).toMatchObject([{ facts: { count: 10 }, ended_at: null }]);
  });

  it('neither begin nor end while bots connect for the first time, as after a restart', async () => {
    await addRule();
    setConnected(null);
    await evaluator().evaluate();
    expect(await all()).toEqual([]);
    setConnected(false);
    await evaluator().evaluate();
    setConnected(null);
    await evaluator().evaluate();
    expect(await all()).toMatchObject([{ ended_at: null }]);
  });

  it('do not begin while their rule is muted, and end all the same', async () => {
    const rule = await addRule({ muted_until: '2026-11-27T13:00:00.000Z' });
    setConnected(false);
    await evaluator().evaluate();
    expect(await all()).toEqual([]);
    pass(61 * minute);
    await evaluator().evaluate();
    expect(await all()).toHaveLength(1);
    await store.updateRule(rule.uuid, () => ({ muted_until: '2026-11-28T13:00:00.000Z' }));
    setConnected(true);
    await evaluator().evaluate();
    expect((await events()).sort()).toEqual(['ended', 'started']);
  });

  it.each(['disabled', 'deleted', 'missing'] as const)('end when their rule is %s', async (reason) => {
    const rule = await addRule({ parameters: { bot_uuid: bots[0]?.uuid ?? null } });
    setConnected(false);
    await evaluator().evaluate();
    if (reason === 'disabled') await store.updateRule(rule.uuid, () => ({ enabled: false }));
    if (reason === 'deleted') await store.deleteRule(rule.uuid);
    if (reason === 'missing') bots = [];
    await evaluator().evaluate();
    await evaluator().evaluate();
    expect(await all()).toMatchObject([{ end_reason: reason }]);
    expect((await events()).sort()).toEqual(['ended', 'started']);
    expect(begun).toBe(2);
  });

  it('notify in order, retry what fails, and show why', async () => {
    await addRule();
    setConnected(false);
    await evaluator().evaluate();
    setConnected(true);
    await evaluator().evaluate();
    const sent: string[] = [];
    let isDown = true;
    const one = sender({
      sendMail: async (_, { subject }) => {
        if (isDown) throw new Error('connect ECONNREFUSED');
        sent.push(subject);
      },
    });
    await one.start();
    const states = async () => (await all())[0]?.notices.map(({ event, state, attempts }) => [event, state, attempts]);
    await expect.poll(states).toEqual([
      ['started', 'pending', 1],
      ['ended', 'pending', 0],
    ]);
    expect((await all())[0]?.notices[0]).toMatchObject({ error: 'connect ECONNREFUSED' });
    isDown = false;
    pass(10_000);
    one.wake();
    await expect.poll(states).toEqual([
      ['started', 'delivered', 2],
      ['ended', 'delivered', 1],
    ]);
    expect(sent).toEqual(['[Parley] Alert: Offline', '[Parley] Resolved: Offline']);
    expect((await all())[0]?.notices[0]).toMatchObject({ error: null, next_attempt_at: null });
    await one.stop(100);
  });

  it('give up a notice after a day, and are sent in time after the clock was set back', async () => {
    await addRule();
    setConnected(false);
    now += 60 * 60 * minute;
    await evaluator().evaluate();
    now -= 60 * 60 * minute;
    let attempts = 0;
    const one = sender({
      sendMail: () => {
        attempts += 1;
        return Promise.reject(new Error('down'));
      },
    });
    await one.start();
    await expect.poll(() => attempts).toBe(1);
    const notice = async () => (await all())[0]?.notices[0];
    await expect.poll(async () => (await notice())?.state).toBe('pending');
    pass(100 * 60 * minute);
    one.wake();
    await expect.poll(async () => (await notice())?.state).toBe('failed');
    expect(await notice()).toMatchObject({ error: 'down', attempts: 2 });
    await one.stop(100);
  });

  it.each([
    ['unknown', 'uncertain'],
    ['refused', 'failed'],
    ['not_sent', 'pending'],
  ] as const)('treat a chat message that is %s as %s, and other targets receive theirs', async (kind, state) => {
    await addRule({ targets: [await addTarget('chat'), await addTarget('email')] });
    setConnected(false);
    await evaluator().evaluate();
    let mails = 0;
    let calls = 0;
    const one = sender({
      sendMail: async () => {
        mails += 1;
      },
      sendToChat: async () => {
        calls += 1;
        throw new DeliveryError(kind, 'platform_failed', 'no luck');
      },
    });
    await one.start();
    const states = async () =>
      Object.fromEntries((await all())[0]?.notices.map((notice) => [notice.target_kind, notice.state]) ?? []);
    await expect.poll(states).toEqual({ chat: state, email: 'delivered' });
    expect([mails, calls]).toEqual([1, 1]);
    await one.stop(100);
  });

  it('resume what a crash interrupted: e-mails under the same id, chats as uncertain', async () => {
    await addRule({ targets: [await addTarget('chat'), await addTarget('email')] });
    setConnected(false);
    await evaluator().evaluate();
    const notices = (await all())[0]?.notices ?? [];
    const dead = await otherReplica(storage());
    for (const notice of notices) expect(await storeOf(dead).claimNotice(notice)).toBe(true);
    for (const notice of notices) expect(await store.claimNotice(notice)).toBe(false);
    await takeOver(dead);
    const ids: string[] = [];
    const one = sender({
      sendMail: async (_, { id }) => {
        ids.push(id);
      },
      sendToChat: () => Promise.reject(new Error('must not be called')),
    });
    await one.start();
    await expect.poll(() => ids).toEqual([notices.find(({ target_kind }) => target_kind === 'email')?.uuid]);
    await expect
      .poll(async () => (await all())[0]?.notices.map(({ state }) => state).sort())
      .toEqual(['delivered', 'uncertain']);
    await one.stop(100);
  });

  it('fail the pending notices of a target that is deleted, and are removed with age', async () => {
    const rule = await addRule();
    setConnected(false);
    await evaluator().evaluate();
    await store.deleteTarget(rule.targets[0] ?? '', now);
    expect((await all())[0]?.notices).toMatchObject([{ state: 'failed', error: 'The target was deleted' }]);
    expect(await store.removeBefore('2999-01-01T00:00:00.000Z', 10)).toBe(0);
    setConnected(true);
    await evaluator().evaluate();
    expect(await store.removeBefore('2999-01-01T00:00:00.000Z', 10)).toBe(1);
    expect(await all()).toEqual([]);
  });
});
