import type { Reason } from './errors.ts';
import type { I18nText } from './i18n-text.ts';
import type { Logger } from './logger.ts';
import type { MessageChain, MessageElement } from './message-chain.ts';
import type { ConversationTurn } from './message-event.ts';
import type { LanguageModel } from './model-requester.ts';
import type { CitationReport, KnowledgeAnswer, Retrieval } from './retrieval.ts';
import type { PipelineMessage } from './stage.ts';
import type { Tool } from './tool.ts';

/** A model that the service resolved and opened for a runner, with one of its provider's keys. */
export interface OpenedModel {
  uuid: string;
  name: string;
  /** `vision`: sees pictures; `func_call`: calls tools. */
  abilities: readonly string[];
  model: LanguageModel;
  /** How many keys its provider has, at least 1; opening it again gives the next one that is not left alone. */
  keys: number;
  /** To be told how a call with this key ended, so that a key that is refused is left alone for a while. */
  report(failure: { reason: Reason; retryAfterSeconds?: number | undefined } | null): void;
}

/** A file of a message, small enough to be held in memory. */
export interface MediaContent {
  name: string;
  /** Found by looking at the content. */
  media_type: string;
  bytes: Uint8Array;
}

/** What a runner is asked to answer. */
export interface RunnerRequest {
  /** The group of the pipeline's configuration that has the runner's name. */
  config: Record<string, unknown>;
  message: PipelineMessage;
  /** Earlier turns, already truncated, without the one to answer. */
  history: ConversationTurn[];
  /** What the person wrote, as the stages left it. */
  text: string;
  message_chain: MessageChain;
  /**
   * What whoever asks adds to the prompt, for this answer alone; it stands behind the runner's own prompt. Absent where
   * nothing is added. A runner whose service takes no prompt hands it on as the variable `instructions`.
   */
  instructions?: string;
  /** Values that prompts and external services may use: `session_id`, `sender_name`, … */
  variables: Record<string, string>;
  signal: AbortSignal;
}

/** One request to a model, as it is recorded. */
export interface ModelCall {
  /** Null where a service elsewhere chose the model. */
  model_uuid: string | null;
  model_name: string;
  /** ISO 8601 UTC. */
  started_at: string;
  milliseconds: number;
  /** Until the first piece of the answer; null when there was none. */
  first_piece_milliseconds: number | null;
  input_tokens: number;
  output_tokens: number;
  /**
   * Null when it succeeded; `step_limit` when it succeeded without tools, because tools had been called as often as they
   * may be.
   */
  reason: Reason | null;
  /** For the operator; holds no secrets. */
  error: string | null;
}

/** A piece of the answer. `text` pieces are to be joined; `reasoning` is what the model thought aloud. */
export type RunnerDelta =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'attachment'; element: MessageElement }
  | { type: 'model_call'; call: ModelCall }
  /** Knowledge bases were asked. */
  | { type: 'retrieval'; retrieval: Retrieval }
  /** Shown below the answer, but nothing that the model said: it is not told of it later. */
  | { type: 'appendix'; text: string }
  /** What the finished answer cites; at most once, in the end. */
  | { type: 'citations'; report: CitationReport }
  /** A tool is about to be called. */
  | { type: 'tool_call'; name: string };

/** The tools that one message may cause to be called. */
export interface AllowedTools {
  list(): Promise<readonly Pick<Tool, 'name' | 'description' | 'parameters'>[]>;
  /**
   * Calls a tool, within its time, and puts it on record. What is wrong with the call or goes wrong in it is told in
   * the text, for the model to read; an answer that is too long is cut.
   * @throws the signal's reason when it is aborted
   */
  call(name: string, parameters: unknown, signal: AbortSignal): Promise<{ text: string; failed: boolean }>;
}

/** What a runner remembers of a conversation: what a service elsewhere calls it, for example. */
export interface RunnerMemory {
  /** Null in a new conversation, also after a reset, and when the runner has been configured otherwise since. */
  read(): Promise<string | null>;
  /** @param state at most 10 000 characters, kept across restarts */
  write(state: string): Promise<void>;
}

/** What a runner is given to work with. */
export interface RunnerContext {
  /** @throws ParleyError `model_not_configured` when there is no such model */
  openModel(modelUuid: string): Promise<OpenedModel>;
  tools: AllowedTools;
  /**
   * Reads a file that an element of the message names.
   * @throws ParleyError `not_found`, `too_large` or `address_not_allowed`
   */
  readMedia(element: MessageElement): Promise<MediaContent>;
  /**
   * What knowledge bases say about a question.
   * @param knowledgeBases their uuids; those that are gone are passed over
   * @throws the signal's reason when it is aborted
   */
  retrieve(knowledgeBases: readonly string[], question: string, signal: AbortSignal): Promise<KnowledgeAnswer>;
  memory: RunnerMemory;
  /** The guarded HTTP client, for addresses that an administrator saved; a runner uses no other. */
  fetch: typeof globalThis.fetch;
  logger: Logger;
}

/** Who writes the answer. One folder under `runners/`, or a plugin. */
export interface Runner {
  /** Value of `ai.runner.runner` and name of the group that configures it. */
  name: string;
  label: I18nText;
  /**
   * Writes the answer. When it is given up, nothing follows but what was recorded of calls under way.
   * @throws ParleyError with the reason the answer could not be written; the signal's reason when it is aborted
   */
  answer(request: RunnerRequest, context: RunnerContext): AsyncIterable<RunnerDelta>;
}
