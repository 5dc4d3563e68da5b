import { setTimeout as delay } from 'node:timers/promises';
import type { EchoModel } from '../fakes/echo-model.ts';
import { type Messenger, type Question, questionText } from '../fakes/messenger.ts';
import { openLoop } from './open-loop.ts';
import { processorSeconds } from './process-usage.ts';
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
  eventLoop: { event_loop_delay_p99_ms: number; event_loop_delay_most_ms: number; event_loop_busy: number };
}

/** Has people write at a steady rate, in conversations that take turns, and waits for the answers. */
export async function runLoad(
  service: Pick<ServerProcess, 'pid' | 'ask'>,
  messenger: Messenger,
  model: EchoModel,
  { name, rate, seconds, conversations, patience }: ConversationLoad,
): Promise<LoadResult> {
  await service.ask('reset');
  const processorBefore = processorSeconds(service.pid);
  const answeredBefore = messenger.answered();
  const begun = performance.now();
  const asked = await openLoop({ rate, seconds }, (index, due) => {
    const id = `${name}-${index}`;
    messenger.say({ id, conversation: `${name}-${index % conversations}`, text: questionText(id), due });
  });
  const eventLoop = (await service.ask('read')) as LoadResult['eventLoop'];
  const deadline = performance.now() + patience * 1000;
  while (messenger.answered() - answeredBefore < asked && performance.now() < deadline) await delay(20);
  const processorAfter = processorSeconds(service.pid);
  const questions = messenger.questions().filter(({ id }) => id.startsWith(`${name}-`));
  return {
    ...waits(questions, model),
    asked,
    seconds: (lastArrival(questions, begun) - begun) / 1000,
    processorMicroseconds:
      processorBefore === null || processorAfter === null ? null : ((processorAfter - processorBefore) / asked) * 1e6,
    eventLoop,
  };
}

function waits(questions: readonly Question[], model: EchoModel) {
  const ingest: number[] = [];
  const untilModel: number[] = [];
  const afterModel: number[] = [];
  const answer: number[] = [];
  let sent = 0;
  for (const { id, due, acknowledgedAt, answers } of questions) {
    sent += answers.length;
    if (acknowledgedAt !== null) ingest.push(acknowledgedAt - due);
    const times = model.timesOf(id);
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

/** How busy the service was. */
export function effortFigures({ processorMicroseconds, eventLoop }: LoadResult): Record<string, number | null> {
  return {
    processor_us_per_message: processorMicroseconds === null ? null : round(processorMicroseconds),
    event_loop_delay_p99_ms: round(eventLoop.event_loop_delay_p99_ms, 1),
    event_loop_delay_most_ms: round(eventLoop.event_loop_delay_most_ms, 1),
    event_loop_busy: round(eventLoop.event_loop_busy, 2),
  };
}
