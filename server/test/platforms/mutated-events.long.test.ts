import { setImmediate as turn } from 'node:timers/promises';
import type { Platform } from '@parley/sdk';
import type { FakePlatform } from '@parley/sdk/testing';
import { describe, expect, it } from 'vitest';
import { startFakeInvented } from '../../../sdk/testing/platforms/invented/fake/index.ts';
import { createInventedPlatform } from '../../../sdk/testing/platforms/invented/index.ts';
import { mutated, seeded } from '../../../sdk/testing/platforms/mutations.ts';
import { runPlatformCase } from '../../../sdk/testing/platforms/run-case.ts';
import type { Stage } from '../../../sdk/testing/platforms/stage.ts';
import { inventedTiming } from '../../src/kit/testing/invented-timing.ts';
import { platformHost } from '../../src/kit/testing/platform-host.ts';
import { fakedPlatforms } from '../factories/faked-platforms.ts';

/** Of the events of a platform together. */
const mutations = 10_000;
const timeout = 900_000;

interface Subject {
  platform: Platform;
  mode: string;
  config: Record<string, unknown>;
  fake(): Promise<FakePlatform>;
}

const invented = createInventedPlatform({ timing: inventedTiming });
const subjects: Subject[] = [
  ...Object.values(fakedPlatforms).flatMap(({ platform, deliveries }) =>
    Object.entries(deliveries).map(([mode, delivery]) => ({
      platform,
      mode,
      config: delivery.config,
      fake: delivery.fake,
    })),
  ),
  ...(['webhook', 'websocket'] as const).map((mode) => {
    return { platform: invented, mode, config: { transport: mode }, fake: () => startFakeInvented(mode) };
  }),
];

const runs = ({ platform, config, fake }: Subject, run: (stage: Stage) => Promise<void>) => {
  const name = 'mutations';
  const options = { platform, config: () => config, fake, host: platformHost, patienceMs: 60_000 };
  return runPlatformCase({ family: 'verification', name, run }, options);
};

describe.each(subjects)('$platform.name by $mode', (subject) => {
  it('receives what follows mutated events', { timeout }, () =>
    runs(subject, async (stage) => {
      await stage.start();
      const random = seeded(7);
      const samples = stage.fake.samples();
      for (const sample of samples) {
        for (let times = 0; times < mutations / samples.length; times += 1) {
          await stage.fake.raw(mutated(sample, random));
          // The adapter reads it before the next one is sent.
          await turn();
        }
      }
      await stage.ask({ text: 'Still there' });
      // Some are still messages.
      expect(stage.context.received.length).toBeGreaterThan(1);
    }),
  );

  it('receives nothing that was changed after it was signed', { timeout }, ({ skip }) =>
    runs(subject, async (stage) => {
      if (stage.fake.tamper === undefined) return skip('It signs nothing');
      await stage.start();
      const random = seeded(8);
      for (let times = 0; times < mutations; times += 1) {
        const outcome = await stage.fake.tamper((body) => different(body, random));
        expect(outcome).toBe('refused');
      }
      expect(stage.context.received).toEqual([]);
      await stage.ask({ text: 'Still there' });
    }),
  );
});

/** Mutations may undo one another. */
function different(body: Uint8Array, random: () => number): Uint8Array {
  const changed = mutated(body, random);
  return Buffer.compare(changed, body) === 0 ? different(body, random) : changed;
}
