import type { ModelCall, RunnerContext, RunnerDelta, RunnerRequest } from '@parley/sdk';
import { readConfig } from '@parley/sdk';
import { type FakeRunnerContextOptions, fakeRunnerContext, pipelineMessage } from '@parley/sdk/testing';
import { type LocalAgentConfig, localAgentConfig } from '../config.ts';
import { createLocalAgent, type LocalAgentOptions } from '../index.ts';

/** The deltas of an answer by type. */
export interface Answered {
  deltas: RunnerDelta[];
  text: string;
  calls: ModelCall[];
  tools: string[];
  /** The error, if any. */
  error: unknown;
}

export interface Question extends Partial<RunnerRequest> {
  context?: RunnerContext | FakeRunnerContextOptions;
  agent?: Partial<LocalAgentOptions>;
  /** Called with each delta. */
  watch?: (delta: RunnerDelta) => unknown;
}

/** Calls an agent with short retry pauses and reads the complete answer. */
export async function askAgent({ context = {}, agent = {}, watch, ...over }: Question = {}): Promise<Answered> {
  const text = over.text ?? 'Hi';
  const runner = createLocalAgent({ maximumRetries: 0, silenceTimeoutMs: 10_000, retryPauseMs: 1, ...agent });
  const config: LocalAgentConfig = readConfig(localAgentConfig, {
    model: { primary: 'first', fallbacks: [] },
    prompt: [],
    ...over.config,
  });
  const request: RunnerRequest<LocalAgentConfig> = {
    prompt: runner.prompt?.(config) ?? [],
    message: pipelineMessage(),
    history: [],
    text,
    message_chain: [{ type: 'Plain', text }],
    variables: {},
    signal: new AbortController().signal,
    knowledge_bases: [],
    ...over,
    config,
  };
  const deltas: RunnerDelta[] = [];
  let error: unknown;
  try {
    for await (const delta of runner.answer(request, fakeRunnerContext(context))) {
      watch?.(delta);
      deltas.push(delta);
    }
  } catch (thrown) {
    error = thrown;
  }
  return {
    deltas,
    text: deltas.map((delta) => (delta.type === 'text' ? delta.text : '')).join(''),
    calls: deltas.flatMap((delta) => (delta.type === 'model_call' ? delta.call : [])),
    tools: deltas.flatMap((delta) => (delta.type === 'tool_call' ? delta.name : [])),
    error,
  };
}
