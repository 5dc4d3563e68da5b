import type { ConversationKey } from './conversation.ts';

/** Somebody the bot talks to: a person or a group, in a thread, whatever the pipeline. */
export type ChatKey = Omit<ConversationKey, 'pipeline_uuid'>;

/** What a runner remembers of a conversation. */
export interface RunnerState {
  runner: string;
  /** Stands for the configuration that the runner had; under another one, what it remembers means nothing. */
  config_hash: string;
  state: string;
}

/** What is known of conversations beside their messages. */
export interface ConversationStore {
  /** The pipeline of the conversation of a chat in which something was said last; null when there is none. */
  latestPipeline(chat: ChatKey): Promise<string | null>;
  /**
   * Ends one conversation: the next message under its key begins another. One that came after it goes on.
   * @returns false when it had ended
   */
  end(conversationUuid: string): Promise<boolean>;
  /** What a runner remembers of a conversation; null when there is nothing, or no such conversation. */
  runnerState(conversationUuid: string): Promise<RunnerState | null>;
  /** Takes the place of what was remembered. */
  saveRunnerState(conversationUuid: string, state: RunnerState): Promise<void>;
}
