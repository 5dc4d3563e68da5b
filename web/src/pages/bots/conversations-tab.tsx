import type { components } from '@parley/client';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { MessagesSquare, User, Users } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Bot } from '../../components/bots/bot-queries.ts';
import { MoreRows } from '../../components/more-rows.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Empty } from '../../components/states/empty.tsx';
import { Loading } from '../../components/states/loading.tsx';
import { Failure } from '../../components/states/page-failure.tsx';
import { api } from '../../lib/api.ts';
import { classNames } from '../../lib/class-names.ts';
import { ConversationMessages } from './conversation-messages.tsx';

type Session = components['schemas']['MonitoredSession'];

const route = getRouteApi('/console/bots/$uuid');
/** Conversations per request. */
const pageSize = 50;

/** The conversations of a bot, with their messages. */
export function ConversationsTab({ bot }: { bot: Bot }) {
  const { t } = useTranslation();
  const { session } = route.useSearch();
  const sessions = useInfiniteQuery({
    queryKey: ['messages', 'sessions', bot.uuid],
    initialPageParam: 0,
    queryFn: ({ pageParam }) =>
      api.get('/api/v1/monitoring/sessions', {
        params: { query: { botId: bot.uuid, limit: pageSize, offset: pageParam } },
      }),
    getNextPageParam: ({ offset, total, sessions: page }) =>
      page.length > 0 && offset + page.length < total ? offset + page.length : undefined,
    placeholderData: keepPreviousData,
  });

  if (sessions.isError && sessions.data === undefined) {
    return <Failure error={sessions.error} onRetry={() => void sessions.refetch()} />;
  }
  if (sessions.data === undefined) return <Loading />;
  const rows = sessions.data.pages.flatMap((page) => page.sessions);
  if (rows.length === 0 && session === undefined) {
    return <Empty icon={MessagesSquare} title={t('bots.noChats')} text={t('bots.noChatsText')} />;
  }
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[20rem_minmax(0,1fr)]">
      <nav aria-label={t('bots.chats')} className={classNames(session !== undefined && 'max-lg:hidden')}>
        <ul className="divide-y overflow-hidden rounded-2xl border bg-card">
          {rows.map((row) => (
            <li key={row.session_id}>
              <SessionLink bot={bot} session={row} isChosen={row.session_id === session} />
            </li>
          ))}
        </ul>
        <MoreRows query={sessions} />
      </nav>
      {session === undefined ? (
        <p className="py-16 text-center text-muted-foreground max-lg:hidden">{t('bots.chooseChat')}</p>
      ) : (
        <div className="min-w-0">
          <Link
            to="/bots/$uuid"
            params={{ uuid: bot.uuid }}
            search={{ tab: 'conversations' }}
            className="mb-3 inline-block rounded text-sm text-muted-foreground underline-offset-4 hover:underline lg:hidden"
          >
            {t('bots.backToChats')}
          </Link>
          <ConversationMessages key={session} bot={bot} session={session} />
        </div>
      )}
    </div>
  );
}

function SessionLink({ bot, session, isChosen }: { bot: Bot; session: Session; isChosen: boolean }) {
  const { t } = useTranslation();
  const isGroup = session.session_id.startsWith('group_');
  const Icon = isGroup ? Users : User;
  const id = session.session_id.replace(/^(person|group)_/, '');
  const name = (isGroup ? session.group_name : session.user_name) || id;
  return (
    <Link
      to="/bots/$uuid"
      params={{ uuid: bot.uuid }}
      search={{ tab: 'conversations', session: session.session_id }}
      aria-current={isChosen ? 'true' : undefined}
      className={classNames(
        'flex items-start gap-3 px-4 py-3 text-sm -outline-offset-2 transition-colors hover:bg-muted',
        isChosen && 'bg-muted',
      )}
    >
      <Icon aria-label={t(isGroup ? 'bots.group' : 'bots.person')} className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium" title={id}>
          {name}
        </span>
        <span className="block text-muted-foreground">
          {t('bots.messageCount', { count: session.message_count })}
          {' · '}
          <RelativeTime timestamp={session.last_activity} />
        </span>
      </span>
    </Link>
  );
}
