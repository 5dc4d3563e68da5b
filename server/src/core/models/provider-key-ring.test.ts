import { inspect } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { ProviderKeyRing } from './provider-key-ring.ts';

const keys = ['key-one', 'key-two', 'key-three'];
const quota = { reason: 'quota' } as const;
const unauthorized = { reason: 'provider_unauthorized' } as const;

let seconds: number;
let ring: ProviderKeyRing;
beforeEach(() => {
  seconds = 1000;
  ring = new ProviderKeyRing(() => seconds * 1000);
});

const take = (given: readonly string[] = keys, provider = 'a') => {
  const taken = ring.take(provider, given);
  if (taken === null) throw new Error('no key');
  return taken;
};
const next = (count: number, given = keys) => Array.from({ length: count }, () => take(given).key);

describe('the keys of a provider', () => {
  it('rotate, each once even if listed twice', () => {
    expect(next(7)).toEqual([...keys, ...keys, 'key-one']);
    expect(next(3, ['x', 'x', 'y'])).toEqual(['x', 'y', 'x']);
  });

  it('may be none', () => {
    expect(ring.take('a', [])).toBeNull();
  });

  it('rotate separately for each provider', () => {
    take();
    expect(take(keys, 'b').key).toBe('key-one');
    take(keys, 'b').report(unauthorized);
    expect(next(3)).toEqual(['key-two', 'key-three', 'key-one']);
  });

  it('are on cooldown for ten minutes when they are rejected', () => {
    take().report(unauthorized);
    expect(next(4)).toEqual(['key-two', 'key-three', 'key-two', 'key-three']);
    seconds += 599;
    expect(next(2)).not.toContain('key-one');
    seconds += 1;
    expect(next(3)).toContain('key-one');
  });

  it('are on cooldown as long as the provider says, within limits', () => {
    take().report({ ...quota, retryAfterSeconds: 7 });
    seconds += 6;
    expect(next(4)).not.toContain('key-one');
    seconds += 1;
    expect(next(3)).toContain('key-one');

    take().report({ ...quota, retryAfterSeconds: 1_000_000 });
    seconds += 3600;
    expect(new Set(next(3)).size).toBe(3);
  });

  it('are on cooldown longer each time without a retry delay, and briefly again after a success', () => {
    const pauses: number[] = [];
    const refuse = () => {
      const { report } = take(['only', 'spare']);
      report(quota);
      const began = seconds;
      while (take(['only', 'spare']).key !== 'only') seconds += 1;
      pauses.push(seconds - began);
      // The rotation stays in place.
      take(['only', 'spare']);
    };
    for (let times = 0; times < 7; times += 1) refuse();
    expect(pauses).toEqual([30, 60, 120, 240, 480, 600, 600]);
    take(['only', 'spare']).report(null);
    take(['only', 'spare']);
    refuse();
    expect(pauses.at(-1)).toBe(30);
  });

  it('are refused together when many calls use one, which counts as one refusal', () => {
    const together = Array.from({ length: 20 }, () => take(['only', 'spare'])).filter(({ key }) => key === 'only');
    for (const { report } of together) {
      seconds += 1;
      report(quota);
    }
    seconds += 30;
    expect(next(2, ['only', 'spare'])).toContain('only');
  });

  it('stay on cooldown when a call that was started earlier still succeeds', () => {
    const early = take();
    next(2);
    seconds += 1;
    const late = take();
    expect(late.key).toBe(early.key);
    seconds += 1;
    late.report(unauthorized);
    early.report(null);
    expect(next(4)).not.toContain(early.key);
    seconds += 600;
    const again = [take(), take(), take()].find(({ key }) => key === early.key);
    again?.report(null);
    expect(next(3)).toContain(early.key);
  });

  it('work on when none is free: the one that is free soonest', () => {
    take().report({ ...quota, retryAfterSeconds: 50 });
    take().report({ ...quota, retryAfterSeconds: 20 });
    take().report(unauthorized);
    expect(next(3)).toEqual(['key-two', 'key-two', 'key-two']);
    seconds += 21;
    take().report({ ...quota, retryAfterSeconds: 300 });
    expect(next(2)).toEqual(['key-one', 'key-one']);
  });

  it('work on when there is but one, however often it is refused', () => {
    for (let times = 0; times < 50; times += 1) {
      const { key, report } = take(['only']);
      expect(key).toBe('only');
      report(times % 2 === 0 ? quota : unauthorized);
    }
  });

  it('are not to blame for other failures', () => {
    for (const reason of ['provider_failed', 'provider_timeout', 'address_not_allowed'] as const)
      take().report({ reason });
    expect(next(3)).toEqual(keys);
  });

  it('are forgotten when they change', () => {
    take().report(unauthorized);
    expect(next(3, [...keys, 'key-four'])).toContain('key-one');
    expect(next(3)).toContain('key-one');
  });

  it('are known in whatever order they are listed', () => {
    take().report(unauthorized);
    expect(next(6, keys.toReversed())).not.toContain('key-one');
  });

  it('are not retained, and the number of providers is limited', () => {
    for (let index = 0; index < 2000; index += 1) take(keys, `provider-${index}`).report(unauthorized);
    // The latest is remembered, the first is not.
    expect(take(keys, 'provider-1999').key).toBe('key-two');
    expect(take(keys, 'provider-0').key).toBe('key-one');
    expect(inspect(ring, { depth: 10, showHidden: true })).not.toContain('key-one');
  });
});
