import type { Conversation, ConversationKey } from './conversation.ts';

/** The other side of a conversation: a user or a group, in a thread, whatever the pipeline. */
export type ChatKey = Omit<ConversationKey, 'pipeline_uuid'>;

/** The memory of a runner for a conversation. */
export interface RunnerState {
  runner: string;
  /** Hash of the runner's configuration; under another one, the memory is invalid. */
  config_hash: string;
  state: string;
}

/** A message that is being answered, and the number of its claim. */
export interface AnsweredMessage {
  uuid: string;
  claim: number;
  conversation_uuid: string;
}

/** State of conversations apart from their messages. */
export interface ConversationStore {
  /** The conversation under a key that goes on; null when there is none. */
  current(key: ConversationKey): Promise<Conversation | null>;
  /** Whether a message of a conversation waits for its answer. */
  isAnswering(conversationUuid: string): Promise<boolean>;
  /** The pipeline of the latest conversation of a chat; null when there is none. */
  latestPipeline(chat: ChatKey): Promise<string | null>;
  /**
   * Ends one conversation: the next message under its key starts another. A later one continues.
   * @returns false when it had ended
   */
  end(conversationUuid: string): Promise<boolean>;
  /** Ends the current conversation under a key; false when there was none. */
  endCurrent(key: ConversationKey): Promise<boolean>;
  /** Calls a model first in a conversation; null for the first one of its pipeline. */
  chooseModel(conversationUuid: string, modelUuid: string | null): Promise<void>;
  /** The memory of a runner for a conversation; null when there is none, or no such conversation. */
  runnerState(conversationUuid: string): Promise<RunnerState | null>;
  /** Replaces the memory, unless the claim of the message that the runner answers is outdated. */
  saveRunnerState(answered: AnsweredMessage, state: RunnerState): Promise<void>;
}
