import { describe, expect, it } from 'vitest';
import { runCrash } from '../../../bench/crash/crash-run.ts';
import type { Engine } from '../../../bench/lib/installation.ts';
import { sharedResource } from '../shared/shared-resource.ts';

const faultless = { lost: 0, duplicates: 0, unfounded: 0, reordered: 0, strangers: 0, miscounted: 0, unanswered: 0 };
/** Half of them on each platform. Each has at most one message in progress. */
const conversations = 60;

describe.each<[Engine, number]>([
  ['sqlite', 10],
  ['postgres', 5],
])('on %s, killed %i times while people write', (engine, kills) => {
  it('answers every message once, in order', { timeout: 240_000 }, async () => {
    const options = { engine, kills, conversations, rate: 200, longestLife: 1500, patience: 120 };
    const postgresUrl = await sharedResource('postgres');
    const { withTokens, withoutTokens, killsAfterCommit } = await runCrash({ ...options, postgresUrl });
    // Each fifth kill is between the commit of a set and the results of its operations.
    expect(killsAfterCommit).toHaveLength(kills / 5);
    // Where tokens are supported, sends in progress are repeated, and arrive once.
    expect(withTokens).toMatchObject({ ...faultless, uncertain: 0 });
    expect(withTokens.answered).toBe(withTokens.asked);
    // Elsewhere, nothing is sent twice; deliveries in progress become uncertain.
    expect(withoutTokens).toMatchObject(faultless);
    expect(withoutTokens.uncertain).toBeLessThanOrEqual((kills * conversations) / 2);
    // Some kills did hit sends in progress; otherwise nothing was tested.
    expect(withTokens.repeats_dropped + withoutTokens.uncertain).toBeGreaterThan(0);
    // How many there are depends on how fast the machine starts the service again.
    for (const { asked } of [withTokens, withoutTokens]) expect(asked).toBeGreaterThan(kills * 5);
  });
});
