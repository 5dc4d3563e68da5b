import { randomBytes } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fakedPlatforms } from '../../server/test/factories/faked-platforms.ts';
import type { Benchmark, Figures } from '../lib/benchmark.ts';
import { allRunning, apiOf, closeFakes, createBot, type FakedBot, patience } from '../lib/faked-bots.ts';
import { openLoop } from '../lib/open-loop.ts';
import { createAccount } from '../lib/program.ts';
import { dataDirectory, withFolder, withService } from '../lib/service-process.ts';
import { median, percentile, round } from '../lib/statistics.ts';

type Argument = 'bots' | 'rate' | 'seconds' | 'pictures' | 'rounds';

const pictureBytes = 10_000_000;
const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** How long acknowledgements took, from when the event was due, milliseconds. */
interface Acknowledgements {
  waits: number[];
  /** Events that were refused, or not acknowledged in the platform's time. */
  missing: number;
}

export const webhook: Benchmark<Argument> = {
  summary: 'Signed events at webhooks, without and with large pictures that are fetched at the same time.',
  defaults: { bots: 10, rate: 100, seconds: 15, pictures: 50, rounds: 3 },
  run: (numbers) =>
    withFolder((folder) =>
      withService(folder, async ({ address }) => {
        await createAccount(address);
        const made = await makeBots(address, numbers.bots);
        try {
          await load(made, { ...numbers, seconds: 5 });
          const rounds: [without: Acknowledgements, beside: Acknowledgements, fetchedSeconds: number][] = [];
          for (let index = 0; index < numbers.rounds; index += 1) {
            const without = await load(made, numbers);
            const files = join(dataDirectory(folder), 'files');
            const [beside, seconds] = await Promise.all([
              load(made, numbers),
              fetchPictures(made, files, numbers.pictures * (index + 1), numbers.pictures),
            ]);
            rounds.push([without, beside, seconds]);
          }
          return { ...figuresOf(rounds), ...numbers };
        } finally {
          await closeFakes(made);
        }
      }),
    ),
};

/** Bots of every platform that signs its events, in turns; each has a fake of its own. */
async function makeBots(address: string, count: number): Promise<FakedBot[]> {
  const api = await apiOf({ address });
  const signing = Object.entries(fakedPlatforms).filter(([, { deliveries }]) => deliveries.webhook !== undefined);
  const made: FakedBot[] = [];
  for (let index = 0; made.length < count; index += 1) {
    const [adapter, { deliveries }] = signing[index % signing.length] as (typeof signing)[number];
    const fake = await deliveries.webhook?.fake(index);
    if (fake?.tamper === undefined) {
      await fake?.close();
      continue;
    }
    made.push(await createBot(api, { name: `${adapter} ${index}`, adapter, fake, address }));
  }
  await allRunning(api, made);
  return made;
}

/** Users write in groups without mentioning the bot: answers would wait for the pace of their chats. */
async function load(
  made: readonly FakedBot[],
  { rate, seconds }: Record<'rate' | 'seconds', number>,
): Promise<Acknowledgements> {
  const waits: number[] = [];
  const sent: Promise<void>[] = [];
  let missing = 0;
  await openLoop({ rate, seconds }, (index, due) => {
    const { fake } = made[index % made.length] as FakedBot;
    const event = fake.deliver({ chat: fake.group(), text: `Event ${index}` }).then(({ outcome }) => {
      if (outcome === 'acknowledged') waits.push(performance.now() - due);
      else missing += 1;
    });
    sent.push(event);
  });
  await Promise.all(sent);
  return { waits, missing };
}

/**
 * Users send pictures to the bots alone, all at once.
 * @param expected pictures that are stored afterwards
 * @returns after how many seconds all were stored
 */
async function fetchPictures(
  made: readonly FakedBot[],
  files: string,
  expected: number,
  pictures: number,
): Promise<number> {
  const content = Buffer.concat([Buffer.from(pngSignature), randomBytes(pictureBytes - pngSignature.length)]);
  const began = performance.now();
  const sent = Array.from({ length: pictures }, (_, index) => {
    const { fake } = made[index % made.length] as FakedBot;
    return fake.deliver({ media: [{ kind: 'image', name: `picture${index}.png`, content }] });
  });
  const outcomes = await Promise.all(sent);
  const refused = outcomes.filter(({ outcome }) => outcome !== 'acknowledged').length;
  if (refused > 0) throw new Error(`${refused} messages with pictures were not acknowledged`);
  while ((await picturesIn(files)) < expected) {
    if (performance.now() - began > 2 * patience) throw new Error('The pictures were not stored in time');
    await delay(100);
  }
  return (performance.now() - began) / 1000;
}

async function picturesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name)).catch(() => null))?.size),
  );
  return sizes.filter((size) => size === pictureBytes).length;
}

function figuresOf(rounds: readonly [Acknowledgements, Acknowledgements, number][]): Figures {
  const p = (share: number, of: (round: (typeof rounds)[number]) => Acknowledgements) =>
    round(median(rounds.map((one) => percentile(of(one).waits, share))));
  const without = (one: (typeof rounds)[number]) => one[0];
  const beside = (one: (typeof rounds)[number]) => one[1];
  return {
    acknowledged_p50_ms: p(0.5, without),
    acknowledged_p99_ms: p(0.99, without),
    beside_pictures_p50_ms: p(0.5, beside),
    beside_pictures_p99_ms: p(0.99, beside),
    beside_pictures_most_ms: round(Math.max(...rounds.flatMap((one) => beside(one).waits))),
    not_acknowledged: rounds.reduce((sum, one) => sum + one[0].missing + one[1].missing, 0),
    pictures_stored_s: round(median(rounds.map(([, , seconds]) => seconds)), 1),
  };
}
