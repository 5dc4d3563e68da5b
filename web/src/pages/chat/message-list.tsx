import { RotateCcw, X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../../lib/class-names.ts';
import { markdownText } from '../../lib/markdown-text.ts';
import { FileNames } from './attachment-list.tsx';
import type { ChatMessage, Conversation, OutgoingMessage } from './conversation.ts';
import { lastQuestion, messageGroups } from './message-groups.ts';
import { messageParts } from './message-parts.ts';
import { BotMessage, MessageView, UserMessage } from './message-view.tsx';
import type { useConversation } from './use-conversation.ts';

interface MessageListProps {
  chat: ReturnType<typeof useConversation>;
  botName: string;
  /** Actions of a message. Should be a stable function. */
  actionsOf?: ((message: ChatMessage) => ReactNode) | undefined;
  /** Whether all questions are the user's own, who may replace them. */
  mayEdit?: boolean;
}

/** A rule of the pipeline may prevent an answer; the waiting indicator disappears after this time. */
const longestWait = 120_000;

/** All messages, pending ones last, and an indicator while an answer is expected. */
export function MessageList({ chat, botName, actionsOf, mayEdit = false }: MessageListProps) {
  const { t } = useTranslation();
  const waiting = useWaiting(chat.waitingSince);
  const last = chat.messages.at(-1);
  const question = mayEdit ? lastQuestion(chat.messages) : undefined;
  const isBusy = waiting || chat.outgoing.length > 0 || last?.is_final === false;
  const regenerated = question !== undefined && !isBusy && last?.role === 'assistant' ? last : undefined;
  const regenerate = () => question !== undefined && chat.replace(question);
  return (
    <>
      <ol
        aria-label={t('chat.log')}
        aria-busy={!chat.loaded}
        // Receives the focus from a message that is removed.
        tabIndex={-1}
        className="flex flex-1 flex-col gap-7 pt-6 pb-8 outline-none"
      >
        {messageGroups(chat.messages).map(({ isReplaced, messages }) =>
          isReplaced ? (
            <ReplacedMessages key={`replaced-${messages[0]?.id}`} messages={messages} botName={botName} />
          ) : (
            messages.map((message) => (
              <MessageView
                key={message.id}
                message={message}
                botName={botName}
                actionsOf={actionsOf}
                onRegenerate={message === regenerated ? regenerate : undefined}
                onEdit={mayEdit && message.role === 'user' && message.uuid !== undefined ? chat.replace : undefined}
              />
            ))
          ),
        )}
        {waiting && <BotMessage botName={botName} streaming />}
        {chat.outgoing.map((message) => (
          <UserMessage
            key={message.message_id}
            text={message.text}
            pictures={message.attachments !== undefined && <FileNames files={message.attachments} />}
            note={<DeliveryNote message={message} chat={chat} />}
          />
        ))}
      </ol>
      <Announcement chat={chat} last={last} waiting={waiting} />
    </>
  );
}

/** What another message replaced, folded. */
function ReplacedMessages({ messages, botName }: { messages: ChatMessage[]; botName: string }) {
  const { t } = useTranslation();
  return (
    <li>
      <details className="rounded-xl border border-dashed px-4 py-2">
        <summary className="cursor-pointer rounded text-sm text-muted-foreground">
          {t('chat.replaced', { count: messages.length })}
        </summary>
        <ol aria-label={t('chat.replaced', { count: messages.length })} className="flex flex-col gap-7 pt-5 pb-3">
          {messages.map((message) => (
            <MessageView key={message.id} message={message} botName={botName} />
          ))}
        </ol>
      </details>
    </li>
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
      {streaming ? t('chat.answering') : answer && markdownText(messageParts(answer).text)}
    </div>
  );
}

/** Whether an answer is written or expected, so that it can be stopped. */
export function useIsAnswering({ waitingSince, messages }: Conversation): boolean {
  const waiting = useWaiting(waitingSince);
  return waiting || messages.findLast(({ role }) => role === 'assistant')?.is_final === false;
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
