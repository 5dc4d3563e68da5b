import type { components } from '@parley/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Loading } from '../../components/states/loading.tsx';
import { Failure } from '../../components/states/page-failure.tsx';
import { Button } from '../../components/ui/button.tsx';
import { api } from '../../lib/api.ts';
import { classNames } from '../../lib/class-names.ts';
import { reasonText } from '../../lib/error-text.ts';
import type { Bot } from './bot-queries.ts';

type Message = components['schemas']['Message'];

interface ConversationMessagesProps {
  bot: Bot;
  /** `person_<id>` or `group_<id>`. */
  session: string;
}

/** What was said in a conversation, the latest last. */
export function ConversationMessages({ bot, session }: ConversationMessagesProps) {
  const { t } = useTranslation();
  const log = useInfiniteQuery({
    queryKey: ['messages', 'of-session', bot.uuid, session],
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      api.get('/api/v1/messages', {
        params: {
          query: {
            bot_uuid: bot.uuid,
            session_type: session.startsWith('group_') ? 'group' : 'person',
            session_id: session.replace(/^(person|group)_/, ''),
            limit: 50,
            ...(pageParam === '' ? {} : { cursor: pageParam }),
          },
        },
      }),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
  if (log.isError && log.data === undefined) return <Failure error={log.error} onRetry={() => void log.refetch()} />;
  if (log.data === undefined) return <Loading />;
  const messages = log.data.pages.flatMap((page) => page.messages).toReversed();
  return (
    <div className="rounded-2xl border bg-card p-4 sm:p-5">
      {log.hasNextPage && (
        <div className="mb-4 text-center">
          <Button
            variant="outline"
            size="small"
            disabled={log.isFetchingNextPage}
            onClick={() => void log.fetchNextPage()}
          >
            {t('bots.earlier')}
          </Button>
        </div>
      )}
      {messages.length === 0 && <p className="py-8 text-center text-muted-foreground">{t('bots.noMessages')}</p>}
      <ol aria-label={t('chat.log')} className="space-y-4">
        {messages.map((message) => (
          <MessageRow key={message.uuid} message={message} />
        ))}
      </ol>
    </div>
  );
}

function MessageRow({ message }: { message: Message }) {
  const { t } = useTranslation();
  const isBot = message.direction === 'outbound';
  const isBad = message.state === 'failed' || message.delivery_state === 'failed';
  // What went well needs no word.
  const reason = message.reason === 'answered' ? null : message.reason;
  return (
    <li className={classNames('max-w-2xl', isBot && 'ml-auto')}>
      <p className="mb-1 flex flex-wrap items-baseline gap-x-2 text-xs text-muted-foreground">
        <span className="font-medium text-foreground break-all">
          {isBot ? t('bots.byBot') : message.sender_name || message.sender_id}
        </span>
        <RelativeTime moment={message.created_at} />
      </p>
      <p
        className={classNames(
          'rounded-2xl px-4 py-2.5 break-words whitespace-pre-wrap',
          isBot ? 'bg-bubble' : 'bg-muted',
          message.text === '' && 'text-muted-foreground italic',
        )}
      >
        {message.text === '' ? t('bots.notText') : message.text}
      </p>
      {reason !== null && (
        <p className="mt-1 text-xs">
          <Badge tone={isBad ? 'bad' : 'neutral'}>{reasonText(reason, t) ?? reason}</Badge>
        </p>
      )}
    </li>
  );
}
