import type { ConversationContext, MessageChain } from '@parley/sdk';

/** A request of a program to a pipeline, in either API. Attached files are in it as base64. */
export interface ModelQuestion {
  /** A pipeline, by its id or its name. */
  model: string;
  /** The message that is to be answered. */
  message_chain: MessageChain;
  context: ConversationContext;
  /** The response whose conversation it continues; null if there is none. */
  previous: string | null;
  /** Whether a later request may continue from the answer. */
  isStored: boolean;
  /** The end user named by the program; null when it names none. */
  user: string | null;
  /** Parameters of model calls, which only the pipeline may set. */
  ignored: string[];
}

/** The recipient of answers: the owner of the credential. */
export interface ModelApiCaller {
  /** Names the API key or the account. */
  id: string;
  name: string;
}

/** How much was read and written for an answer, tokens, in all requests to models. */
export interface ModelUsage {
  input_tokens: number;
  output_tokens: number;
}

/** A complete answer. */
export interface ModelAnswer {
  /** Markdown. */
  text: string;
  /** `content_filter`: a part of the model's text was removed or masked. */
  finish_reason: 'stop' | 'content_filter';
  usage: ModelUsage;
}
