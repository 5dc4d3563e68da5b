import { RotateCcw, X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../../lib/class-names.ts';
import type { ChatMessage, Conversation, OutgoingMessage } from './conversation.ts';
import { messageParts } from './message-parts.ts';
import { BotMessage, MessageView, UserMessage } from './message-view.tsx';
import type { useConversation } from './use-conversation.ts';

interface MessageListProps {
  chat: ReturnType<typeof useConversation>;
  botName: string;
  /** Actions of a message. Should be a stable function. */
  actionsOf?: ((message: ChatMessage) => ReactNode) | undefined;
}

/** A rule of the pipeline may prevent an answer; the waiting indicator disappears after this time. */
const longestWait = 120_000;

/** All messages, pending ones last, and an indicator while an answer is expected. */
export function MessageList({ chat, botName, actionsOf }: MessageListProps) {
  const { t } = useTranslation();
  const waiting = useWaiting(chat.waitingSince);
  const last = chat.messages.at(-1);
  return (
    <>
      <ol
        aria-label={t('chat.log')}
        aria-busy={!chat.loaded}
        // Receives the focus from a message that is removed.
        tabIndex={-1}
        className="flex flex-1 flex-col gap-7 pt-6 pb-8 outline-none"
      >
        {chat.messages.map((message) => (
          <MessageView key={message.id} message={message} botName={botName} actionsOf={actionsOf} />
        ))}
        {waiting && <BotMessage botName={botName} streaming />}
        {chat.outgoing.map((message) => (
          <UserMessage
            key={message.message_id}
            text={message.text}
            note={<DeliveryNote message={message} chat={chat} />}
          />
        ))}
      </ol>
      <Announcement chat={chat} last={last} waiting={waiting} />
    </>
  );
}

function DeliveryNote({ message, chat }: { message: OutgoingMessage; chat: MessageListProps['chat'] }) {
  const { t } = useTranslation();
  const isQueued = chat.connection !== 'open';
  if (!message.failed && !isQueued) return <p className="text-xs text-muted-foreground">{t('chat.sending')}</p>;
  return (
    <p
      className={classNames(
        'flex flex-wrap items-center justify-end gap-x-3 gap-y-1 text-xs',
        message.failed ? 'text-destructive' : 'text-muted-foreground',
      )}
    >
      {t(message.failed ? 'chat.notSent' : 'chat.waiting')}
      {message.failed && (
        <button type="button" onClick={() => chat.sendAgain(message.message_id)} className={noteButton}>
          <RotateCcw aria-hidden className="size-3.5" />
          {t('chat.sendAgain')}
        </button>
      )}
      <button
        type="button"
        aria-label={t('chat.removeNamed', { text: message.text.slice(0, 60) })}
        onClick={({ currentTarget }) => {
          currentTarget.closest('ol')?.focus({ preventScroll: true });
          chat.remove(message.message_id);
        }}
        className={noteButton}
      >
        <X aria-hidden className="size-3.5" />
        {t('chat.remove')}
      </button>
    </p>
  );
}

const noteButton = 'inline-flex min-h-6 items-center gap-1 rounded font-medium underline underline-offset-4';

interface AnnouncementProps {
  chat: Conversation;
  last: ChatMessage | undefined;
  waiting: boolean;
}

/** For screen readers: announces that an answer is being written, and then the complete answer, not each chunk. */
function Announcement({ chat, last, waiting }: AnnouncementProps) {
  const { t } = useTranslation();
  const answer = last?.role === 'assistant' && chat.live.has(last.id) ? last : undefined;
  const streaming = waiting || answer?.is_final === false;
  return (
    <div role="status" aria-live="polite" className="sr-only">
      {streaming ? t('chat.answering') : answer && messageParts(answer).text}
    </div>
  );
}

function useWaiting(since: number | null): boolean {
  const [overdue, setOverdue] = useState<number | null>(null);
  useEffect(() => {
    if (since === null) return;
    const timer = setTimeout(() => setOverdue(since), longestWait);
    return () => clearTimeout(timer);
  }, [since]);
  return since !== null && overdue !== since;
}
