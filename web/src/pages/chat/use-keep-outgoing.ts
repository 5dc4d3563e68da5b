import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import type { ConnectionState } from './chat-socket.ts';
import type { OutgoingMessage } from './conversation.ts';
import type { KeptMessages } from './kept-messages.ts';

/** Keeps the outgoing messages in the browser. If that fails, warns once before they could be lost. */
export function useKeepOutgoing(kept: KeptMessages, outgoing: OutgoingMessage[], connection: ConnectionState) {
  const { t } = useTranslation();
  const previous = useRef(outgoing);
  const unkept = useRef(new Set<string>());
  const warned = useRef(false);

  useEffect(() => {
    for (const message of outgoing) {
      if (previous.current.includes(message)) continue;
      if (kept.set(message)) unkept.current.delete(message.message_id);
      else unkept.current.add(message.message_id);
    }
    const ids = new Set(outgoing.map(({ message_id }) => message_id));
    for (const { message_id } of previous.current) {
      if (ids.has(message_id)) continue;
      kept.remove(message_id);
      unkept.current.delete(message_id);
    }
    previous.current = outgoing;
  }, [kept, outgoing]);

  // While the connection is open, messages are stored by the server at once.
  useEffect(() => {
    const isAtRisk = connection !== 'open' || outgoing.some(({ failed }) => failed);
    if (warned.current || !isAtRisk || !outgoing.some(({ message_id }) => unkept.current.has(message_id))) return;
    warned.current = true;
    notify.warn(t('chat.notKept'));
  }, [outgoing, connection, t]);
}
