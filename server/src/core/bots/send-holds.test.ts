import { DeliveryError } from '@parley/sdk';
import { silentLogger } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Chat, SendHolds } from './send-holds.ts';

const chat = (session_id: string): Chat => ({ session_type: 'person', session_id });
const limit = (pauseMs: number | null, scope: 'chat' | 'bot' = 'chat') =>
  new DeliveryError('not_sent', 'quota', 'Too many', { rateLimit: { pauseMs, scope } });
const unreachable = new DeliveryError('not_sent', 'platform_failed', 'No connection');

describe('what keeps messages from being sent', () => {
  let holds: SendHolds;
  let probe: () => Promise<void>;
  let ended: string[][];
  beforeEach(() => {
    vi.useFakeTimers();
    ended = [];
    probe = async () => undefined;
    holds = new SendHolds({
      probe: () => probe(),
      ended: (conversations) => void ended.push([...conversations]),
      logger: silentLogger,
    });
  });
  afterEach(() => {
    holds.close();
    vi.useRealTimers();
  });
  const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

  it('is absent at first, and after a refusal', () => {
    holds.report('bot', chat('ada'), new DeliveryError('refused', 'unknown_target', 'No such user'));
    expect(holds.of('bot', chat('ada'))).toBeNull();
    expect(holds.heldBots()).toEqual([]);
  });

  it('is a rate limit of one chat, as long as the platform says', async () => {
    holds.report('bot', chat('ada'), limit(3000));
    holds.defer('bot', chat('ada'), 'conversation');
    expect(holds.of('bot', chat('ada'))).toEqual({ reason: 'quota', milliseconds: 3000 });
    expect(holds.of('bot', chat('bob'))).toBeNull();
    expect(holds.of('other', chat('ada'))).toBeNull();
    expect(holds.heldBots()).toEqual([]);
    await pass(2999);
    expect(holds.of('bot', chat('ada'))).not.toBeNull();
    await pass(1);
    expect(holds.of('bot', chat('ada'))).toBeNull();
    expect(ended).toEqual([['conversation']]);
  });

  it.each<[string, () => void, number]>([
    ['lasts longer than a minute', () => holds.report('bot', chat('ada'), limit(90_000)), 90_000],
    ['is said to be one of the bot', () => holds.report('bot', chat('ada'), limit(2000, 'bot')), 2000],
    [
      'occurs in three chats at the same time',
      () => {
        for (const pause of [1000, 5000, 2000]) holds.report('bot', chat(`${pause}`), limit(pause));
      },
      5000,
    ],
  ])('is a rate limit of the whole bot when it %s', async (_, report, milliseconds) => {
    report();
    expect(holds.heldBots()).toEqual(['bot']);
    expect(holds.of('bot', chat('eve'))).toEqual({ reason: 'quota', milliseconds });
    await pass(milliseconds - 1);
    expect(holds.heldBots()).toEqual(['bot']);
    await pass(1);
    expect(holds.heldBots()).toEqual([]);
    expect(holds.of('bot', chat('eve'))).toBeNull();
  });

  it('is no limit of the bot when chats are limited one after the other', async () => {
    for (let index = 0; index < 5; index += 1) {
      holds.report('bot', chat(`${index}`), limit(1000));
      await pass(1000);
    }
    expect(holds.heldBots()).toEqual([]);
  });

  it('is prolonged by a later limit, and not shortened', async () => {
    holds.report('bot', chat('ada'), limit(10_000));
    await pass(5000);
    holds.report('bot', chat('ada'), limit(1000));
    expect(holds.of('bot', chat('ada'))?.milliseconds).toBe(5000);
    holds.report('bot', chat('ada'), limit(20_000));
    await pass(19_000);
    expect(holds.of('bot', chat('ada'))?.milliseconds).toBe(1000);
    await pass(1000);
    expect(holds.of('bot', chat('ada'))).toBeNull();
    expect(ended).toHaveLength(1);
  });

  it('does not depend on the time of day', async () => {
    holds.report('bot', chat('ada'), limit(10_000));
    vi.setSystemTime(Date.now() + 3_600_000);
    expect(holds.of('bot', chat('ada'))?.milliseconds).toBe(10_000);
    vi.setSystemTime(Date.now() - 7_200_000);
    await pass(10_000);
    expect(holds.of('bot', chat('ada'))).toBeNull();
  });

  it('lasts longer with each limit that names no time, until a send succeeds', async () => {
    const pauses: (number | undefined)[] = [];
    for (let index = 0; index < 10; index += 1) {
      holds.report('bot', chat('ada'), limit(null));
      pauses.push(holds.of('bot', chat('ada'))?.milliseconds);
      await pass(60_000);
    }
    expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    holds.succeeded('bot');
    holds.report('bot', chat('ada'), limit(null));
    expect(holds.of('bot', chat('ada'))?.milliseconds).toBe(500);
  });

  it('ends for a platform that cannot be reached when a harmless call succeeds', async () => {
    let probes = 0;
    probe = async () => {
      probes += 1;
      if (probes < 4) throw unreachable;
    };
    for (const name of ['ada', 'bob']) {
      holds.report('bot', chat(name), unreachable);
      holds.defer('bot', chat(name), name);
    }
    expect(holds.heldBots()).toEqual(['bot']);
    await pass(499);
    expect(probes).toBe(0);
    await pass(1);
    expect(probes).toBe(1);
    expect(holds.of('bot', chat('eve'))).toMatchObject({ reason: 'platform_failed' });
    await pass(10_000);
    expect(probes).toBe(4);
    expect(holds.heldBots()).toEqual([]);
    expect(ended).toEqual([['ada', 'bob']]);
  });

  it('probes no more often than once a minute in a long outage, and no sooner than a rate limit says', async () => {
    let probes = 0;
    probe = async () => {
      probes += 1;
      throw probes === 1 ? limit(30_000, 'bot') : unreachable;
    };
    holds.report('bot', chat('ada'), new DeliveryError('unknown', 'platform_failed', 'No answer'));
    await pass(30_000);
    expect(probes).toBe(1);
    await pass(3_600_000);
    expect(probes).toBeGreaterThan(10);
    expect(probes).toBeLessThan(75);
    expect(holds.heldBots()).toEqual(['bot']);
  });

  it('can be awaited while it may end in time', async () => {
    expect(await holds.cleared('bot', chat('ada'), 1000)).toBeNull();
    holds.report('bot', chat('ada'), limit(3000));
    expect(await holds.cleared('bot', chat('ada'), 2999)).toMatchObject({ reason: 'quota' });
    const cleared = holds.cleared('bot', chat('ada'), 5000);
    await pass(3000);
    expect(await cleared).toBeNull();
    probe = async () => Promise.reject(unreachable);
    holds.report('bot', chat('ada'), unreachable);
    const late = holds.cleared('bot', chat('ada'), 5000);
    await pass(5000);
    expect(await late).toMatchObject({ reason: 'platform_failed' });
  });

  it('is forgotten with another configuration, and when it is closed', async () => {
    holds.report('bot', chat('ada'), limit(90_000));
    holds.defer('bot', chat('ada'), 'conversation');
    holds.forget('bot');
    await pass(0);
    expect(holds.heldBots()).toEqual([]);
    expect(holds.of('bot', chat('ada'))).toBeNull();
    expect(ended.flat()).toEqual(['conversation']);
    holds.report('bot', chat('ada'), unreachable);
    holds.close();
    await pass(0);
    expect(ended).toHaveLength(2);
    expect(vi.getTimerCount()).toBe(0);
  });
});
