import { setTimeout as delay } from 'node:timers/promises';
import type { EchoModel } from '../fakes/echo-model.ts';
import type { AnswerTimes } from '../fakes/echo-model-program.ts';
import { type Messenger, type Question, questionText } from '../fakes/messenger.ts';
import type { Measurements, StorageCounts } from '../service/measurements.ts';
import type { Figures } from './benchmark.ts';
import { openLoop } from './open-loop.ts';
import { familySeconds, processorSeconds, threadSeconds } from './process-usage.ts';
import type { ServerProcess } from './server-process.ts';
import { percentile, round } from './statistics.ts';

export interface ConversationLoad {
  /** Beginning of the ids of the questions; no other load of the same messenger has it. */
  name: string;
  /** Questions a second, over all conversations. */
  rate: number;
  seconds: number;
  /** They take turns. */
  conversations: number;
  /** How long to wait for answers after the last question, seconds. */
  patience: number;
  /** The database server, whose processor time is measured with that of the service. */
  databasePid?: number | null;
}

/** What people waited for, milliseconds each, counted from when a question was due. */
export interface LoadResult {
  asked: number;
  answered: number;
  /** Messages that arrived in answer. */
  sent: number;
  /** Until the platform was told that the service has it. */
  ingest: number[];
  /** Until the service had asked the model. */
  untilModel: number[];
  /** From the end of the model's answer until it was on the platform. */
  afterModel: number[];
  /** Until the answer was on the platform. */
  answer: number[];
  /** From the first question to the last answer. */
  seconds: number;
  /** Processor time of the service for each question, microseconds; null where the system does not tell. */
  processorMicroseconds: number | null;
  /** The same of each thread of the service by its name, of the database server, of the model, and of this process. */
  processorOf: Record<string, number>;
  /** Work of the storage for all questions; null when the program does not count it. */
  storage: StorageCounts | null;
  eventLoop: Measurements;
}

/** Has people write at a steady rate, in conversations that take turns, and waits for the answers. */
export async function runLoad(
  service: Pick<ServerProcess, 'pid' | 'ask'>,
  messenger: Messenger,
  model: EchoModel,
  { name, rate, seconds, conversations, patience, databasePid = null }: ConversationLoad,
): Promise<LoadResult> {
  await service.ask('reset');
  const pids = { service: service.pid, database: databasePid, model: model.pid };
  const before = processorNow(pids);
  const answeredBefore = messenger.answered();
  const begun = performance.now();
  const asked = await openLoop({ rate, seconds }, (index, due) => {
    const id = `${name}-${index}`;
    messenger.say({ id, conversation: `${name}-${index % conversations}`, text: questionText(id), due });
  });
  const eventLoop = (await service.ask('read')) as LoadResult['eventLoop'];
  const deadline = performance.now() + patience * 1000;
  while (messenger.answered() - answeredBefore < asked && performance.now() < deadline) await delay(20);
  const perQuestion = perQuestionSince(before, processorNow(pids), asked);
  const counts = (await service.ask('counts')) as StorageCounts | Measurements;
  const questions = messenger.questions().filter(({ id }) => id.startsWith(`${name}-`));
  return {
    ...waits(questions, await model.times(`${name}-`)),
    asked,
    seconds: (lastArrival(questions, begun) - begun) / 1000,
    processorMicroseconds: perQuestion.service ?? null,
    processorOf: perQuestion,
    // Programs of former versions do not count.
    storage: 'commits' in counts ? counts : null,
    eventLoop,
  };
}

interface Pids {
  service: number;
  database: number | null;
  model: number;
}

/** Processor time so far, seconds; without what the system does not tell. */
function processorNow({ service, database, model }: Pids): Record<string, number> {
  const threads = Object.entries(threadSeconds(service)).map(([name, seconds]) => [`service_thread_${name}`, seconds]);
  const own = process.cpuUsage();
  const processes = {
    service: processorSeconds(service),
    database: database === null ? null : familySeconds(database),
    model: processorSeconds(model),
    // Users and the platform they write on.
    messenger: (own.user + own.system) / 1e6,
  };
  const known = Object.entries(processes).filter(([, seconds]) => seconds !== null);
  return Object.fromEntries([...known, ...threads]);
}

/** Microseconds for each question. Threads that ended since are left out. */
function perQuestionSince(
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
  asked: number,
): Record<string, number> {
  const differences = Object.entries(after).map(([name, seconds]) => [
    name,
    ((seconds - (before[name] ?? 0)) / asked) * 1e6,
  ]);
  return Object.fromEntries(differences);
}

function waits(questions: readonly Question[], modelTimes: ReadonlyMap<string, AnswerTimes>) {
  const ingest: number[] = [];
  const untilModel: number[] = [];
  const afterModel: number[] = [];
  const answer: number[] = [];
  let sent = 0;
  for (const { id, due, acknowledgedAt, answers } of questions) {
    sent += answers.length;
    if (acknowledgedAt !== null) ingest.push(acknowledgedAt - due);
    const times = modelTimes.get(id);
    if (times !== undefined) untilModel.push(times.askedAt - due);
    const [first] = answers;
    if (first === undefined) continue;
    answer.push(first.at - due);
    if (times?.writtenAt != null) afterModel.push(first.at - times.writtenAt);
  }
  return { answered: answer.length, sent, ingest, untilModel, afterModel, answer };
}

function lastArrival(questions: readonly Question[], earliest: number): number {
  return questions.reduce((latest, { answers }) => Math.max(latest, answers[0]?.at ?? earliest), earliest);
}

/** Half and all but one of a hundred of these waits were not longer; null when there were none. */
export function waitFigures(name: string, waits: readonly number[]): Record<string, number | null> {
  return {
    [`${name}_p50_ms`]: waits.length === 0 ? null : round(percentile(waits, 0.5), 1),
    [`${name}_p99_ms`]: waits.length === 0 ? null : round(percentile(waits, 0.99), 1),
  };
}

/** How busy the service was, and what it did for each message. */
export function effortFigures({ processorMicroseconds, processorOf, storage, asked, eventLoop }: LoadResult): Figures {
  const { service: _, ...others } = processorOf;
  const each = (count: number | undefined) => (count === undefined ? null : round(count / asked, 2));
  return {
    processor_us_per_message: processorMicroseconds === null ? null : round(processorMicroseconds),
    processor_us_per_message_of: Object.fromEntries(
      Object.entries(others).map(([name, microseconds]) => [name, round(microseconds)]),
    ),
    statements_per_message: each(storage?.statements),
    round_trips_per_message: each(storage?.roundTrips),
    transactions_per_message: each(storage?.transactions),
    commits_per_message: each(storage?.commits),
    transactions_per_commit: storage ? round(storage.transactions / Math.max(1, storage.commits), 1) : null,
    event_loop_delay_p99_ms: round(eventLoop.event_loop_delay_p99_ms, 1),
    event_loop_delay_most_ms: round(eventLoop.event_loop_delay_most_ms, 1),
    event_loop_busy: round(eventLoop.event_loop_busy, 2),
  };
}
