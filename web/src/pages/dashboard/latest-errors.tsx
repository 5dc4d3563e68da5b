import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Section } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { reasonWords } from '../../lib/error-text.ts';
import { nameOrGone } from '../../lib/name-or-gone.ts';
import { latestErrorsQuery } from './dashboard-queries.ts';
import type { DashboardSearch } from './dashboard-search.ts';

/** The latest errors, with links to their messages. */
export function LatestErrors({ search }: { search: DashboardSearch }) {
  const { t } = useTranslation();
  const query = useQuery(latestErrorsQuery(search));
  const { chart: _, by: __, ...rest } = search;
  return (
    <Section
      title={t('dashboard.errors.title')}
      actions={
        <Link
          to="/messages"
          search={{ range: '24h', ...rest, tab: 'errors' }}
          className="rounded py-0.5 text-sm font-medium text-primary underline underline-offset-4"
        >
          {t('dashboard.errors.all')}
        </Link>
      }
    >
      <Loaded query={query} rows={3}>
        {({ errors }) =>
          errors.length === 0 ? (
            <p className="flex items-center gap-2.5 rounded-2xl border bg-card px-4 py-3.5 text-muted-foreground">
              <CircleCheck aria-hidden className="size-5 shrink-0 text-good" />
              {t('dashboard.errors.none')}
            </p>
          ) : (
            <ul className="divide-y rounded-2xl border bg-card">
              {errors.map(({ id, message_id, error_type, error_message, bot_id, bot_name, timestamp }) => (
                <li key={id} className="px-4 py-3 text-sm">
                  <p className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
                    {message_id === null ? (
                      <span className="font-medium">{reasonWords(error_type, t)}</span>
                    ) : (
                      <Link
                        to="/messages/$uuid"
                        params={{ uuid: message_id }}
                        className="min-w-0 rounded font-medium text-pretty underline-offset-4 hover:underline"
                      >
                        {reasonWords(error_type, t)}
                      </Link>
                    )}
                    <span className="ml-auto text-xs text-muted-foreground">
                      {nameOrGone(bot_name, bot_id, t)} · <RelativeTime timestamp={timestamp} />
                    </span>
                  </p>
                  {error_message !== '' && (
                    <p className="mt-0.5 line-clamp-2 text-xs break-words text-muted-foreground">{error_message}</p>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}
