import type { I18nText } from './i18n-text.ts';
import type { Logger } from './logger.ts';
import type { LanguageModel } from './model-requester.ts';

/** One turn of a conversation, oldest first. */
export interface ConversationTurn {
  role: 'user' | 'assistant';
  text: string;
}

/** A model that the service resolved and opened for a runner. */
export interface OpenedModel {
  uuid: string;
  name: string;
  model: LanguageModel;
}

/** What a runner is asked to answer. */
export interface RunnerRequest {
  /** The group of the pipeline's configuration that has the runner's name. */
  config: Record<string, unknown>;
  /** Earlier turns, already truncated, without the one to answer. */
  history: ConversationTurn[];
  /** What the person wrote. */
  text: string;
  /** Values that prompts and external services may use: `session_id`, `sender_name`, … */
  variables: Record<string, string>;
  signal: AbortSignal;
}

/** A piece of the answer. `text` pieces are to be joined; `reasoning` is what the model thought aloud. */
export type RunnerDelta =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'usage'; model_uuid: string; input_tokens: number; output_tokens: number };

/** What a runner is given to work with. */
export interface RunnerContext {
  /** @throws ParleyError `model_not_configured` when there is no such model */
  openModel(modelUuid: string): Promise<OpenedModel>;
  logger: Logger;
}

/** Who writes the answer. One folder under `runners/`, or a plugin. */
export interface Runner {
  /** Value of `ai.runner.runner` and name of the group that configures it. */
  name: string;
  label: I18nText;
  /** @throws ParleyError with the reason the answer could not be written */
  answer(request: RunnerRequest, context: RunnerContext): AsyncIterable<RunnerDelta>;
}
