import { setTimeout as delay } from 'node:timers/promises';
import { type LedgerRow, readLedger } from '../../server/test/long/ledger.ts';
import type { EchoModelPace } from '../fakes/echo-model-program.ts';
import { type LineMessenger, startLineMessenger } from '../fakes/line-messenger.ts';
import { questionText } from '../fakes/messenger.ts';
import { botsConnected, type Engine, type Installation, withInstallation } from '../lib/installation.ts';
import { openLoop } from '../lib/open-loop.ts';
import type { LaunchedServer } from '../lib/server-process.ts';
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

export interface CrashResult {
  kills: number;
  /** Kills of a service that was still starting. */
  killsAtStart: number;
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
 * confirmation. `any`: a random time after its bots were connected. `starting`: mostly before it is ready.
 */
const timestamps = ['sending', 'any', 'sending', 'starting', 'any'] as const;
/** Typical duration of a start, milliseconds. */
const defaultStart = 800;
/** Timeout for a message to arrive before the service is killed anyway, milliseconds. */
const longestWait = 30_000;
/** Maximum number of messages that arrive before a `sending` kill. */
const longestFlow = 20;

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
        const load = askUntil(end.signal, messengers, options);
        const { kills, killsAtStart } = await killAll(installation, messengers, options);
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
          killsAtStart,
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

/**
 * Sends questions in random conversations, so that some users write again before they were answered. Pauses at two
 * unanswered questions per conversation, because overloading a slow machine proves nothing.
 */
async function askUntil(
  signal: AbortSignal,
  messengers: readonly LineMessenger[],
  { rate, conversations }: CrashOptions,
): Promise<void> {
  await openLoop({ rate, seconds: Number.MAX_SAFE_INTEGER, signal }, (index, due) => {
    const [asked, answered] = totals(messengers);
    if (asked - answered >= conversations * 2) return;
    const messenger = messengers[index % messengers.length] as LineMessenger;
    const id = `crash-${index}`;
    const conversation = `person-${Math.floor((Math.random() * conversations) / messengers.length)}`;
    messenger.say({ id, conversation, text: questionText(id), due });
  });
}

async function killAll(
  installation: Installation,
  messengers: readonly LineMessenger[],
  { kills: total, longestLife, log }: CrashOptions,
): Promise<{ kills: number[]; killsAtStart: number }> {
  const kills: number[] = [];
  let killsAtStart = 0;
  while (kills.length < total) {
    const service = installation.launch();
    const timestamp = timestamps[kills.length % timestamps.length];
    if (timestamp === 'starting') {
      await live(service, between(0, defaultStart));
      killsAtStart += 1;
    } else {
      await botsConnected(service, installation);
      if (timestamp === 'any') await live(service, between(0, longestLife));
      else await Promise.race([arrivals(messengers, between(1, longestFlow)), live(service, longestWait)]);
    }
    kills.push(performance.now());
    await service.kill();
    await Promise.all(messengers.map((messenger) => messenger.disconnected()));
    if (kills.length % 10 === 0) {
      const [asked, answered] = totals(messengers);
      log?.(`${kills.length} kills: ${asked} asked, ${answered} answered`);
    }
  }
  return { kills, killsAtStart };
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
    await live(service, 250);
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

function totals(messengers: readonly LineMessenger[]): [asked: number, answered: number] {
  const sum = (numbers: number[]) => numbers.reduce((left, right) => left + right, 0);
  return [
    sum(messengers.map((messenger) => messenger.asked())),
    sum(messengers.map((messenger) => messenger.answered())),
  ];
}
