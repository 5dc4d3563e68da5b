import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fakedPlatforms } from '../../server/test/factories/faked-platforms.ts';
import { type PictureSenders, startPictureSenders } from '../fakes/picture-senders.ts';
import type { Benchmark, Figures } from '../lib/benchmark.ts';
import { allRunning, apiOf, closeFakes, createBot, type FakedBot, patience } from '../lib/faked-bots.ts';
import { openLoop } from '../lib/open-loop.ts';
import { createAccount } from '../lib/program.ts';
import { dataDirectory, withFolder, withService } from '../lib/service-process.ts';
import { median, percentile, round } from '../lib/statistics.ts';

type Argument = 'bots' | 'rate' | 'seconds' | 'pictures' | 'rounds';

const pictureBytes = 10_000_000;

/** Of these, bots receive messages in groups only when they are mentioned, and answer: that would be measured, too. */
const alwaysMentioning = new Set(['wecombot']);

/** Bots that receive pictures, beside those that receive events. */
const pictureBots = 6;

/** How long acknowledgements took, from when the event was due, milliseconds. */
interface Acknowledgements {
  waits: number[];
  /** Events that were refused, or not acknowledged in the platform's time. */
  missing: number;
}

interface Pictures {
  /** Messages with one that were refused, or not acknowledged in the platform's time. */
  missing: number;
  /** Until the last one was stored. */
  seconds: number;
}

interface Round {
  without: Acknowledgements;
  beside: Acknowledgements;
  pictures: Pictures;
}

export const webhook: Benchmark<Argument> = {
  summary: 'Signed events at webhooks, without and with large pictures that are fetched at the same time.',
  defaults: { bots: 10, rate: 100, seconds: 15, pictures: 50, rounds: 3 },
  run: (numbers) =>
    withFolder((folder) =>
      withService(folder, async ({ address }) => {
        await createAccount(address);
        const adapters = await signingAdapters();
        const accounts = Array.from({ length: pictureBots }, (_, index) => ({
          // Within the list.
          adapter: adapters[index % adapters.length] as string,
          account: numbers.bots + index,
        }));
        const senders = await startPictureSenders(accounts);
        const made: FakedBot[] = [];
        try {
          await makeBots(address, { adapters, count: numbers.bots, made, senders });
          await load(made, { ...numbers, seconds: 5 });
          const rounds: Round[] = [];
          for (let index = 0; index < numbers.rounds; index += 1) {
            const without = await load(made, numbers);
            const files = join(dataDirectory(folder), 'files');
            const [beside, pictures] = await Promise.all([
              load(made, numbers),
              fetchPictures(senders, files, { ...numbers, expected: numbers.pictures * (index + 1) }),
            ]);
            rounds.push({ without, beside, pictures });
          }
          return { ...figuresOf(rounds), ...numbers };
        } finally {
          await Promise.all([closeFakes(made), senders.close()]);
        }
      }),
    ),
};

/** Platforms that sign the events that they send to webhooks. */
async function signingAdapters(): Promise<string[]> {
  const adapters: string[] = [];
  for (const [adapter, { deliveries }] of Object.entries(fakedPlatforms)) {
    const fake = await deliveries.webhook?.fake();
    if (fake?.tamper !== undefined) adapters.push(adapter);
    await fake?.close();
  }
  return adapters;
}

/** Creates the bots for events, on the platforms in turns, each with a fake of its own; then those for pictures. */
async function makeBots(
  address: string,
  options: { adapters: readonly string[]; count: number; made: FakedBot[]; senders: PictureSenders },
): Promise<void> {
  const { adapters, count, made, senders } = options;
  const api = await apiOf({ address });
  const silent = adapters.filter((adapter) => !alwaysMentioning.has(adapter));
  for (let index = 0; index < count; index += 1) {
    // Within the list.
    const adapter = silent[index % silent.length] as string;
    const fake = await fakedPlatforms[adapter]?.deliveries.webhook?.fake(index, 'real');
    if (fake === undefined) throw new Error(`${adapter} has no webhook`);
    made.push(await createBot(api, { name: `${adapter} ${index}`, adapter, fake, address }));
  }
  const others: { uuid: string }[] = [];
  for (const [index, fake] of senders.bots.entries()) {
    const { adapter } = fake;
    others.push(await createBot(api, { name: `${adapter} pictures ${index}`, adapter, fake, address }));
  }
  await allRunning(api, [...made, ...others]);
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
 * Users send pictures to the bots, in the first half of a round.
 * @param expected pictures that are stored afterwards
 */
async function fetchPictures(
  senders: PictureSenders,
  files: string,
  { pictures, seconds, expected }: Record<'pictures' | 'seconds' | 'expected', number>,
): Promise<Pictures> {
  const began = performance.now();
  const gapMs = (seconds * 1000) / 2 / pictures;
  const missing = await senders.send({ count: pictures, bytes: pictureBytes, gapMs });
  while ((await picturesIn(files)) < expected) {
    if (performance.now() - began > 2 * patience) {
      const stored = (await picturesIn(files)) - (expected - pictures);
      throw new Error(
        `${stored} of ${pictures} pictures were stored in time, ${missing} messages were not acknowledged`,
      );
    }
    await delay(100);
  }
  return { missing, seconds: (performance.now() - began) / 1000 };
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

function figuresOf(rounds: readonly Round[]): Figures {
  const p = (share: number, of: (round: Round) => Acknowledgements) =>
    round(median(rounds.map((one) => percentile(of(one).waits, share))));
  return {
    acknowledged_p50_ms: p(0.5, ({ without }) => without),
    acknowledged_p99_ms: p(0.99, ({ without }) => without),
    beside_pictures_p50_ms: p(0.5, ({ beside }) => beside),
    beside_pictures_p99_ms: p(0.99, ({ beside }) => beside),
    beside_pictures_most_ms: round(Math.max(...rounds.flatMap(({ beside }) => beside.waits))),
    not_acknowledged: rounds.reduce((sum, { without, beside }) => sum + without.missing + beside.missing, 0),
    pictures_not_acknowledged: rounds.reduce((sum, { pictures }) => sum + pictures.missing, 0),
    pictures_stored_s: round(median(rounds.map(({ pictures }) => pictures.seconds)), 1),
  };
}
