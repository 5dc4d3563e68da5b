import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withBare } from '../bare/with-bare.ts';
import { startLineMessenger } from '../fakes/line-messenger.ts';
import type { Messenger } from '../fakes/messenger.ts';
import { startTelegramMessenger } from '../fakes/telegram-messenger.ts';
import type { Benchmark, Figures } from '../lib/benchmark.ts';
import {
  type ConversationLoad,
  effortFigures,
  type LoadResult,
  runLoad,
  waitFigures,
} from '../lib/conversation-load.ts';
import { fillLedgerOf, summedUp } from '../lib/filled-ledger.ts';
import {
  type Engine,
  engines,
  type Installation,
  type InstallationOptions,
  withInstallation,
  withRunning,
} from '../lib/installation.ts';
import type { ServerProcess } from '../lib/server-process.ts';
import { median, round } from '../lib/statistics.ts';

type Argument =
  | 'rate'
  | 'seconds'
  | 'conversations'
  | 'warmup'
  | 'calm-rate'
  | 'calm-seconds'
  | 'bare-rate'
  | 'rounds'
  | 'stored';
type Choice = 'engine' | 'platform' | 'profile' | 'bare';
type Numbers = Record<Argument, number>;

/** Of a ledger that has messages before the load. */
const storedConversations = 10_000;

/** One round with a service of its own. */
interface Round {
  busy: LoadResult;
  calm: LoadResult;
  /** The program that does nothing but the least, under the same load; null where there is none. */
  bare: LoadResult | null;
}

interface Subject {
  engine: Engine;
  platform: string;
  /** Messages that the ledger has before the service starts. */
  stored: number;
  /** The tree whose service is measured. */
  directory?: string;
  profileFolder?: string;
  /** Whether the bare program is measured, too. */
  isBareMeasured: boolean;
}

export const messages: Benchmark<Argument, Choice, 'compare'> = {
  summary: 'Messages through the default pipeline at a steady rate, then at a low one to measure the added latency.',
  defaults: {
    rate: 500,
    seconds: 60,
    conversations: 200,
    warmup: 10,
    'calm-rate': 50,
    'calm-seconds': 20,
    // More than it answers, as `rate` is for the service.
    'bare-rate': 2500,
    rounds: 1,
    stored: 0,
  },
  choices: { engine: engines, platform: ['lines', 'telegram'], profile: ['no', 'yes'], bare: ['yes', 'no'] },
  folders: ['compare'],
  run: async (numbers, { engine, platform, profile, bare, compare }) => {
    const profileFolder = profile === 'yes' ? await mkdtemp(join(tmpdir(), 'parley-profile-')) : undefined;
    const { stored } = numbers;
    const subject = { engine: engine as Engine, platform, stored };
    // The bare program writes SQLite and speaks with the messenger of lines.
    const isBareMeasured = bare === 'yes' && engine === 'sqlite' && platform === 'lines' && stored === 0;
    const rounds: Round[] = [];
    const empty: Round[] = [];
    const others: Round[] = [];
    for (let index = 1; index <= numbers.rounds; index += 1) {
      rounds.push(await measure({ ...subject, isBareMeasured, ...(profileFolder && { profileFolder }) }, numbers));
      if (stored > 0) empty.push(await measure({ ...subject, isBareMeasured: false, stored: 0 }, numbers));
      if (compare !== '') {
        others.push(await measure({ ...subject, isBareMeasured: false, directory: compare }, numbers));
      }
    }
    if (profileFolder !== undefined) console.log(`The profile is in ${profileFolder}`);
    const figuresIn = (all: readonly Round[]) => medians(all.map(figuresOf));
    const figures = figuresIn(rounds);
    return {
      ...figures,
      ...(empty.length > 0 && { stored_ratio: costRatio(rounds, empty), empty_ledger: figuresIn(empty) }),
      ...(others.length > 0 && { compared: comparison(figures, figuresIn(others)) }),
      ...numbers,
    };
  },
};

/** Measures a new installation. */
async function measure(subject: Subject, numbers: Numbers): Promise<Round> {
  const { engine, platform, stored, directory, profileFolder, isBareMeasured } = subject;
  const messenger =
    platform === 'telegram' ? await startTelegramMessenger() : await startLineMessenger({ honoursTokens: true });
  const options: InstallationOptions = { engine, messengers: [messenger] };
  if (directory !== undefined) options.directory = directory;
  if (profileFolder !== undefined) options.profileFolder = profileFolder;
  try {
    return await withInstallation(options, async (installation) => {
      const { place, model } = installation;
      const ledger = stored > 0 ? await fillLedgerOf(place, stored, storedConversations) : null;
      const measured = await withRunning(installation, async (service) => {
        if (ledger !== null) await summedUp(place, ledger);
        return await parts(service, messenger, installation, numbers);
      });
      if (!isBareMeasured) return { ...measured, bare: null };
      const bare = await withBare(place.dataDir, model, (program, its) =>
        busyPart(program, its, installation, bareNumbers(numbers), 'bare'),
      );
      return { ...measured, bare };
    });
  } finally {
    await messenger.close();
  }
}

