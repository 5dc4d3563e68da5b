import {
  type MessageElement,
  ParleyError,
  type Runner,
  type RunnerContext,
  type RunnerDelta,
  type RunnerRequest,
} from '@parley/sdk';
import { followSignals } from '../../lib/follow-signals.ts';
import { answer } from './answer.ts';
import { type LocalAgentConfig, localAgentConfig, readLocalAgentSettings } from './config.ts';

export interface LocalAgentOptions {
  /** Longest silence of a model, before its first word and between two, milliseconds. */
  silenceTimeoutMs: number;
  /** How often the last model is retried after a transient failure; any other model, once at most. */
  maximumRetries: number;
  /** Pause before a retry, doubled each time with up to 100 % jitter, milliseconds. */
  retryPauseMs: number;
  /** Longest wait for the knowledge bases, milliseconds. */
  retrievalTimeoutMs: number;
}

const defaults: LocalAgentOptions = {
  silenceTimeoutMs: 120_000,
  maximumRetries: 2,
  retryPauseMs: 400,
  retrievalTimeoutMs: 35_000,
};

/** Attachments of one answer, and characters of their base64 together. */
const maximumAttachments = 10;
const maximumAttachmentCharacters = 28_000_000;

/**
 * Creates the runner that calls models directly: with tools, pictures and passages. Falls back to the next model until
 * an answer has started.
 */
export function createLocalAgent(options: Partial<LocalAgentOptions> = {}): Runner<typeof localAgentConfig> {
  const settings = { ...defaults, ...options };
  return {
    name: 'local-agent',
    label: { en_US: 'Built-in agent', zh_Hans: '内置智能体', ja_JP: '内蔵エージェント' },
    config: localAgentConfig,
    prompt: ({ prompt }) => prompt.filter(({ content }) => content.trim() !== ''),
    answer: (request, context) => limitedAnswer(request, context, settings),
  };
}

/** The runner with default options. */
export const localAgent = createLocalAgent();

async function* limitedAnswer(
  request: RunnerRequest<LocalAgentConfig>,
  context: RunnerContext,
  settings: LocalAgentOptions,
): AsyncGenerator<RunnerDelta> {
  request.signal.throwIfAborted();
  const config = readLocalAgentSettings(request.config, request.knowledge_bases);
  if (config.models.length === 0) throw new ParleyError('model_not_configured', 'The pipeline has no model.');
  const limit = new AbortController();
  const timer = setTimeout(
    () => limit.abort(new ParleyError('time_limit', 'The answer took longer than it may.')),
    config.maximumAnswerSeconds * 1000,
  );
  const { signal, release } = followSignals([request.signal, limit.signal]);
  const attachments = new AttachmentLimit(context);
  try {
    for await (const delta of answer(request, context, config, { ...settings, signal })) {
      if (delta.type !== 'attachment' || attachments.accepts(delta.element)) yield delta;
    }
  } catch (thrown) {
    if (request.signal.aborted) throw reasonOf(request.signal);
    throw signal.aborted ? signal.reason : thrown;
  } finally {
    clearTimeout(timer);
    release();
  }
}

/** Refuses attachments that are too many or too large. */
class AttachmentLimit {
  readonly #context: RunnerContext;
  #count = 0;
  #characters = 0;

  constructor(context: RunnerContext) {
    this.#context = context;
  }

  accepts(element: MessageElement): boolean {
    const { base64 } = element as { base64?: string };
    this.#count += 1;
    this.#characters += base64?.length ?? 0;
    if (this.#count <= maximumAttachments && this.#characters <= maximumAttachmentCharacters) return true;
    const omitted = { count: this.#count, characters: this.#characters };
    this.#context.logger.warn(omitted, 'omitted a file created by a model');
    return false;
  }
}

/** Why the answer was aborted: a timeout of the caller gets its own error, any other reason is passed on. */
function reasonOf(signal: AbortSignal): unknown {
  const isTimeout = signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError';
  return isTimeout ? new ParleyError('provider_timeout', 'The answer took too long.') : signal.reason;
}
