import type { Logger } from '@parley/sdk';
import { silentLogger } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BotFixture, openBotFixture } from '../../../test/stores/bot-fixture.ts';
import { KyselyBotEventStore } from '../../storage/bots/kysely-bot-event-store.ts';
import { BotEventLog, type BotEventLogOptions, maximumBotEvents, maximumWindow } from './bot-event-log.ts';

describe('the event log of a bot', () => {
  let fixture: BotFixture;
  let store: KyselyBotEventStore;
  let uuid: string;
  const logs: BotEventLog[] = [];
  beforeEach(async () => {
    fixture = await openBotFixture();
    store = new KyselyBotEventStore(fixture.storage.database, fixture.storage.engine);
    uuid = await fixture.insert();
  });
  afterEach(async () => {
    for (const log of logs.splice(0)) await log.stop();
    await fixture.close();
  });

  const make = (options: Partial<BotEventLogOptions> = {}) => {
    const log = new BotEventLog(store, { logger: silentLogger, ...options });
    logs.push(log);
    return log;
  };
  const entry = (text: string) => ({ level: 'info', text }) as const;
  const stored = async () => (await store.window(uuid, null, 1000)).logs.map(({ text }) => text);

  it('stores entries soon', async () => {
    const log = make({ delayMs: 1 });
    log.append(uuid, { level: 'error', text: 'Hello', images: ['key'], message_session_id: 'person_ada' });
    await expect.poll(stored).toEqual(['Hello']);
    expect((await store.window(uuid, null, 1)).logs[0]).toEqual({
      seq_id: 0,
      timestamp: expect.any(Number),
      level: 'error',
      text: 'Hello',
      code: null,
      reason: null,
      images: ['key'],
      message_session_id: 'person_ada',
    });
    log.append(uuid, entry('again'));
    await expect.poll(stored).toEqual(['Hello', 'again']);
  });

  it('shows entries immediately, newest last, up to its limit', async () => {
    const log = make({ delayMs: 60_000 });
    for (let index = 0; index < 250; index += 1) log.append(uuid, entry(String(index)));
    const texts = async (from: number, count: number) =>
      (await log.window(uuid, from, count)).logs.map(({ text }) => text);
    expect(await texts(-1, 2)).toEqual(['248', '249']);
    expect(await texts(-99, 2)).toEqual(['248', '249']);
    expect(await texts(10, 2)).toEqual(['9', '10']);
    expect(await texts(0, 2)).toEqual(['0']);
    expect(await texts(251, 2)).toEqual(['248', '249']);
    expect(await texts(1e300, 1)).toEqual(['249']);
    expect(await texts(-1, 0)).toEqual([]);
    expect(await texts(-1, -5)).toEqual([]);
    expect(await texts(-1, 100_000)).toHaveLength(maximumWindow);
    expect((await log.window(uuid, -1, 1)).total_count).toBe(250);
  });

  it('stores pending entries when it is stopped, and accepts no more', async () => {
    const log = make({ delayMs: 60_000 });
    log.append(uuid, entry('before'));
    await log.stop();
    log.append(uuid, entry('after'));
    await log.flush();
    expect(await stored()).toEqual(['before']);
  });

  it('preserves the order of entries added while it stores, and continues counting after a restart', async () => {
    const log = make({ delayMs: 1, batch: 3 });
    const texts = Array.from({ length: 50 }, (_, index) => String(index));
    for (const text of texts) {
      log.append(uuid, entry(text));
      if (Number(text) % 7 === 0) await Promise.all([log.flush(), log.flush()]);
    }
    await log.stop();
    expect(await stored()).toEqual(texts);
    const next = make();
    next.append(uuid, entry('next'));
    expect((await next.window(uuid, -1, 1)).logs[0]).toMatchObject({ seq_id: 50, text: 'next' });
  });

  it('keeps the latest', async () => {
    const log = make();
    for (let index = 0; index < maximumBotEvents + 20; index += 1) log.append(uuid, entry(String(index)));
    const { logs, total_count } = await log.window(uuid, -1, 1);
    expect([total_count, logs[0]?.seq_id]).toEqual([maximumBotEvents, maximumBotEvents + 19]);
  });

  it('shortens long texts, and not in the middle of a character', async () => {
    const log = make();
    log.append(uuid, entry('x'.repeat(2000)));
    log.append(uuid, entry(`${'x'.repeat(1998)}🔑🔑`));
    log.append(uuid, { ...entry(''), images: Array.from({ length: 100 }, (_, index) => `${index}`) });
    const { logs } = await log.window(uuid, -1, 3);
    expect(logs.map(({ text }) => text)).toEqual(['x'.repeat(2000), `${'x'.repeat(1998)}…`, '']);
    expect(logs[2]?.images).toHaveLength(20);
  });

  it('buffers entries while the store fails, up to its limit', async () => {
    const complaints: [object, string][] = [];
    const write = (fields: object, message: string) => void complaints.push([fields, message]);
    const logger: Logger = { ...silentLogger, error: write, warn: write };
    const log = make({ logger, delayMs: 60_000, maximumWaiting: 20, batch: 5 });
    const append = store.append.bind(store);
    store.append = () => Promise.reject(new Error('connection lost'));
    for (let index = 0; index < 25; index += 1) log.append(uuid, entry(String(index)));
    await log.flush();
    await log.flush();
    store.append = append;
    await log.flush();
    expect(await stored()).toEqual(Array.from({ length: 19 }, (_, index) => String(index + 6)));
    expect(complaints.map(([, message]) => message)).toEqual([
      'dropped entries of event logs',
      'event logs could not be stored',
      'event logs could not be stored',
    ]);
    expect(complaints[0]?.[0]).toEqual({ entries: 6 });
  });

  it('tries again by itself', async () => {
    const log = make({ delayMs: 1 });
    const append = store.append.bind(store);
    let failures = 1;
    store.append = (...args) => (failures-- > 0 ? Promise.reject(new Error('connection lost')) : append(...args));
    log.append(uuid, entry('late'));
    await expect.poll(stored, { timeout: 5000 }).toEqual(['late']);
  });
});