/** About as many messages as the service gets, at their own rate. */
function bareNumbers(numbers: Numbers): Numbers {
  const rate = numbers['bare-rate'];
  const scaled = (seconds: number) => Math.ceil((seconds * numbers.rate) / rate);
  return { ...numbers, rate, seconds: scaled(numbers.seconds), warmup: scaled(numbers.warmup) };
}

async function parts(
  service: ServerProcess,
  messenger: Messenger,
  installation: Installation,
  numbers: Numbers,
): Promise<Omit<Round, 'bare'>> {
  const busy = await busyPart(service, messenger, installation, numbers, 'busy');
  const calmLoad = { name: 'calm', rate: numbers['calm-rate'], seconds: numbers['calm-seconds'] };
  return { busy, calm: await load(service, messenger, installation, { ...numbers, ...calmLoad }) };
}

async function busyPart(
  program: ServerProcess,
  messenger: Messenger,
  installation: Installation,
  numbers: Numbers,
  name: string,
): Promise<LoadResult> {
  // Not counted.
  await load(program, messenger, installation, { ...numbers, name: `warmup-${name}`, seconds: numbers.warmup });
  return load(program, messenger, installation, { ...numbers, name });
}

async function load(
  program: ServerProcess,
  messenger: Messenger,
  { model, databasePid }: Installation,
  { name, rate, seconds, conversations }: Omit<ConversationLoad, 'patience'>,
): Promise<LoadResult> {
  const patience = 60 + seconds * 5;
  const given = { name, rate, seconds, conversations, patience, databasePid };
  const result = await runLoad(program, messenger, model, given);
  console.log(`${name}: ${result.answered} of ${result.asked} answered in ${result.seconds.toFixed(1)} s`);
  return result;
}

function figuresOf({ busy, calm, bare }: Round): Figures {
  return {
    messages_per_second: round(busy.answered / busy.seconds, 1),
    ...waitFigures('ingest', busy.ingest),
    ...waitFigures('answer', busy.answer),
    ...waitFigures('added_latency', calm.untilModel),
    ...waitFigures('after_model', calm.afterModel),
    ...effortFigures(busy),
    processor_us_per_message_with_database: rounded(withDatabase(busy)),
    ...(bare === null ? {} : bareFigures(busy, bare)),
    asked: busy.asked,
    answered: busy.answered,
    sent: busy.sent,
  };
}

/** `ratio`: how many times the processor time of a message with the bare program the service takes. */
function bareFigures({ processorMicroseconds }: LoadResult, bare: LoadResult): Figures {
  const least = bare.processorMicroseconds;
  return {
    ratio: processorMicroseconds === null || least === null ? null : round(processorMicroseconds / least, 2),
    bare: { messages_per_second: round(bare.answered / bare.seconds, 1), ...effortFigures(bare) },
  };
}

/** How many times as much processor time of the service and its database a message takes; medians of the rounds. */
function costRatio(rounds: readonly Round[], others: readonly Round[]): number | null {
  const costsOf = (all: readonly Round[]) => all.flatMap(({ busy }) => withDatabase(busy) ?? []);
  const [costs, otherCosts] = [costsOf(rounds), costsOf(others)];
  return costs.length === 0 || otherCosts.length === 0 ? null : round(median(costs) / median(otherCosts), 3);
}

function rounded(figure: number | null): number | null {
  return figure === null ? null : round(figure);
}

/** Processor time of a message in the service and its database, microseconds; null where the system does not tell. */
function withDatabase({ processorMicroseconds, processorOf }: LoadResult): number | null {
  return processorMicroseconds === null ? null : processorMicroseconds + (processorOf.database ?? 0);
}

/** The median of each figure. */
function medians(rounds: readonly Figures[]): Figures {
  const [first = {}] = rounds;
  const entries = Object.entries(first).map(([name, figure]) => {
    const all = rounds.map((one) => one[name]);
    if (typeof figure === 'number') return [name, round(median(all.filter((one) => typeof one === 'number')), 2)];
    const isGroup = typeof figure === 'object' && figure !== null && !Array.isArray(figure);
    return [name, isGroup ? medians(all as Figures[]) : figure];
  });
  return Object.fromEntries(entries) as Figures;
}

/** The figures of the other tree, and how many times as much this one has. */
function comparison(here: Figures, there: Figures): Figures {
  const entries = Object.entries(there).flatMap(([name, other]) => {
    const own = here[name];
    if (typeof own !== 'number' || typeof other !== 'number') return [];
    return [[name, { other_tree: other, ratio: other === 0 ? null : round(own / other, 3) }]];
  });
  return Object.fromEntries(entries) as Figures;
}
