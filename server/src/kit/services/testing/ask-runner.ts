import type { MessageElement, ModelCall, ParleyError, Runner, RunnerDelta, RunnerRequest } from '@parley/sdk';
import { readConfig } from '@parley/sdk';
import { type FakeRunnerContextOptions, fakeRunnerContext, pipelineMessage } from '@parley/sdk/testing';

/** The deltas of an answer by type. */
export interface Answered {
  deltas: RunnerDelta[];
  text: string;
  reasoning: string;
  attachments: MessageElement[];
  calls: ModelCall[];
  tools: string[];
  /** The error, if any. */
  error: ParleyError | undefined;
}

export interface Question extends Partial<RunnerRequest> {
  context?: FakeRunnerContextOptions;
  /** Called with each delta. */
  watch?: (delta: RunnerDelta) => unknown;
}

/** Calls a runner and reads the complete answer. */
export async function askRunner(runner: Runner, { context = {}, watch, ...over }: Question): Promise<Answered> {
  const text = over.text ?? 'Hi';
  const config = runner.config === undefined ? {} : readConfig(runner.config, over.config);
  const request: RunnerRequest = {
    prompt: runner.prompt?.(config) ?? [],
    knowledge_bases: [],
    message: pipelineMessage(),
    history: [],
    text,
    message_chain: [{ type: 'Plain', text }],
    variables: {},
    signal: new AbortController().signal,
    ...over,
    config,
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
