import { ParleyApiError } from '@parley/client';
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { api } from '../../lib/api.ts';
import { randomName } from '../../lib/random-name.ts';
import { renewSession } from '../../lib/renew-session.ts';
import { socketAddress } from '../../lib/server-address.ts';
import { session } from '../../lib/session.ts';
import { ChatSocket, type ConnectionState, type ServerFrame } from './chat-socket.ts';
import {
  type Attachment,
  type ChatMessage,
  emptyConversation,
  type OutgoingMessage,
  reduceConversation,
  withOutgoing,
} from './conversation.ts';
import { conversationKeys, KeptMessages } from './kept-messages.ts';
import { attachmentsOf, messageParts } from './message-parts.ts';
import { useKeepOutgoing } from './use-keep-outgoing.ts';

export type SessionType = 'person' | 'group';

/** What answers instead of the pipeline as it is published; it has a conversation of its own. */
export interface Trial {
  /** `draft`, or the number of a version. */
  version?: string;
  /** The uuid of a model. */
  model?: string;
}

export interface ConversationName {
  /** Of a conversation of its own; by default the first one. */
  conversation?: string;
}

/**
 * A conversation with a pipeline: messages, connection, actions. The account must be known, for its unsent messages.
 * @param sessionType `person` is the user's own conversation, `group` one that is shared by all
 */
export function useConversation(
  pipelineUuid: string,
  sessionType: SessionType = 'person',
  { version, model, conversation: name }: Trial & ConversationName = {},
) {
  const trial = useMemo(
    () => ({ ...(version && { version }), ...(model && { model }), ...(name && { conversation: name }) }),
    [version, model, name],
  );
  const kept = useMemo(
    () => new KeptMessages(conversationKeys(pipelineUuid, sessionType, trial).messages),
    [pipelineUuid, sessionType, trial],
  );
  const [conversation, dispatch] = useReducer(reduceConversation, undefined, () => ({
    ...emptyConversation,
    outgoing: kept.list(),
  }));
  const [connection, setConnection] = useState<ConnectionState>('connecting');
  const signIn = useLatestSignIn();
  const [loadError, setLoadError] = useState<unknown>(null);
  const socket = useRef<ChatSocket | null>(null);
  const person = useRef<string | null>(null);
  const outgoing = useRef(conversation.outgoing);
  outgoing.current = conversation.outgoing;
  /** The question up to which answers are stopped once there is a connection. */
  const stopAt = useRef<string | null>(null);
  useKeepOutgoing(kept, conversation.outgoing, connection);

  const path = { pipeline_uuid: pipelineUuid, session_type: sessionType };
  const load = useCallback(async () => {
    try {
      const { messages } = await api.get('/api/v1/pipelines/{pipeline_uuid}/ws/messages/{session_type}', {
        params: { path: { pipeline_uuid: pipelineUuid, session_type: sessionType }, query: trial },
      });
      setLoadError(null);
      dispatch({ type: 'history-loaded', messages });
    } catch (error) {
      setLoadError(error);
    }
  }, [pipelineUuid, sessionType, trial]);

  useEffect(() => kept.onRemoved((messageId) => dispatch({ type: 'message-removed', message_id: messageId })), [kept]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: after a new sign-in the connection is opened again
  useEffect(() => {
    /** Sends what another page or tab left as well. The server drops duplicates, so all can be sent again. */
    const sendOutgoing = () => {
      const left = kept.list();
      dispatch({ type: 'messages-restored', messages: left });
      for (const message of withOutgoing(outgoing.current, left)) {
        if (!message.failed) opened.send(message);
      }
    };
    const onFrame = (frame: ServerFrame) => {
      if (frame.type === 'connected') {
        const isOther = person.current !== null && person.current !== frame.person_id;
        person.current = frame.person_id;
        dispatch({ type: isOther ? 'person-changed' : 'connected' });
        void load();
        // Nothing is done in the name of another account.
        if (isOther) {
          stopAt.current = null;
          return;
        }
        // Messages that are sent only now are not meant.
        if (stopAt.current !== null) opened.stop(stopAt.current);
        stopAt.current = null;
        sendOutgoing();
      } else if (frame.type === 'user_message' || frame.type === 'response') {
        if (frame.session_type === sessionType) {
          dispatch({ type: 'message-received', message: frame.data, at: Date.now() });
        }
      } else if (frame.type === 'stopped') {
        if (frame.session_type === sessionType) dispatch({ type: 'stopped', last_id: frame.last_id });
      } else if (frame.type === 'broadcast') {
        const text = typeof frame.message === 'string' ? frame.message : JSON.stringify(frame.message);
        dispatch({ type: 'noticed', text });
      } else if (frame.type === 'error') {
        const { message, reason, message_id, missing_file } = frame;
        dispatch({ type: 'refused', message, reason, message_id, missing_file });
      }
    };
    const query = new URLSearchParams({ session_type: sessionType, ...trial });
    const address = socketAddress(`/api/v1/pipelines/${pipelineUuid}/ws/connect?${query}`);
    const opened = new ChatSocket(address, { onState: setConnection, onFrame, mayRetry });
    socket.current = opened;
    return () => opened.close();
  }, [pipelineUuid, sessionType, trial, load, kept, signIn]);

  const write = (content: Pick<OutgoingMessage, 'text' | 'attachments' | 'replaces' | 'repeats'>) => {
    // Keeps the order, also within a millisecond and when the clock is set back.
    const latest = outgoing.current.at(-1)?.written_at ?? 0;
    const message = {
      ...content,
      message_id: randomName(),
      written_at: Math.max(Date.now(), latest + 1),
      failed: false,
    };
    dispatch({ type: 'message-written', message });
    socket.current?.send(message);
  };

  return {
    ...conversation,
    connection,
    loadError,
    load,
    send: (text: string, attachments: Attachment[] = []) =>
      write({ text, ...(attachments.length > 0 && { attachments }) }),
    /** Replaces a question. @param text undefined for the same content, to get another answer */
    replace(question: ChatMessage, text?: string) {
      if (question.uuid === undefined) return;
      const attachments = attachmentsOf(question);
      const content = { text: text ?? messageParts(question).text, ...(attachments.length > 0 && { attachments }) };
      write({ ...content, replaces: question.uuid, repeats: text === undefined });
    },
    /** Stops the answers so far, or once there is a connection. */
    stop() {
      dispatch({ type: 'stop-requested' });
      if (socket.current?.stop()) return;
      stopAt.current = conversation.messages.findLast(({ role }) => role === 'user')?.uuid ?? null;
    },
    /** Drops a message that was not sent. */
    remove: (messageId: string) => dispatch({ type: 'message-removed', message_id: messageId }),
    sendAgain(messageId: string) {
      const message = conversation.outgoing.find((other) => other.message_id === messageId);
      if (message === undefined) return;
      dispatch({ type: 'message-retried', message_id: messageId });
      socket.current?.send(message);
    },
    dismiss: () => dispatch({ type: 'dismissed' }),
    async clear() {
      await api.post('/api/v1/pipelines/{pipeline_uuid}/ws/reset/{session_type}', {
        params: { path, query: trial },
      });
      dispatch({ type: 'cleared' });
    },
  };
}

/** The value of the latest sign-in; it stays when the session ends. */
function useLatestSignIn(): string | null {
  const [signIn, setSignIn] = useState(session.current);
  useEffect(() => session.subscribe(() => setSignIn((latest) => session.current() ?? latest)), []);
  return signIn;
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
