import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedResource } from '../shared/shared-resource.ts';
import { type ProbeStage, setProbeStage } from './probe-stage.ts';
import { probes } from './probes.ts';
import { gotThrough, tryProbes } from './try-probes.ts';
import { buildBareProgram, poolBehind, type Walls } from './walls.ts';

let stage: ProbeStage;
let bare: Awaited<ReturnType<typeof buildBareProgram>>;
beforeAll(async () => {
  await sharedResource('commandLine');
  [stage, bare] = await Promise.all([setProbeStage(), buildBareProgram()]);
}, 120_000);
afterAll(async () => {
  await stage.close();
  await bare.remove();
});

async function tryBehind(walls: Walls): Promise<Record<string, string>> {
  const pool = poolBehind(walls, bare.path);
  try {
    return await tryProbes(pool, stage);
  } finally {
    await pool.stop();
  }
}

describe.runIf(process.platform === 'linux')('what a hostile plugin tries', () => {
  test.each(['node', 'kernel'] as const)('is stopped by the wall "%s" alone as listed', async (wall) => {
    const outcomes = await tryBehind(wall);
    expect(gotThrough(outcomes)).toEqual(
      probes.filter(({ stoppedBy }) => !stoppedBy.includes(wall)).map(({ name }) => name),
    );
  });

  test('succeeds where there is no wall', async () => {
    const outcomes = await tryBehind('none');
    const unsuccessful = Object.entries(outcomes).filter(([, outcome]) => outcome !== 'got through');
    expect(Object.fromEntries(unsuccessful)).toEqual({
      // Another program has come in its place.
      'become another program': expect.stringContaining('it ended with code 0'),
      ...(process.getuid?.() === 0 ? {} : { 'become another user': 'refused: EPERM' }),
    });
    expect(new Set(stage.contacts)).toEqual(new Set(['tcp', 'udp', 'socket']));
  });
});
