import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../../lib/class-names.ts';
import { reasonWords } from '../../lib/error-text.ts';
import { dateFormat } from '../../lib/formats.ts';
import { MessageContent } from './message-content.tsx';
import type { Message } from './message-queries.ts';
import { MessageState } from './message-state.tsx';
import { writerOf } from './message-words.ts';

interface ConversationMessageProps {
  message: Message;
  botName: string;
  /** Heading above it when the day changes. */
  day: string | null;
  /** A new conversation starts with this message. */
  isNewConversation: boolean;
}

/** A message in its conversation. */
export const ConversationMessage = memo(function ConversationMessage(properties: ConversationMessageProps) {
  const { message, botName, day, isNewConversation } = properties;
  const { t, i18n } = useTranslation();
  const isInbound = message.direction === 'inbound';
  const { reason } = message;
  const notes = [day, isNewConversation ? t('messages.conversation.newConversation') : null].filter(
    (note) => note !== null,
  );
  return (
    // Off-screen messages need no layout.
    <li className="[contain-intrinsic-size:auto_7rem] [content-visibility:auto]">
      {notes.length > 0 && (
        <p className="my-5 flex items-center gap-3 text-xs text-muted-foreground before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border">
          {notes.join(' · ')}
        </p>
      )}
      <div
        className={classNames(
          'w-fit max-w-[min(46rem,94%)] min-w-48 rounded-2xl border px-4 py-3',
          isInbound ? 'rounded-bl-md bg-card' : 'ml-auto rounded-br-md bg-bubble/60',
        )}
      >
        <div className="mb-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted-foreground">
          <span className="min-w-0 text-sm font-medium break-words text-foreground">{writerOf(message, botName)}</span>
          <Link
            to="/messages/$uuid"
            params={{ uuid: message.uuid }}
            className="rounded py-1 underline-offset-4 hover:underline"
          >
            <time dateTime={message.created_at}>
              {dateFormat(i18n.language, { timeStyle: 'short' }).format(Date.parse(message.created_at))}
            </time>
            <span className="sr-only"> {t('messages.conversation.open')}</span>
          </Link>
          <span className="ml-auto">
            <MessageState message={message} />
          </span>
        </div>
        <MessageContent message={message} opensSources />
        {reason !== null && reason !== 'answered' && (
          <p className="mt-2 text-xs text-muted-foreground">{reasonWords(reason, t)}</p>
        )}
      </div>
    </li>
  );
});
