import type { MessageChain } from '../message-chain.ts';
import type { PipelineTrial, SessionType } from '../message-event.ts';
import type { Platform, PlatformAdapter, PlatformContext, PlatformImplementation } from '../platform.ts';

/** A platform that is part of the service. Every {@link Platform} is one without these features. */
export interface InternalPlatform extends Platform {
  /** The service manages one bot of it, which is hidden from users. Default: false. */
  internal?: boolean;
  /** Whether users can use chat commands there. Default: true. */
  commands?: boolean;
  /** Whether the server hands browser sockets to the adapter. Default: false. */
  sockets?: boolean;
  load(): Promise<InternalPlatformImplementation>;
}

export interface InternalPlatformImplementation extends PlatformImplementation {
  create(config: Record<string, unknown>, context: PlatformContext): InternalPlatformAdapter;
}

export interface InternalPlatformAdapter extends PlatformAdapter {
  /**
   * Aborted, with a ParleyError, when the client no longer waits for the answer to a message, so that its generation
   * stops. Present if answers are sent only to the caller.
   */
  attention?(platformMessageId: string): AbortSignal;
  /** Takes a browser connection. Present where {@link InternalPlatform.sockets} is true, as the next two. */
  acceptBrowser?(socket: BrowserSocket): void;
  /** The connections open now, for the operator's view. */
  connections?(): PlatformConnection[];
  /** Writes a notice to every connection of a pipeline. */
  broadcast?(pipelineUuid: string, message: unknown): void;
}

/** A browser connection that the server authenticated and hands to an adapter. */
export interface BrowserSocket {
  pipeline_uuid: string;
  session_type: SessionType;
  /** The user's id for `person`, the group's id for `group`. */
  session_id: string;
  person_id: string;
  person_name: string;
  /** Whether the user is signed in to an admin account, for `signed_in_admin` of the messages. */
  signed_in_admin: boolean;
  /** What answers the messages of this socket, if not the pipeline as it is published. */
  trial: PipelineTrial | null;
  /** Separates the conversations of a user with a pipeline; empty for the first one. */
  thread_id: string;
  /**
   * Stops the answers to the user's messages so far.
   * @param messageUuid the last of them; null for the latest message
   * @returns the place of that message in the conversation; null when there is none
   */
  stop(messageUuid: string | null): Promise<number | null>;
  /**
   * Takes a question of the user out of the history, with everything after it, and stops answers to them.
   * @param replacement the platform's id of the message that replaces it
   * @returns the content of the question
   * @throws ParleyError `not_found` when it is no question of the user in this conversation, `conflict` when another
   * message has replaced it
   */
  replace(messageUuid: string, replacement: string): Promise<MessageChain>;
  send(text: string): void;
  /** Bytes queued and not yet taken by the network. */
  bufferedBytes(): number;
  close(code: number, reason: string): void;
  onMessage(listener: (text: string) => void): void;
  onClose(listener: () => void): void;
}

export interface PlatformConnection {
  connection_id: string;
  pipeline_uuid: string;
  session_type: SessionType;
  created_at: string;
  last_active: string;
  is_active: boolean;
}
