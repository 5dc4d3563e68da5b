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

/** State of conversations apart from their messages. */
export interface ConversationStore {
  /** The conversation under a key that goes on; null when there is none. */
  current(key: ConversationKey): Promise<Conversation | null>;
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
  /** Replaces the memory. */
  saveRunnerState(conversationUuid: string, state: RunnerState): Promise<void>;
}
