import type { SessionType } from '@parley/sdk';

/** The key of a conversation: a bot with a user or a group, in a thread, through a pipeline. */
export interface ConversationKey {
  bot_uuid: string;
  /** Empty when the bot has no pipeline. */
  pipeline_uuid: string;
  session_type: SessionType;
  session_id: string;
  /** Empty where there are no threads. */
  thread_id: string;
}

/** A series of messages. A reset ends it, and the next message starts another under the same key. */
export interface Conversation extends ConversationKey {
  uuid: string;
  /** The place of its last message. */
  last_sequence: number;
  created_at: string;
}
