import type { ConversationContext, MessageChain } from '@parley/sdk';

/** What a program asks of a pipeline, whichever way it asked. Files that came along are in it as base64. */
export interface ModelQuestion {
  /** A pipeline, by its id or its name. */
  model: string;
  /** The message that is to be answered. */
  message_chain: MessageChain;
  context: ConversationContext;
  /** The response whose conversation goes on; null where there is none. */
  previous: string | null;
  /** Whether a later question may go on from the answer. */
  isKept: boolean;
  /** Whom the program asks for; null when it does not say. */
  user: string | null;
  /** Parameters that say how a model is to be called, which is for the pipeline to say. */
  ignored: string[];
}

/** Whom answers go to: whoever a credential stands for. */
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
  /** `content_filter`: a part of what the model said was left out or masked. */
  finish_reason: 'stop' | 'content_filter';
  usage: ModelUsage;
}
