import type { SessionType } from '@parley/sdk';

/** Whose conversation it is: a bot with a person or a group, in a thread, through a pipeline. */
export interface ConversationKey {
  bot_uuid: string;
  /** Empty when the bot has no pipeline. */
  pipeline_uuid: string;
  session_type: SessionType;
  session_id: string;
  /** Empty where there are no threads. */
  thread_id: string;
}

/** Messages that belong together. A reset ends one and the next message begins another under the same key. */
export interface Conversation extends ConversationKey {
  uuid: string;
  created_at: string;
}
