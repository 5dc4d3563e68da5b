import { type MessageChain, type OutgoingMessage, type SessionType, textOfChain } from '@parley/sdk';
import type { SocketPlace, StoredPart } from '@parley/sdk/internal';
import { clientIdOf } from './message-ids.ts';

/** A message as the web chat shows it. */
export interface MessageView {
  id: number;
  /** Of the stored message; missing on the later parts of an answer that is sent in several. */
  uuid?: string;
  role: 'user' | 'assistant';
  content: string;
  message_chain: MessageChain;
  timestamp: string;
  is_final: boolean;
  /** Present when it is a notice that there is no answer because of a failure. */
  is_failed?: true;
  /** Present when it is the start of an answer that was stopped. */
  is_stopped?: true;
  connection_id: string;
  /** The client's id of its message, to match it. */
  message_id?: string;
  /** Uuid of the earlier message that it replaces. */
  replaces?: string;
}

export function connectedFrame(
  connection: { connection_id: string; pipeline_uuid: string; session_type: SessionType; created_at: string },
  personId: string,
): string {
  return JSON.stringify({
    type: 'connected',
    connection_id: connection.connection_id,
    pipeline_uuid: connection.pipeline_uuid,
    session_type: connection.session_type,
    person_id: personId,
    timestamp: connection.created_at,
  });
}

export function messageFrame(type: 'user_message' | 'response', sessionType: SessionType, data: MessageView): string {
  return JSON.stringify({ type, session_type: sessionType, data });
}

export function assistantMessage(
  message: Pick<OutgoingMessage, 'uuid' | 'sequence' | 'piece' | 'created_at' | 'is_failure' | 'is_stopped'>,
  chain: MessageChain,
  isFinal: boolean,
): MessageView {
  return {
    // Parts of one answer sort between its position and the next.
    id: message.sequence + message.piece / 1000,
    ...(message.piece === 0 ? { uuid: message.uuid } : {}),
    role: 'assistant',
    content: textOfChain(chain),
    message_chain: chain,
    timestamp: message.created_at,
    is_final: isFinal,
    ...(message.is_failure ? { is_failed: true as const } : {}),
    ...(message.is_stopped ? { is_stopped: true as const } : {}),
    connection_id: '',
  };
}

/** The frame of a part that another process has shown, or stored. */
export function storedPartFrame(place: SocketPlace, part: StoredPart): string {
  if (part.direction === 'outbound') {
    return messageFrame('response', place.session_type, assistantMessage(part, part.message_chain, true));
  }
  const { sequence: id, uuid, message_chain, created_at: timestamp, connection_id, replaces } = part;
  const messageId = clientIdOf(part.platform_message_id, part.sender_id, place);
  return messageFrame('user_message', place.session_type, {
    id,
    uuid,
    role: 'user',
    content: textOfChain(message_chain),
    message_chain,
    timestamp,
    is_final: true,
    connection_id,
    ...(messageId === null ? {} : { message_id: messageId }),
    ...(replaces === null ? {} : { replaces }),
  });
}

/**
 * @param messageId the client's id of the rejected message; null if it has none, or the frame was not a message
 * @param missingFile the `path` of a file of the message that is not stored; null when that is not the cause
 */
export function errorFrame(
  message: string,
  reason: string,
  messageId: string | null,
  missingFile: string | null = null,
): string {
  return JSON.stringify({
    type: 'error',
    message,
    reason,
    ...(messageId === null ? {} : { message_id: messageId }),
    ...(missingFile === null ? {} : { missing_file: missingFile }),
  });
}

/** @param lastId the last message that is not answered any more */
export function stoppedFrame(sessionType: SessionType, lastId: number): string {
  return JSON.stringify({ type: 'stopped', session_type: sessionType, last_id: lastId });
}

export function pongFrame(timestamp: string): string {
  return JSON.stringify({ type: 'pong', timestamp });
}

export function broadcastFrame(message: unknown, timestamp: string): string {
  return JSON.stringify({ type: 'broadcast', message, timestamp });
}
