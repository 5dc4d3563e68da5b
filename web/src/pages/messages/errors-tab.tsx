import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { RelativeTime } from '../../components/relative-time.tsx';
import { reasonWords } from '../../lib/error-text.ts';
import { nameOrGone } from '../../lib/name-or-gone.ts';
import { errorsQuery } from './message-queries.ts';
import type { MessagesSearch } from './messages-search.ts';
import { RecordTable } from './record-table.tsx';

/** Errors of messages, calls and deliveries. */
export function ErrorsTab({ search }: { search: MessagesSearch }) {
  const { t } = useTranslation();
  const query = useQuery({
    ...errorsQuery(search),
    placeholderData: keepPreviousData,
    select: ({ errors, total }) => ({ rows: errors, total }),
  });
  return (
    <RecordTable
      search={search}
      label={t('messages.tabs.errors')}
      query={query}
      icon={CircleCheck}
      empty={{ title: t('messages.errors.empty'), text: t('messages.errors.emptyText') }}
      rowKey={({ id }) => id}
      columns={[
        {
          key: 'reason',
          heading: t('messages.reason'),
          isTitle: true,
          cell: ({ error_type, error_message, message_id }) => (
            <div className="max-w-xl">
              {message_id === null ? (
                reasonWords(error_type, t)
              ) : (
                <Link
                  to="/messages/$uuid"
                  params={{ uuid: message_id }}
                  className="rounded text-pretty underline-offset-4 hover:underline"
                >
                  {reasonWords(error_type, t)}
                </Link>
              )}
              {error_message !== '' && (
                <p
                  className="mt-0.5 line-clamp-2 text-xs font-normal break-words text-muted-foreground"
                  title={error_message}
                >
                  {error_message}
                </p>
              )}
            </div>
          ),
        },
        { key: 'bot', heading: t('messages.bot'), cell: ({ bot_name, bot_id }) => nameOrGone(bot_name, bot_id, t) },
        {
          key: 'pipeline',
          heading: t('messages.pipeline'),
          cell: ({ pipeline_name, pipeline_id }) => nameOrGone(pipeline_name, pipeline_id, t),
        },
        { key: 'time', heading: t('messages.time'), cell: ({ timestamp }) => <RelativeTime timestamp={timestamp} /> },
      ]}
    />
  );
}
