import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Users } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { nameOrGone } from '../../lib/name-or-gone.ts';
import { sessionOf, sessionsQuery } from './message-queries.ts';
import type { MessagesSearch } from './messages-search.ts';
import { RecordTable } from './record-table.tsx';

/** Users and groups that bots talk with, by their last activity. */
export function ConversationsTab({ search }: { search: MessagesSearch }) {
  const { t } = useTranslation();
  const query = useQuery({
    ...sessionsQuery(search),
    placeholderData: keepPreviousData,
    select: ({ sessions, total }) => ({ rows: sessions, total }),
  });
  return (
    <RecordTable
      search={search}
      label={t('messages.tabs.conversations')}
      query={query}
      icon={Users}
      empty={{ title: t('messages.conversations.empty'), text: t('messages.conversations.emptyText') }}
      rowKey={({ bot_id, session_id }) => `${bot_id} ${session_id}`}
      columns={[
        {
          key: 'with',
          heading: t('messages.conversations.with'),
          isTitle: true,
          cell: ({ bot_id, session_id, user_name, group_name }) => {
            const { session_type, session_id: id } = sessionOf(session_id);
            return (
              <Link
                to="/messages/conversation"
                search={{ bot: bot_id, session: session_id }}
                title={id}
                className="rounded break-words underline-offset-4 hover:underline"
              >
                {session_type === 'group' ? t('messages.groupNamed', { name: group_name ?? id }) : user_name || id}
              </Link>
            );
          },
        },
        { key: 'bot', heading: t('messages.bot'), cell: ({ bot_name, bot_id }) => nameOrGone(bot_name, bot_id, t) },
        {
          key: 'pipeline',
          heading: t('messages.pipeline'),
          cell: ({ pipeline_name, pipeline_id }) => nameOrGone(pipeline_name, pipeline_id, t),
        },
        {
          key: 'count',
          heading: t('messages.conversations.count'),
          align: 'end',
          cell: ({ message_count }) => message_count,
        },
        {
          key: 'activity',
          heading: t('messages.conversations.last'),
          cell: ({ last_activity, is_active }) => (
            <span className="inline-flex flex-wrap items-center gap-2">
              <RelativeTime timestamp={last_activity} />
              {is_active && <Badge tone="good">{t('messages.conversations.active')}</Badge>}
            </span>
          ),
        },
      ]}
    />
  );
}
