import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type LedgerRow, readLedger } from '../../server/test/long/ledger.ts';
import type { EchoModelPace } from '../fakes/echo-model-program.ts';
import { type LineMessenger, startLineMessenger } from '../fakes/line-messenger.ts';
import { questionText } from '../fakes/messenger.ts';
import { botsConnected, type Engine, type Installation, withInstallation } from '../lib/installation.ts';
import { openLoop } from '../lib/open-loop.ts';
import type { LaunchedServer } from '../lib/server-process.ts';
import { withFolder } from '../lib/service-process.ts';
import { readSets } from '../service/stored-sets.ts';
import { judge, type Verdict } from './verdict.ts';

export interface CrashOptions {
  engine: Engine;
  kills: number;
  /** Conversations, half of them on each platform. */
  conversations: number;
  /** Maximum rate of questions on both platforms together, per second, while there are kills to come. */
  rate: number;
  /** Timeout for the service to finish everything after the last kill, seconds. */
  patience: number;
  /** Maximum time from connected bots to the kill, milliseconds. */
  longestLife: number;
  /** URL of an existing PostgreSQL server. */
  postgresUrl?: string;
  /** Receives log lines. */
  log?: (line: string) => void;
}

/** A kill between the commit of a set and the results of its operations. */
export interface KillAfterCommit {
  /** In the set; on PostgreSQL at least so many. */
  operations: number;
  /** Questions that were stored then, and not acknowledged to their platform. */
  unacknowledged: number;
}

export interface CrashResult {
  kills: number;
  /** Kills of a service that was still starting. */
  killsAtStart: number;
  killsAfterCommit: KillAfterCommit[];
  /** Operations in the last set that was stored before each kill, of those services that stored any. */
  lastSets: number[];
  /** A platform that drops messages with known tokens. */
  withTokens: Verdict & { repeats_dropped: number };
  /** A platform without tokens. */
  withoutTokens: Verdict;
  /** Model calls. More than one per question means that answers were generated again. */
  modelRequests: number;
  /** From the last start until everything was finished. */
  drainSeconds: number;
}

/**
 * Kinds of kills, in turns. `sending`: when a message arrived on a platform, before the service receives the
 * confirmation. `any`: a random time after its bots were connected. `committed`: a set of many operations is committed,
 * and none of them has received its result. `starting`: mostly before it is ready.
 */
const timestamps = ['sending', 'any', 'committed', 'starting', 'any'] as const;
/** Typical duration of a start, milliseconds. */
const defaultStart = 800;
/** Timeout for a message to arrive before the service is killed anyway, milliseconds. */
const longestWait = 30_000;
/** Maximum number of messages that arrive before a `sending` kill. */
const longestFlow = 200;
/**
 * Maximum number of pending questions, for each conversation: enough for large sets, few enough for the service to finish.
 */
const maximumPending = 10;
/** Questions that are sent at once. */
const burst = 20;

const between = (least: number, most: number) => least + Math.random() * (most - least);

/** A slow model, so that answers are in progress at every kill. */
const pace: EchoModelPace = { before: [5, 60], between: [1, 8] };

/**
 * Kills the service at random times under a steady load on two platforms, restarts it each time, and finally compares
 * the messages on the platforms with the ledger.
 * @throws Error if the service ends by itself or does not start
 */
export async function runCrash(options: CrashOptions): Promise<CrashResult> {
  const confirmAfter = () => between(1, 30);
  const withTokens = await startLineMessenger({ honoursTokens: true, confirmAfter });
  const withoutTokens = await startLineMessenger({ honoursTokens: false, confirmAfter });
  const messengers = [withTokens, withoutTokens] as const;
  const { engine, postgresUrl } = options;
  try {
    return await withInstallation(
      { engine, messengers, pace, ...(postgresUrl === undefined ? {} : { postgresUrl }) },
      async (installation) => {
        const end = new AbortController();
        const sendBurst = burstsOf(messengers, options);
        const load = askUntil(end.signal, sendBurst, messengers, options);
        const { kills, ...counts } = await killAll(installation, sendBurst, messengers, options);
        end.abort();
        await load;
        const { ledger, drainSeconds } = await drain(installation, messengers, options);
        const verdictOf = (messenger: LineMessenger): Verdict => {
          const questions = messenger.questions();
          const ids = new Set(questions.map(({ id }) => id));
          return judge({
            questions,
            ledger: ledger.filter(({ platform_message_id }) => ids.has(platform_message_id)),
            kills,
            reordered: messenger.reordered,
            strangers: messenger.strangers.length,
          });
        };
        return {
          kills: kills.length,
          ...counts,
          withTokens: { ...verdictOf(withTokens), repeats_dropped: withTokens.repeatsDropped },
          withoutTokens: verdictOf(withoutTokens),
          modelRequests: await installation.model.requests(),
          drainSeconds,
        };
      },
    );
  } finally {
    for (const messenger of messengers) await messenger.close();
  }
}

/** @returns a function that sends some questions at once, each in a random conversation, which may have pending ones */
function burstsOf(messengers: readonly LineMessenger[], { conversations }: CrashOptions): (due: number) => void {
  let last = 0;
  return (due) => {
    for (let index = 0; index < burst; index += 1) {
      const messenger = messengers[index % messengers.length] as LineMessenger;
      const id = `crash-${++last}`;
      const conversation = `person-${Math.floor((Math.random() * conversations) / messengers.length)}`;
      messenger.say({ id, conversation, text: questionText(id), due });
    }
  };
}

