import type { Static, TObject } from 'typebox';
import type { FieldPresentation, Secret } from './config-schema.ts';
import type { ParleyError, Reason, RemoteResponse } from './errors.ts';
import type { Hint } from './hints.ts';
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
  /** Number of its provider's keys, at least 1; opening it again returns the next key that is not on cooldown. */
  keys: number;
  /**
   * The request of the latest call as it was sent, once; null if none was sent since. Absent where requests are not kept.
   */
  takeRequest?(): SentRequest | null;
  /** Call with the result of each request with this key: a rejected key is put on cooldown. */
  report(failure: { reason: Reason; retryAfterSeconds?: number | undefined } | null): void;
}

/** A file of a message, small enough to be held in memory. */
export interface MediaContent {
  name: string;
  /** Found by looking at the content. */
  media_type: string;
  bytes: Uint8Array;
}

/** A message that stands before every conversation. */
export interface PromptMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** A request to a runner. */
export interface RunnerRequest<Config = Record<string, unknown>> {
  /** The group of the pipeline's configuration that has the runner's name, complete by its schema. */
  config: Config;
  message: PipelineMessage;
  /** What {@link Runner.prompt} returned; variables in it are not filled in. */
  prompt: readonly PromptMessage[];
  /** Earlier turns, already truncated, without the one to answer. */
  history: ConversationTurn[];
  /** The user's text, after the stages. */
  text: string;
  message_chain: MessageChain;
  /** uuids of the knowledge bases of the pipeline. */
  knowledge_bases: readonly string[];
  /**
   * Additional instructions for this answer only; they follow the runner's own prompt. Absent if there are none. A
   * runner whose service takes no prompt passes them on as the variable `instructions`.
   */
  instructions?: string;
  /** What the platform of the message is called in English. */
  platform?: string;
  /** Values that prompts and external services may use: `session_id`, `sender_name`, … */
  variables: Record<string, string>;
  signal: AbortSignal;
}

/** A request to a provider as it was sent, without secrets, and with files replaced by their type and size. */
export interface SentRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  /** JSON, unless it was truncated; null if there was none, or it was too large to be read. */
  body: string | null;
  /** Characters of the body as it was sent. */
  body_size: number;
  truncated: boolean;
}

/** One request to a model, as it is recorded. */
export interface ModelCall {
  /** Null where a service elsewhere chose the model. */
  model_uuid: string | null;
  model_name: string;
  /** ISO 8601 UTC. */
  started_at: string;
  milliseconds: number;
  /** Time to the first chunk of the answer; null when there was none. */
  first_piece_milliseconds: number | null;
  input_tokens: number;
  output_tokens: number;
  /** The plugin that made it, `author/name`; absent if the pipeline did. */
  plugin_id?: string;
  /**
   * Null when it succeeded; `step_limit` when it succeeded without tools, because tools had been called as often as they
   * may be.
   */
  reason: Reason | null;
  /** For the operator; contains no secrets. */
  error: string | null;
  /** What the provider returned instead, and the cause; absent or null if it succeeded, or nothing is known of them. */
  failure?: CallFailure | null;
  /** Absent or null if it is not kept, or none was sent. */
  request?: SentRequest | null;
}

/** What is known of a failed call beside its reason. */
export interface CallFailure {
  response: RemoteResponse | null;
  hint: Hint | null;
}

/** @returns null if nothing is known */
export function callFailureOf({ response, hint }: Pick<ParleyError, 'response' | 'hint'>): CallFailure | null {
  return response === undefined && hint === undefined ? null : { response: response ?? null, hint: hint ?? null };
}

/** A chunk of the answer. Concatenate `text` chunks; `reasoning` is the model's thoughts. */
export type RunnerDelta =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'attachment'; element: MessageElement }
  | { type: 'model_call'; call: ModelCall }
  /** A knowledge base query. */
  | { type: 'retrieval'; retrieval: Retrieval }
  /** Shown below the answer, but not part of the model's output or the history. */
  | { type: 'appendix'; text: string }
  /** The citations of the finished answer; at most once, at the end. */
  | { type: 'citations'; report: CitationReport }
  /** A tool is about to be called. */
  | { type: 'tool_call'; name: string };

/** The tools that one message may cause to be called. */
export interface AllowedTools {
  list(): Promise<readonly Pick<Tool, 'name' | 'description' | 'parameters'>[]>;
  /**
   * Calls a tool, with its timeout, and records the call. Errors are returned as text for the model; a result that is
   * too long is truncated.
   * @throws the signal's reason when it is aborted
   */
  call(name: string, parameters: unknown, signal: AbortSignal): Promise<{ text: string; failed: boolean }>;
}

/** State of a runner for a conversation: a service's conversation id, for example. */
export interface RunnerMemory {
  /** Null in a new conversation, also after a reset, and when the runner has been configured otherwise since. */
  read(): Promise<string | null>;
  /** @param state at most 10 000 characters, persisted across restarts */
  write(state: string): Promise<void>;
}

/** Services for a runner. */
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
   * Reads the text of a document, such as a PDF, that is the content of an element.
   * @returns null when files of its type cannot be read
   * @throws ParleyError `document_*`, `parse_time_limit` or `parse_memory_limit`
   */
  readDocument?(media: MediaContent): Promise<string | null>;
  /**
   * Queries knowledge bases.
   * @param knowledgeBases their uuids; missing ones are skipped
   * @throws the signal's reason when it is aborted
   */
  retrieve(knowledgeBases: readonly string[], question: string, signal: AbortSignal): Promise<KnowledgeAnswer>;
  memory: RunnerMemory;
  /**
   * The link that shows users the passage of a citation of this answer, by its number; null when there is none. Absent
   * where an answer must not have links.
   */
  citationLink?(number: number): string | null;
  /** The guarded HTTP client, for addresses that an administrator saved; a runner uses no other. */
  fetch: typeof globalThis.fetch;
  logger: Logger;
}

/** Generates answers. One folder under `runners/`, or a plugin. */
export interface Runner<Config extends TObject = TObject> {
  /** Value of `ai.runner.runner` and name of the group that configures it. */
  name: string;
  label: I18nText;
  /**
   * Settings: the group `ai.<name>` of a pipeline; absent when there are none. Each field has a default; labels, secrets and models are marked as
   * {@link FieldPresentation} and {@link Secret} say.
   */
  config?: Config;
  /** The messages before every conversation, as they are configured; absent where a runner has none. */
  prompt?(config: Static<Config>): readonly PromptMessage[];
  /**
   * Generates the answer. After an abort, only records of unfinished calls may follow.
   * @throws ParleyError with the reason for a failure; the signal's reason when it is aborted
   */
  answer(request: RunnerRequest<Static<Config>>, context: RunnerContext): AsyncIterable<RunnerDelta>;
}
