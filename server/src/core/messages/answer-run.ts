import {
  type AllowedTools,
  type ConversationTurn,
  type KnowledgeAnswer,
  type Logger,
  type MessageElement,
  ParleyError,
  type PipelineMessage,
  type PluginEvents,
  type Runner,
  type RunnerContext,
  type RunnerDelta,
  textOfChain,
} from '@parley/sdk';
import type { Registry } from '../../lib/registry.ts';
import { findStorageError, type StorageError } from '../../lib/storage-error.ts';
import type { FetchFor } from '../addresses/fetch-for.ts';
import type { ConversationStore } from '../conversations/conversation-store.ts';
import { countRounds, latestRounds, truncateHistory } from '../conversations/history-limits.ts';
import { runnerMemory } from '../conversations/runner-memory.ts';
import type { MediaReader } from '../files/media-reader.ts';
import type { AttachmentTexts } from '../knowledge/attachment-texts.ts';
import type { CostOf } from '../models/model-price-service.ts';
import type { PipelineConfig } from '../pipelines/pipeline-config.ts';
import type { ToolAccess, ToolPurpose } from '../tools/tool-access.ts';
import type { ToolGateway } from '../tools/tool-gateway.ts';
import type { ConversationMemory } from './conversation-memory.ts';
import { variablesOf } from './message-variables.ts';
import { type PromptParts, preparedPrompt } from './prepared-prompt.ts';

export interface AnswerRunOptions {
  runners: Registry<Runner>;
  /** @param keepsRequests whether the requests of calls can be read */
  openModel: (uuid: string, keepsRequests: boolean) => ReturnType<RunnerContext['openModel']>;
  /** Searches knowledge bases, for a message of a user or group (`person_<id>` or `group_<id>`). */
  retrieve: (
    knowledgeBases: readonly string[],
    question: string,
    options: { signal: AbortSignal; asked_by: { session_id: string; message_uuid: string } },
  ) => Promise<KnowledgeAnswer>;
  tools: ToolGateway;
  /** The tools of extensions that the pipeline of a message allows; for a call, those that it allows now. */
  toolAccess: (message: PipelineMessage, purpose: ToolPurpose) => Promise<ToolAccess>;
  media: MediaReader;
  attachmentTexts: Pick<AttachmentTexts, 'read'>;
  conversations: Pick<ConversationStore, 'runnerState' | 'saveRunnerState'>;
  fetchFor: FetchFor;
  /** Of a pipeline, as {@link FetchFor} takes them. */
  adminAddresses: (message: PipelineMessage) => Promise<readonly string[] | null>;
  /** The cost of calls at present prices. */
  costOf: () => Promise<CostOf>;
  logger: Logger;
}

interface AnswerOptions {
  /** That of the message. */
  claim: number;
  signal: AbortSignal;
  attach: (element: MessageElement) => void;
  withheld: (tools: readonly string[]) => void;
  citationLink?: RunnerContext['citationLink'];
  /** What the platform is called in English. */
  platform?: string;
  /** Whether the requests to models are kept. */
  keepsRequests?: boolean;
  /** Changes the prompt and what belongs to it. */
  prepare?: (event: PluginEvents['prompt']) => Promise<PluginEvents['prompt']>;
}

/** Generates the answer to a message with the runner of its pipeline, and the history. */
export class AnswerRun {
  readonly #memory: Pick<ConversationMemory, 'before' | 'tokensOf'>;
  readonly #options: AnswerRunOptions;

  constructor(memory: Pick<ConversationMemory, 'before' | 'tokensOf'>, options: AnswerRunOptions) {
    this.#memory = memory;
    this.#options = options;
  }

  costOf(): Promise<CostOf> {
    return this.#options.costOf();
  }

