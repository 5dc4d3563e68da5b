import {
  type OpenedModel,
  ParleyError,
  providerError,
  type Runner,
  type RunnerContext,
  type RunnerDelta,
  type RunnerRequest,
} from '@parley/sdk';
import { parseLocalAgentConfig } from './config.ts';
import { streamAnswer } from './stream-answer.ts';

export interface LocalAgentOptions {
  /** Longest silence of a model, before its first word and between two, milliseconds. */
  silenceTimeoutMs: number;
  /** How often the last model is asked again after a failure that may pass. */
  maximumRetries: number;
}

const defaults: LocalAgentOptions = { silenceTimeoutMs: 120_000, maximumRetries: 1 };

/**
 * Makes the runner that asks a model directly: the first one, and the next of its list while nothing of an answer was
 * given yet.
 */
export function createLocalAgent(options: Partial<LocalAgentOptions> = {}): Runner {
  const settings = { ...defaults, ...options };
  return {
    name: 'local-agent',
    label: { en_US: 'Local Agent', zh_Hans: '内置 Agent' },
    answer: (request, context) => answer(request, context, settings),
  };
}

/** The runner with its usual patience. */
export const localAgent: Runner = createLocalAgent();

async function* answer(
  request: RunnerRequest,
  context: RunnerContext,
  { silenceTimeoutMs, maximumRetries }: LocalAgentOptions,
): AsyncGenerator<RunnerDelta> {
  request.signal.throwIfAborted();
  const { models, prompt } = parseLocalAgentConfig(request.config);
  if (models.length === 0) throw new ParleyError('model_not_configured', 'The pipeline names no model.');
  const messages = [
    ...prompt,
    ...request.history.map(({ role, text }) => ({ role, content: text })),
    { role: 'user' as const, content: request.text },
  ];

  let firstError: ParleyError | undefined;
  for (const [index, uuid] of models.entries()) {
    const isLast = index === models.length - 1;
    let answered = false;
    try {
      const opened: OpenedModel = await context.openModel(uuid);
      request.signal.throwIfAborted();
      // Another model answers sooner than the same one after a pause.
      const maxRetries = isLast ? maximumRetries : 0;
      for await (const delta of streamAnswer(opened, messages, {
        signal: request.signal,
        silenceTimeoutMs,
        maxRetries,
      })) {
        if (delta.type === 'text') answered = true;
        yield delta;
      }
      return;
    } catch (thrown) {
      if (request.signal.aborted) throw reasonOf(request.signal);
      const error = providerError(thrown);
      firstError ??= error;
      if (answered) throw error;
      if (!isLast)
        context.logger.warn({ model_uuid: uuid, reason: error.reason }, 'a model failed, trying the next one');
    }
  }
  // What the model of choice says is what an operator has to mend; the rest was logged.
  throw firstError;
}

/** Why the answer was given up: a time limit of the caller is named as such, any other reason is passed on as it is. */
function reasonOf(signal: AbortSignal): unknown {
  const isTimeout = signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError';
  return isTimeout ? new ParleyError('provider_timeout', 'The answer took too long.') : signal.reason;
}
