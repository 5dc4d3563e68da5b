import type { MessageChain } from '@parley/sdk';

/** A conversation in a list. */
export interface ChatConversation {
  uuid: string;
  bot_uuid: string;
  pipeline_uuid: string;
  thread_id: string;
  /** As the user named it; null for the start of the first message. */
  title: string | null;
  /** Start of the first message; empty when it was deleted. */
  first_text: string;
  created_at: string;
  /** When the last message was stored. */
  updated_at: string;
}

/** Where a page of the list ends. */
export interface ChatConversationPlace {
  updated_at: string;
  uuid: string;
}

export interface ChatConversationQuery {
  bots: readonly string[];
  person_id: string;
  /** Matches titles and texts of messages, in any case; empty for all. */
  search: string;
  after: ChatConversationPlace | null;
  limit: number;
}

/** A place in a conversation. */
export interface MessagePosition {
  uuid: string;
  sequence: number;
  sender_id: string;
  message_chain: MessageChain;
}

/** Messages from `first_sequence` to `last_sequence`, inclusive. */
export interface ReplacedRange {
  first_sequence: number;
  last_sequence: number;
}

/** What the chat adds to conversations: lists, titles, replaced messages. */
export interface ChatConversationStore {
  /**
   * Conversations of a user that go on, latest message first.
   * @returns `next`: where the next page starts; null after the last one. A search may return few of a page
   */
  list(
    query: ChatConversationQuery,
  ): Promise<{ conversations: ChatConversation[]; next: ChatConversationPlace | null }>;
  /** A conversation of a user that goes on; null when there is none. */
  find(uuid: string, bots: readonly string[], personId: string): Promise<ChatConversation | null>;
  rename(uuid: string, title: string): Promise<void>;
  /** A question in a conversation; the last one without a uuid. Null when there is none. */
  question(conversationUuid: string, messageUuid: string | null): Promise<MessagePosition | null>;
  /**
   * Takes a question, and everything after it, out of the history, together with what runners remember of the conversation.
   * @param replacement the platform's id of the message that replaces it; repeating it is a no-op
   * @returns what was taken out; null when another message has replaced the question
   */
  replaceFrom(conversationUuid: string, sequence: number, replacement: string): Promise<ReplacedRange | null>;
  /** What was replaced in a conversation. */
  replaced(conversationUuid: string): Promise<ReplacedRange[]>;
}
