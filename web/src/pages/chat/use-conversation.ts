import { ParleyApiError } from '@parley/client';
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { api } from '../../lib/api.ts';
import { renewSession } from '../../lib/renew-session.ts';
import { socketAddress } from '../../lib/server-address.ts';
import { ChatSocket, type ConnectionState, type ServerFrame } from './chat-socket.ts';
import { emptyConversation, reduceConversation } from './conversation.ts';

export type SessionType = 'person' | 'group';

/**
 * A conversation with a pipeline: messages, connection, actions.
 * @param sessionType `person` is the user's own conversation, `group` one that is shared by all
 */
export function useConversation(pipelineUuid: string, sessionType: SessionType = 'person') {
  const [conversation, dispatch] = useReducer(reduceConversation, emptyConversation);
  const [connection, setConnection] = useState<ConnectionState>('connecting');
  const [loadError, setLoadError] = useState<unknown>(null);
  const socket = useRef<ChatSocket | null>(null);
  const outgoing = useRef(conversation.outgoing);
  outgoing.current = conversation.outgoing;

  const path = { pipeline_uuid: pipelineUuid, session_type: sessionType };
  const load = useCallback(async () => {
    try {
      const { messages } = await api.get('/api/v1/pipelines/{pipeline_uuid}/ws/messages/{session_type}', {
        params: { path: { pipeline_uuid: pipelineUuid, session_type: sessionType } },
      });
      setLoadError(null);
      dispatch({ type: 'history-loaded', messages });
    } catch (error) {
      setLoadError(error);
    }
  }, [pipelineUuid, sessionType]);

  useEffect(() => {
    const onFrame = (frame: ServerFrame) => {
      if (frame.type === 'connected') {
        dispatch({ type: 'connected' });
        void load();
        // The server drops duplicates, so all unconfirmed messages can be sent again.
        for (const message of outgoing.current) {
          if (!message.failed) opened.send(message.message_id, message.text);
        }
      } else if (frame.type === 'user_message' || frame.type === 'response') {
        if (frame.session_type === sessionType) {
          dispatch({ type: 'message-received', message: frame.data, at: Date.now() });
        }
      } else if (frame.type === 'broadcast') {
        const text = typeof frame.message === 'string' ? frame.message : JSON.stringify(frame.message);
        dispatch({ type: 'noticed', text });
      } else if (frame.type === 'error') {
        dispatch({ type: 'refused', message: frame.message, reason: frame.reason, message_id: frame.message_id });
      }
    };
    const address = socketAddress(`/api/v1/pipelines/${pipelineUuid}/ws/connect?session_type=${sessionType}`);
    const opened = new ChatSocket(address, { onState: setConnection, onFrame, mayRetry });
    socket.current = opened;
    return () => opened.close();
  }, [pipelineUuid, sessionType, load]);

  return {
    ...conversation,
    connection,
    loadError,
    load,
    send(text: string) {
      const messageId = randomName();
      dispatch({ type: 'message-written', message_id: messageId, text });
      socket.current?.send(messageId, text);
    },
    sendAgain(messageId: string) {
      const message = conversation.outgoing.find((other) => other.message_id === messageId);
      if (message === undefined) return;
      dispatch({ type: 'message-retried', message_id: messageId });
      socket.current?.send(messageId, message.text);
    },
    dismiss: () => dispatch({ type: 'dismissed' }),
    async clear() {
      await api.post('/api/v1/pipelines/{pipeline_uuid}/ws/reset/{session_type}', { params: { path } });
      dispatch({ type: 'cleared' });
    },
  };
}

/** 128 random bits. `crypto.randomUUID` is missing on pages loaded over plain http from another machine. */
function randomName(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * A browser does not report why a websocket was rejected, so the session is checked over HTTP. Only an ended session
 * prevents reconnecting.
 */
async function mayRetry(): Promise<boolean> {
  try {
    await renewSession();
    return true;
  } catch (error) {
    return !(error instanceof ParleyApiError && error.status === 401);
  }
}
