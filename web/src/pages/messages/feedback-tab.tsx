import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ThumbsUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { RelativeTime } from '../../components/relative-time.tsx';
import { nameOrGone } from '../../lib/name-or-gone.ts';
import { FeedbackContent, Opinion } from './feedback-content.tsx';
import { feedbackQuery } from './message-queries.ts';
import type { MessagesSearch } from './messages-search.ts';
import { RecordTable } from './record-table.tsx';

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Feedback on answers. */
export function FeedbackTab({ search }: { search: MessagesSearch }) {
  const { t } = useTranslation();
  const query = useQuery({
    ...feedbackQuery(search),
    placeholderData: keepPreviousData,
    select: ({ feedback, total }) => ({ rows: feedback, total }),
  });
  return (
    <RecordTable
      search={search}
      label={t('messages.tabs.feedback')}
      query={query}
      icon={ThumbsUp}
      filters="feedback"
      empty={{ title: t('messages.feedback.empty'), text: t('messages.feedback.emptyText') }}
      rowKey={({ id }) => id}
      columns={[
        {
          key: 'opinion',
          heading: t('messages.feedback.opinion'),
          isTitle: true,
          cell: ({ feedback_type }) => <Opinion type={feedback_type} />,
        },
        {
          key: 'content',
          heading: t('messages.feedback.content'),
          cell: (feedback) => <FeedbackContent feedback={feedback} />,
        },
        {
          key: 'person',
          heading: t('messages.person'),
          cell: ({ user_id }) => <span className="break-all">{user_id ?? t('common.unknown')}</span>,
        },
        { key: 'bot', heading: t('messages.bot'), cell: ({ bot_name, bot_id }) => nameOrGone(bot_name, bot_id, t) },
        { key: 'time', heading: t('messages.time'), cell: ({ timestamp }) => <RelativeTime timestamp={timestamp} /> },
        {
          key: 'message',
          heading: t('messages.message'),
          // With only the platform's id, there is no message to link to.
          cell: ({ message_id }) =>
            message_id !== null &&
            uuid.test(message_id) && (
              <Link
                to="/messages/$uuid"
                params={{ uuid: message_id }}
                className="rounded font-medium text-primary underline underline-offset-4"
              >
                {t('common.open')}
              </Link>
            ),
        },
      ]}
    />
  );
}
