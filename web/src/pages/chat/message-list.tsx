import { RotateCcw } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
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
      <ol aria-label={t('chat.log')} aria-busy={!chat.loaded} className="flex flex-1 flex-col gap-7 pt-6 pb-8">
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
  if (message.failed) {
    return (
      <p className="flex items-center gap-2 text-xs text-destructive">
        {t('chat.notSent')}
        <button
          type="button"
          onClick={() => chat.sendAgain(message.message_id)}
          className="inline-flex items-center gap-1 rounded font-medium underline underline-offset-4"
        >
          <RotateCcw aria-hidden className="size-3.5" />
          {t('chat.sendAgain')}
        </button>
      </p>
    );
  }
  return (
    <p className="text-xs text-muted-foreground">{t(chat.connection === 'open' ? 'chat.sending' : 'chat.waiting')}</p>
  );
}

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
