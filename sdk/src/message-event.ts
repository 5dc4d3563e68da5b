import type { MessageChain } from './message-chain.ts';

/** Whether a message was written to the bot alone or into a group. */
export type SessionType = 'person' | 'group';

/** Platform-specific facts about a message. All are optional. */
export interface MessageFacts {
  group_name?: string;
  /** The sender's role in the group. */
  sender_permission?: 'MEMBER' | 'ADMINISTRATOR' | 'OWNER';
  /** The bot's role in the group. */
  bot_permission?: 'MEMBER' | 'ADMINISTRATOR' | 'OWNER';
  /** Title of the sender in the group. */
  special_title?: string;
  /** Contact name of the sender in the bot's account. */
  sender_remark?: string;
  /**
   * The sender is signed in to an admin account of this installation. Stored only for platforms with the capability
   * `sockets`.
   */
  signed_in_admin?: boolean;
  /** An admin tries the pipeline in the console. Stored only for platforms with the capability `sockets`. */
  trial?: PipelineTrial;
  /**
   * How the bot is meant beside an `At` of its account: by a role that it has, by a reply to a message of it, by a
   * mention of everyone.
   */
  bot_mentions?: readonly ('role' | 'reply' | 'everyone')[];
  /**
   * The uuid of an earlier question of the conversation that it replaces, with all that followed. Stored only for
   * platforms with the capability `sockets`.
   */
  replaces?: string;
  /** The message has a {@link ConversationContext}, which is stored with it. */
  has_context?: boolean;
}

/** What answers a message instead of the pipeline as it is published. */
export interface PipelineTrial {
  /** The draft of the pipeline, or one of its versions. */
  version?: 'draft' | number;
  /** Instead of the model that the pipeline names first. */
  model_uuid?: string;
}

/** One turn of a conversation, oldest first. */
export interface ConversationTurn {
  role: 'user' | 'assistant';
  text: string;
  message_chain: MessageChain;
}

/** Context of a message whose conversation is stored by the client. */
export interface ConversationContext {
  /** Earlier turns; they precede the stored history of the conversation. */
  history: ConversationTurn[];
  /** Instructions added to the prompt of the pipeline; empty for none. */
  instructions: string;
}

/** What answers to a message need on their platform, such as the address of a session or a request id. */
export interface ReplyContext {
  /** Opaque to the service, which stores it sealed. JSON, at most {@link longestReplyContext} bytes. */
  value: unknown;
  /** Until when the platform takes answers with it, ISO 8601 UTC. Omitted if there is no limit. */
  expires_at?: string;
  /** How many messages may be sent with it. Omitted if there is no limit. */
  uses?: number;
}

/** Longest value of a {@link ReplyContext} as JSON in UTF-8, bytes. */
export const longestReplyContext = 16_384;

/** Content of a message that is fetched after the message was stored, so that it delays no acknowledgement. */
export interface MediaReference {
  /** The `image_id`, `voice_id` or `id` of the element that it belongs to, anywhere in the chain. */
  id: string;
  /** Name of the file. */
  name: string;
  /** What `fetchMedia` of the adapter needs, such as a download code or a key. JSON; stored sealed. */
  value: unknown;
}

/** A message as a platform adapter hands it over: verified, parsed, not yet stored. */
export interface MessageEvent {
  /** The platform's own identifier of the message. Two events with the same one are the same message. */
  platform_message_id: string;
  session_type: SessionType;
  /** The user's id for `person`, the group's id for `group`. */
  session_id: string;
  /** Topic or thread inside the session; empty where the platform has none. */
  thread_id?: string;
  sender_id: string;
  sender_name?: string;
  facts?: MessageFacts;
  message_chain: MessageChain;
  /** The platform's timestamp of the message, ISO 8601 UTC. */
  sent_at?: string;
  /** Runs this pipeline instead of the one the bot is bound to; the web chat and the model API ask for that. */
  pipeline_uuid?: string;
  /** Only if the client stores the conversation. */
  context?: ConversationContext;
  /** Only if the adapter has `fetchMedia`. */
  media?: readonly MediaReference[];
  /** Only with the capability `reply_context`. */
  reply_context?: ReplyContext;
}

/** The result of a received event. It has been stored when this is returned. */
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