  /**
   * @param attach receives attachments from tools
   * @param withheld receives tools that are not offered to the model because of the user
   * @throws ParleyError with the reason the answer failed; StorageError when the runner failed because the store did, or
   *   when the claim of the message turned out to be outdated
   */
  async *write(
    message: PipelineMessage,
    config: PipelineConfig,
    {
      claim,
      signal: stopping,
      attach,
      withheld,
      citationLink,
      platform,
      keepsRequests = false,
      prepare,
    }: AnswerOptions,
  ): AsyncIterable<RunnerDelta> {
    const { name, settings } = config.runner;
    const runner = this.#options.runners.get(name);
    if (runner === undefined || settings === null) {
      throw new ParleyError('runner_not_found', `The pipeline names a runner that is not installed: ${name}`);
    }
    const asked_by = { session_id: `${message.session_type}_${message.session_id}`, message_uuid: message.uuid };
    const storage = new StorageWatch();
    const signal = AbortSignal.any([stopping, storage.outdated]);
    const { uuid, conversation_uuid } = message;
    const memory = runnerMemory(this.#options.conversations, { uuid, claim, conversation_uuid }, name, settings);
    const allowed = this.#options.tools.forMessage(
      { message, claim },
      {
        ...config.shared.tools,
        access: (purpose) => storage.during(() => this.#options.toolAccess(message, purpose)),
        withheld,
      },
      attach,
    );
    const context: Omit<RunnerContext, 'tools'> = {
      openModel: (uuid) => storage.during(() => this.#options.openModel(uuid, keepsRequests)),
      readMedia: (element) => storage.during(() => this.#options.media.read(element, signal)),
      readDocument: (media) => this.#options.attachmentTexts.read(media, signal),
      retrieve: (knowledgeBases, question, signal) =>
        storage.during(() => this.#options.retrieve(knowledgeBases, question, { signal, asked_by })),
      memory: { read: () => storage.during(memory.read), write: (state) => storage.during(() => memory.write(state)) },
      fetch: async (input, init) => {
        const addresses = await storage.during(() => this.#options.adminAddresses(message));
        return this.#options.fetchFor(addresses)(input, init);
      },
      ...(citationLink === undefined ? {} : { citationLink }),
      logger: this.#options.logger,
    };
    const { context: brought } = message;
    const instructions = brought?.instructions ? { instructions: brought.instructions } : {};
    const parts: PromptParts = {
      prompt: runner.prompt?.(settings) ?? [],
      history: await this.#history(message, config),
      knowledge_bases: config.shared.knowledgeBases,
      tools: storage.watching(allowed),
    };
    try {
      const { tools, ...asked } = prepare === undefined ? parts : await preparedPrompt(parts, prepare);
      yield* runner.answer(
        {
          config: settings,
          message,
          ...instructions,
          ...asked,
          text: textOfChain(message.message_chain),
          message_chain: message.message_chain,
          ...(platform === undefined ? {} : { platform }),
          variables: { ...variablesOf(message), ...instructions },
          signal,
        },
        { ...context, tools },
      );
      // The runner may have gone on.
      storage.outdated.throwIfAborted();
    } catch (error) {
      throw stopping.aborted ? error : (storage.failure ?? error);
    }
  }

  async #history(message: PipelineMessage, config: PipelineConfig): Promise<ConversationTurn[]> {
    const { rounds, tokens } = config.shared.history;
    const turns = await this.#memory.before(message, rounds);
    const before = latestRounds(message.context?.history ?? [], rounds - countRounds(turns));
    return truncateHistory([...before, ...turns], { tokens }, (turn) => this.#memory.tokensOf(turn));
  }
}

/**
 * Notes failures of the store in what a run asks of the service. A runner takes every failure of a model call for one of
 * its provider, also a broken connection to the database.
 */
class StorageWatch {
  failure: StorageError | null = null;
  readonly #outdated = new AbortController();

  /** Aborted once the message is known to be answered by another replica. */
  get outdated(): AbortSignal {
    return this.#outdated.signal;
  }

  watching(tools: AllowedTools): AllowedTools {
    return { list: () => tools.list(), call: (...given) => this.during(() => tools.call(...given)) };
  }

  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      const failure = findStorageError(error);
      if (failure?.detail === 'not_owner') this.#outdated.abort(failure);
      this.failure ??= failure;
      throw error;
    }
  }
}