/**
 * Sends bursts of questions. The more are pending, the fewer there are; some are even while the service answers none, so
 * that there are questions among the operations of its sets at any time.
 */
async function askUntil(
  signal: AbortSignal,
  sendBurst: (due: number) => void,
  messengers: readonly LineMessenger[],
  { rate, conversations }: CrashOptions,
): Promise<void> {
  await openLoop({ rate: rate / burst, seconds: Number.MAX_SAFE_INTEGER, signal }, (_, due) => {
    const pending = sum(messengers.map((messenger) => messenger.pending));
    if (Math.random() >= pending / (conversations * maximumPending)) sendBurst(due);
  });
}

type Kills = Pick<CrashResult, 'killsAtStart' | 'killsAfterCommit' | 'lastSets'> & { kills: number[] };

function killAll(
  installation: Installation,
  sendBurst: (due: number) => void,
  messengers: readonly LineMessenger[],
  { kills: total, longestLife, log }: CrashOptions,
): Promise<Kills> {
  return withFolder(async (folder) => {
    const result: Kills = { kills: [], killsAtStart: 0, killsAfterCommit: [], lastSets: [] };
    const { kills } = result;
    while (kills.length < total) {
      const setsFile = join(folder, `sets-${kills.length}`);
      const service = installation.launch({ BENCHMARK_SETS_FILE: setsFile });
      const timestamp = timestamps[kills.length % timestamps.length];
      if (timestamp === 'starting') {
        await live(service, between(0, defaultStart));
        result.killsAtStart += 1;
      } else {
        await botsConnected(service, installation);
        if (timestamp === 'sending') {
          await Promise.race([arrivals(messengers, between(1, longestFlow)), live(service, longestWait)]);
        } else {
          await live(service, between(0, longestLife));
        }
        if (timestamp === 'committed') {
          // The set is to have questions in it that their platform delivers again.
          sendBurst(performance.now());
          await diesAfterCommit(service);
        }
      }
      kills.push(performance.now());
      await service.kill();
      const last = readSets(setsFile).at(-1);
      await Promise.all(messengers.map((messenger) => messenger.disconnected()));
      if (last !== undefined) result.lastSets.push(last.operations);
      if (last?.killed === true) {
        const unacknowledged = storedUnacknowledged(await readLedger(installation.place), messengers);
        result.killsAfterCommit.push({ operations: last.operations, unacknowledged });
      }
      if (kills.length % 10 === 0) {
        const [asked, answered] = totals(messengers);
        log?.(`${kills.length} kills: ${asked} asked, ${answered} answered`);
      }
    }
    return result;
  });
}

/**
 * Lets the service kill itself, see `recordSets`. One that stores no such set in time is left as it is.
 * @throws Error if the service ends in another way
 */
async function diesAfterCommit(service: LaunchedServer): Promise<void> {
  await service.ask('kill-after-commit');
  const end = new AbortController();
  const exit = await Promise.race([service.ended, delay(longestWait, null, { signal: end.signal })]);
  end.abort();
  if (exit !== null && exit.signal !== 'SIGKILL') throw new Error(`The service ended by itself:\n${service.output()}`);
}

async function arrivals(messengers: readonly LineMessenger[], count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await Promise.race(messengers.map((messenger) => messenger.nextArrival()));
  }
}

/** @throws Error if the service ends by itself meanwhile */
async function live(service: LaunchedServer, milliseconds: number): Promise<void> {
  const end = new AbortController();
  const ended = service.ended.then(() => 'ended');
  const lived = await Promise.race([ended, delay(milliseconds, 'lived', { signal: end.signal })]);
  end.abort();
  if (lived === 'ended') throw new Error(`The service ended by itself:\n${service.output()}`);
}

/** Lets the service finish, and stops it gracefully. */
async function drain(
  installation: Installation,
  messengers: readonly LineMessenger[],
  { patience, log }: CrashOptions,
): Promise<{ ledger: LedgerRow[]; drainSeconds: number }> {
  const { launch, place } = installation;
  const service = launch();
  await botsConnected(service, installation);
  const deadline = performance.now() + patience * 1000;
  let ledger = await readLedger(place);
  while (!isAtRest(ledger, totals(messengers)[0])) {
    if (performance.now() > deadline) {
      log?.(`not at rest after ${patience} s:\n${service.output()}`);
      break;
    }
    await live(service, 1000);
    ledger = await readLedger(place);
  }
  const drainSeconds = (performance.now() - service.startedAt) / 1000;
  await service.stop();
  return { ledger: await readLedger(place), drainSeconds };
}

function isAtRest(ledger: readonly LedgerRow[], asked: number): boolean {
  const open = ledger.some(({ state }) => state === 'received' || state === 'processing');
  return !open && new Set(ledger.map(({ platform_message_id }) => platform_message_id)).size >= asked;
}

function storedUnacknowledged(ledger: readonly LedgerRow[], messengers: readonly LineMessenger[]): number {
  const stored = new Set(ledger.map(({ platform_message_id }) => platform_message_id));
  const questions = messengers.flatMap((messenger) => messenger.questions());
  return questions.filter(({ id, acknowledgedAt }) => acknowledgedAt === null && stored.has(id)).length;
}

function totals(messengers: readonly LineMessenger[]): [asked: number, answered: number] {
  return [
    sum(messengers.map((messenger) => messenger.asked())),
    sum(messengers.map((messenger) => messenger.answered())),
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((left, right) => left + right, 0);
}
