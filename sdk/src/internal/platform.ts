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
  create(config: Record<string, unknown>, context: InternalPlatformContext): InternalPlatformAdapter;
}

export interface InternalPlatformContext extends PlatformContext {
  /** Takes what an adapter shows to its sockets, for those that are open in other processes. */
  elsewhere?: SocketsElsewhere | undefined;
}

export interface InternalPlatformAdapter extends PlatformAdapter {
  /**
   * Aborted, with a ParleyError, when the client no longer waits for the answer to a message, so that its generation
   * stops. Present if answers are sent only to the caller.
   */
  attention?(platformMessageId: string): AbortSignal;
  /** Takes a browser connection. Present where {@link InternalPlatform.sockets} is true, as the next three. */
  acceptBrowser?(socket: BrowserSocket): void;
  /** Its sockets, for what other processes show. */
  sockets?: AdapterSockets;
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

/** A conversation that sockets show. */
export interface SocketPlace {
  pipeline_uuid: string;
  session_type: SessionType;
  session_id: string;
  thread_id: string;
}

/** What a socket gets once, of a message that is stored. */
export interface ShownPart {
  uuid: string;
  /** Part of an answer, from 0. */
  piece: number;
  /** The connection that a question came from; empty for answers, and when that is not known. */
  connection_id: string;
  is_failure: boolean;
  is_stopped: boolean;
}

/** A {@link ShownPart} with its content. */
export interface StoredPart extends ShownPart {
  direction: 'inbound' | 'outbound';
  sequence: number;
  platform_message_id: string | null;
  sender_id: string;
  message_chain: MessageChain;
  /** The message that it replaces. */
  replaces: string | null;
  created_at: string;
  /** When it was stored, or its delivery began or ended: sockets that were opened later read it from the history. */
  shown_at: string;
}

/** Takes what one process shows, for the sockets of others. */
export interface SocketsElsewhere {
  /** A question, or a complete part of an answer. Both are stored. */
  stored(place: SocketPlace, part: ShownPart): void;
  /** The start of an answer that is still written, as a frame. Only the latest one counts. */
  growing(place: SocketPlace, uuid: string, frame: string): void;
  /** A frame that is not repeated. */
  frame(place: SocketPlace, frame: string): void;
}

/** Shows to the sockets of an adapter what other processes have shown. */
export interface AdapterSockets {
  /** The conversations with open sockets. */
  places(): SocketPlace[];
  has(place: SocketPlace): boolean;
  /**
   * Does nothing for sockets that got it before.
   * @param isLate it was found by looking, so sockets that have it in their history are left out
   */
  stored(place: SocketPlace, part: StoredPart, isLate: boolean): void;
  growing(place: SocketPlace, uuid: string, frame: string): void;
  frame(place: SocketPlace, frame: string): void;
}

export interface PlatformConnection {
  connection_id: string;
  pipeline_uuid: string;
  session_type: SessionType;
  created_at: string;
  last_active: string;
  is_active: boolean;
}
