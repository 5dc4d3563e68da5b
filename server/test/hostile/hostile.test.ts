import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedResource } from '../shared/shared-resource.ts';
import { type ProbeStage, setProbeStage } from './probe-stage.ts';
import { probes } from './probes.ts';
import { gotThrough, tryProbes } from './try-probes.ts';
import { poolBehind } from './walls.ts';

let stage: ProbeStage;
beforeAll(async () => {
  await sharedResource('commandLine');
  stage = await setProbeStage();
}, 120_000);
afterAll(() => stage.close());

describe.runIf(process.platform === 'linux')('what a hostile plugin tries', () => {
  test('is refused by both walls together', async () => {
    const pool = poolBehind('both', '');
    const outcomes = await tryProbes(pool, stage).finally(() => pool.stop());
    expect(Object.keys(outcomes)).toHaveLength(probes.length);
    expect(gotThrough(outcomes)).toEqual([]);
    expect(stage.contacts).toEqual([]);
  });
});
