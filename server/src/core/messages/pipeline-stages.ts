import {
  type AnswerFilter,
  type MessageChain,
  ParleyError,
  type PipelineMessage,
  type Stage,
  type StageContext,
  type StageOutcome,
} from '@parley/sdk';
import type { PipelineTrace, StepOutcome } from './pipeline-trace.ts';

/** How the stages before the answer left a message. */
export type Checked =
  | { outcome: 'pass'; message: PipelineMessage; merged: string[] }
  | (Extract<StageOutcome, { outcome: 'stop' }> & { merged: string[] })
  | Extract<StageOutcome, { outcome: 'wait' }>;

/** A filter of an answer, and the stage that it is of. */
export interface NamedFilter extends AnswerFilter {
  stage: string;
}

/**
 * Runs the stages on a message before it is answered, in their order.
 * @throws ParleyError `stage_failed` when a stage throws another error
 */
export async function checkMessage(
  stages: readonly Stage[],
  message: PipelineMessage,
  context: (stage: Stage) => StageContext,
  trace: PipelineTrace,
): Promise<Checked> {
  let current = message;
  const merged: string[] = [];
  for (const stage of stages) {
    if (stage.check === undefined) continue;
    const check = stage.check.bind(stage);
    const own = context(stage);
    const result = await trace.step(stage.name, () => guarded(stage, () => check(current, own)), stepOutcome);
    if (result.outcome === 'wait') return result;
    if (result.outcome === 'stop') return { ...result, merged };
    if (result.outcome === 'merge') merged.push(...result.merged);
    if (result.message_chain !== undefined) current = { ...current, message_chain: result.message_chain };
  }
  return { outcome: 'pass', message: current, merged };
}

/** Applies the stages to the answer to a message, in their order. */
export async function answerFilters(
  stages: readonly Stage[],
  message: PipelineMessage,
  context: (stage: Stage) => StageContext,
): Promise<NamedFilter[]> {
  const filters: NamedFilter[] = [];
  for (const stage of stages) {
    if (stage.answer === undefined) continue;
    const answer = stage.answer.bind(stage);
    const filter = await guarded(stage, () => answer(message, context(stage)));
    if (filter !== null) filters.push(Object.assign(filter, { stage: stage.name }));
  }
  return filters;
}

/** The part of a streamed answer that may be shown. */
export function shownPart(filters: readonly NamedFilter[], chain: MessageChain): MessageChain {
  let shown = chain;
  for (const filter of filters) shown = filter.show?.(shown) ?? shown;
  return shown;
}

/**
 * The complete answer as it will be sent: one chain per platform message.
 * @throws ParleyError `stage_failed`; nothing of the answer may be sent then
 */
export async function finishedAnswer(
  filters: readonly NamedFilter[],
  chain: MessageChain,
  trace: PipelineTrace,
): Promise<MessageChain[]> {
  let messages: MessageChain[] = [chain];
  for (const filter of filters) {
    if (filter.finish === undefined) continue;
    const finish = filter.finish.bind(filter);
    const change = await trace.step(
      filter.stage,
      () => guarded({ name: filter.stage }, () => finish(messages)),
      ({ reason, details }): StepOutcome =>
        reason === undefined ? { outcome: 'passed', ...(details ? { details } : {}) } : changed(reason, details),
    );
    messages = change.messages;
  }
  return messages.filter((message) => message.length > 0);
}

/** Wraps unexpected errors of a stage as its failure; ParleyErrors pass unchanged. */
async function guarded<Result>({ name }: Pick<Stage, 'name'>, run: () => Promise<Result> | Result): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ParleyError) throw error;
    throw new ParleyError('stage_failed', `The stage ${name} failed`, { cause: error });
  }
}

function stepOutcome(result: StageOutcome): StepOutcome {
  const details = result.details ?? {};
  switch (result.outcome) {
    case 'pass':
      return result.reason === undefined ? { outcome: 'passed', details } : changed(result.reason, details);
    case 'merge':
      return { outcome: 'merged', reason: 'merged', details: { messages: result.merged.length, ...details } };
    case 'stop':
      return { outcome: 'stopped', reason: result.reason, details };
    case 'wait':
      return { outcome: 'waited', reason: result.reason, details: { until: result.until, ...details } };
  }
}

function changed(reason: NonNullable<StepOutcome['reason']>, details: StepOutcome['details'] = {}): StepOutcome {
  return { outcome: 'changed', reason, details };
}
