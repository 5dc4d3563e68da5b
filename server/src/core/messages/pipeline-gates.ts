import {
  type AnswerFilter,
  type MessageChain,
  ParleyError,
  type PipelineMessage,
  type Stage,
  type StageContext,
  type Verdict,
} from '@parley/sdk';
import type { Finding, PipelineTrace } from './pipeline-trace.ts';

/** How the stages before the answer left a message. */
export type Checked =
  | { outcome: 'pass'; message: PipelineMessage; merged: string[] }
  | { outcome: 'stop'; verdict: Extract<Verdict, { outcome: 'stop' }>; merged: string[] }
  | { outcome: 'wait'; verdict: Extract<Verdict, { outcome: 'wait' }> };

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
    const verdict = await trace.step(stage.name, () => guarded(stage, () => check(current, own)), findingOf);
    if (verdict.outcome === 'wait') return { outcome: 'wait', verdict };
    if (verdict.outcome === 'stop') return { outcome: 'stop', verdict, merged };
    if (verdict.outcome === 'merge') merged.push(...verdict.merged);
    if (verdict.message_chain !== undefined) current = { ...current, message_chain: verdict.message_chain };
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
      ({ reason, details }): Finding =>
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

function findingOf(verdict: Verdict): Finding {
  const details = verdict.details ?? {};
  switch (verdict.outcome) {
    case 'pass':
      return verdict.reason === undefined ? { outcome: 'passed', details } : changed(verdict.reason, details);
    case 'merge':
      return { outcome: 'merged', reason: 'merged', details: { messages: verdict.merged.length, ...details } };
    case 'stop':
      return { outcome: 'stopped', reason: verdict.reason, details };
    case 'wait':
      return { outcome: 'waited', reason: verdict.reason, details: { until: verdict.until, ...details } };
  }
}

function changed(reason: NonNullable<Finding['reason']>, details: Finding['details'] = {}): Finding {
  return { outcome: 'changed', reason, details };
}
