import { Link } from '@tanstack/react-router';
import { ArrowDownLeft, ArrowUpRight } from 'lucide-react';
import { lazy, memo, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { RelativeTime } from '../../components/relative-time.tsx';
import { reasonWords } from '../../lib/error-text.ts';
import type { Message } from './message-queries.ts';
import { MessageState } from './message-state.tsx';
import { writerOf } from './message-words.ts';

interface MessageRowProps {
  message: Message;
  botName: string;
}

const previewLength = 300;
const markdownMarks = /[*_`#|[\]<>~\\&]|^\s*(?:[-+]|\d+[.)])\s/m;
// The list is there before its parser.
const MarkdownPreview = lazy(async () => ({ default: (await import('./markdown-preview.tsx')).MarkdownPreview }));

/** The message that was opened last, to restore the focus. */
let opened: string | null = null;

/** One row of the list; all of it is a link. */
export const MessageRow = memo(function MessageRow({ message, botName }: MessageRowProps) {
  const { t } = useTranslation();
  const { uuid, direction, text, created_at } = message;
  const reason = message.failure ?? message.reason;
  const isInbound = direction === 'inbound';
  const start = text.slice(0, previewLength);
  // Models write Markdown; users write what they mean.
  const isMarkdown = !isInbound && markdownMarks.test(start);
  const Arrow = isInbound ? ArrowDownLeft : ArrowUpRight;
  const cause = reason === null || reason === 'answered' ? null : reasonWords(reason, t);
  return (
    <Link
      to="/messages/$uuid"
      params={{ uuid }}
      preload={false}
      ref={(element: HTMLAnchorElement | null) => {
        if (element === null || opened !== uuid) return;
        opened = null;
        element.focus({ preventScroll: true });
      }}
      onClick={() => {
        opened = uuid;
      }}
      className="flex items-start gap-3 px-4 py-2.5 -outline-offset-2 transition-colors hover:bg-muted/60"
    >
      <Arrow
        role="img"
        aria-label={t(`messages.directions.${direction}`)}
        className={
          isInbound ? 'mt-0.5 size-4.5 shrink-0 text-primary' : 'mt-0.5 size-4.5 shrink-0 text-muted-foreground'
        }
      />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-x-2 text-sm">
          <span className="min-w-0 truncate font-medium">{writerOf(message, botName)}</span>
          <span className="min-w-0 flex-1 truncate text-muted-foreground" title={message.session_id}>
            {otherSide(message, botName)}
          </span>
          <span className="shrink-0 text-xs text-muted-foreground">
            <RelativeTime timestamp={created_at} />
          </span>
        </span>
        <span className="mt-0.5 flex items-center gap-3 text-sm">
          <span className="min-w-0 flex-1 truncate">
            {isMarkdown ? (
              <Suspense fallback={start}>
                <MarkdownPreview text={text} longest={previewLength} />
              </Suspense>
            ) : (
              start || t('messages.noText')
            )}
          </span>
          {cause !== null && (
            <span className="max-w-72 min-w-0 truncate text-xs text-muted-foreground max-md:hidden" title={cause}>
              {cause}
            </span>
          )}
          <MessageState message={message} />
        </span>
      </span>
    </Link>
  );
});

/** The other side: the bot for a user's message, the user or group for a bot's; by name if it is known. */
function otherSide({ direction, session_type, session_id, session_name }: Message, botName: string): string {
  const name = session_name ?? session_id;
  if (direction === 'outbound') return name;
  return session_type === 'group' ? `${botName} · ${name}` : botName;
}
