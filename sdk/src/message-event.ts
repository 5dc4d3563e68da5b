import type { MessageChain } from './message-chain.ts';

/** Whether a message was written to the bot alone or into a group. */
export type SessionType = 'person' | 'group';

/** What a platform tells of a message beyond who wrote what where. All of it may be absent. */
export interface MessageFacts {
  group_name?: string;
  /** What the sender may do in the group. */
  sender_permission?: 'MEMBER' | 'ADMINISTRATOR' | 'OWNER';
  /** What the bot may do in the group. */
  bot_permission?: 'MEMBER' | 'ADMINISTRATOR' | 'OWNER';
  /** Title that the group gave the sender. */
  special_title?: string;
  /** What the bot's account calls the sender. */
  sender_remark?: string;
  /** The sender is signed in to an admin account of this installation. Kept only of platforms that take its sockets. */
  signed_in_admin?: boolean;
  /** A {@link ConversationContext} came with it, and is stored beside it. */
  has_context?: boolean;
}

/** One turn of a conversation, oldest first. */
export interface ConversationTurn {
  role: 'user' | 'assistant';
  text: string;
  message_chain: MessageChain;
}

/** What comes with a message of a conversation that is kept elsewhere, by whoever asks. */
export interface ConversationContext {
  /** What was said before; it stands before what is stored of the conversation. */
  history: ConversationTurn[];
  /** What whoever asks adds to the prompt of the pipeline; empty for nothing. */
  instructions: string;
}

/** A message as a platform adapter hands it over: verified, parsed, not yet stored. */
export interface MessageEvent {
  /** The platform's own identifier of the message. Two events with the same one are the same message. */
  platform_message_id: string;
  session_type: SessionType;
  /** The person's id for `person`, the group's id for `group`. */
  session_id: string;
  /** Topic or thread inside the session; empty where the platform has none. */
  thread_id?: string;
  sender_id: string;
  sender_name?: string;
  facts?: MessageFacts;
  message_chain: MessageChain;
  /** When the platform says it was written, ISO 8601 UTC. */
  sent_at?: string;
  /** Runs this pipeline instead of the one the bot is bound to; the web chat and the model API ask for that. */
  pipeline_uuid?: string;
  /** Only where whoever asks keeps the conversation. */
  context?: ConversationContext;
}

/** What became of an event that was handed over. It is on disk by the time this is known. */
export interface MessageReceipt {
  /** `repeated` means that the message was stored before and is dropped now. */
  outcome: 'accepted' | 'repeated';
  /** Identifier of the stored message. */
  uuid: string;
  /** Place in its conversation, from 1. */
  sequence: number;
  /** When it was stored, ISO 8601 UTC. */
  created_at: string;
}
