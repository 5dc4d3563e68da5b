import type { MessageElement, ModelCall, ParleyError, Runner, RunnerDelta, RunnerRequest } from '@parley/sdk';
import { type FakeRunnerContextOptions, fakeRunnerContext, pipelineMessage } from '@parley/sdk/testing';

/** What a runner answered, taken apart. */
export interface Answered {
  deltas: RunnerDelta[];
  text: string;
  reasoning: string;
  attachments: MessageElement[];
  calls: ModelCall[];
  tools: string[];
  /** What it threw; undefined when it did not. */
  error: ParleyError | undefined;
}

export interface Question extends Partial<RunnerRequest> {
  context?: FakeRunnerContextOptions;
  /** Told of each delta as it comes. */
  watch?: (delta: RunnerDelta) => unknown;
}

/** Asks a runner and reads all of its answer. */
export async function askRunner(runner: Runner, { context = {}, watch, ...over }: Question): Promise<Answered> {
  const text = over.text ?? 'Hi';
  const request: RunnerRequest = {
    config: {},
    message: pipelineMessage(),
    history: [],
    text,
    message_chain: [{ type: 'Plain', text }],
    variables: {},
    signal: new AbortController().signal,
    ...over,
  };
  const deltas: RunnerDelta[] = [];
  let error: ParleyError | undefined;
  try {
    for await (const delta of runner.answer(request, fakeRunnerContext(context))) {
      watch?.(delta);
      deltas.push(delta);
    }
  } catch (thrown) {
    error = thrown as ParleyError;
  }
  return {
    deltas,
    text: deltas.map((delta) => (delta.type === 'text' ? delta.text : '')).join(''),
    reasoning: deltas.map((delta) => (delta.type === 'reasoning' ? delta.text : '')).join(''),
    attachments: deltas.flatMap((delta) => (delta.type === 'attachment' ? delta.element : [])),
    calls: deltas.flatMap((delta) => (delta.type === 'model_call' ? delta.call : [])),
    tools: deltas.flatMap((delta) => (delta.type === 'tool_call' ? delta.name : [])),
    error,
  };
}
