import { describe, expect, it } from 'vitest';
import { runCrash } from '../../../bench/crash/crash-run.ts';
import type { Engine } from '../../../bench/lib/installation.ts';
import { sharedResource } from '../shared/shared-resource.ts';

const faultless = { lost: 0, duplicates: 0, unfounded: 0, reordered: 0, strangers: 0, miscounted: 0, unanswered: 0 };
/** Concurrent conversations: the maximum number of messages in progress. */
const concurrency = 20;

describe.each<[Engine, number]>([
  ['sqlite', 10],
  ['postgres', 3],
])('on %s, killed %i times while people write', (engine, kills) => {
  it('answers every message once, in order', { timeout: 240_000 }, async () => {
    const options = { engine, kills, conversations: 60, rate: 40, longestLife: 1500, patience: 120 };
    const postgresUrl = await sharedResource('postgres');
    const { withTokens, withoutTokens } = await runCrash({ ...options, postgresUrl });
    // Where tokens are supported, sends in progress are repeated, and arrive once.
    expect(withTokens).toMatchObject({ ...faultless, uncertain: 0 });
    expect(withTokens.answered).toBe(withTokens.asked);
    // Elsewhere, nothing is sent twice; deliveries in progress become uncertain.
    expect(withoutTokens).toMatchObject(faultless);
    expect(withoutTokens.uncertain).toBeLessThanOrEqual(kills * concurrency);
    // Some kills did hit sends in progress; otherwise nothing was tested.
    expect(withTokens.repeats_dropped + withoutTokens.uncertain).toBeGreaterThan(0);
    // How many there are depends on how fast the machine starts the service again.
    for (const { asked } of [withTokens, withoutTokens]) expect(asked).toBeGreaterThan(kills * 5);
  });
});
