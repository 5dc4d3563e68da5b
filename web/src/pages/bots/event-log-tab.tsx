import type { components } from '@parley/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import type { Bot } from '../../components/bots/bot-queries.ts';
import { MoreRows } from '../../components/more-rows.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Empty } from '../../components/states/empty.tsx';
import { Loading } from '../../components/states/loading.tsx';
import { Failure } from '../../components/states/page-failure.tsx';
import { Label } from '../../components/ui/label.tsx';
import { Select } from '../../components/ui/select.tsx';
import { VirtualList } from '../../components/virtual-list.tsx';
import { api } from '../../lib/api.ts';
import { serverAddress } from '../../lib/server-address.ts';
import { eventText } from './event-text.ts';
import { knownSessionsQuery, nameOfSession } from './known-sessions.ts';
import { type LogLevel, logLevels } from './routes.ts';

type BotEvent = components['schemas']['BotEvent'];

const route = getRouteApi('/console/bots/$uuid');
const tones = { debug: 'neutral', info: 'busy', warning: 'warning', error: 'bad' } as const;
/** Entries per request, the maximum of the server. */
const window = 200;

/** The event log of a bot, newest first, live. */
export function EventLogTab({ bot }: { bot: Bot }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const field = useId();
  const { level = 'info' } = route.useSearch();
  const log = useInfiniteQuery({
    queryKey: ['bot-log', bot.uuid],
    initialPageParam: -1,
    queryFn: ({ pageParam }) =>
      api.post('/api/v1/platform/bots/{bot_uuid}/logs', {
        params: { path: { bot_uuid: bot.uuid } },
        body: { from_index: pageParam, max_count: window },
      }),
    getNextPageParam: ({ logs }) => {
      const oldest = logs[0];
      return oldest === undefined || oldest.seq_id === 0 || logs.length < window ? undefined : oldest.seq_id - 1;
    },
  });

  const sessions = useQuery(knownSessionsQuery(bot.uuid)).data ?? [];
  const names = new Map(sessions.map((session) => [session.session_id, nameOfSession(session) || undefined]));

  if (log.isError && log.data === undefined) return <Failure error={log.error} onRetry={() => void log.refetch()} />;
  if (log.data === undefined) return <Loading />;
  const entries = log.data.pages.flatMap(({ logs }) => logs.toReversed());
  const shown = entries.filter((entry) => logLevels.indexOf(entry.level) >= logLevels.indexOf(level));
  const total = log.data.pages[0]?.total_count ?? 0;
  // How many there are of some levels only, is known when all are loaded.
  const count = level === 'debug' ? total : log.hasNextPage ? null : shown.length;

  if (total === 0) return <Empty icon={ScrollText} title={t('bots.logEmpty')} text={t('bots.logEmptyText')} />;
  return (
    <>
      <div className="mb-4 flex flex-wrap items-end justify-between gap-3">
        <div className="w-64 space-y-1.5">
          <Label htmlFor={field}>{t('bots.level')}</Label>
          <Select
            id={field}
            value={level}
            onChange={(event) =>
              void navigate({
                to: '/bots/$uuid',
                params: { uuid: bot.uuid },
                search: { tab: 'log', level: event.target.value as LogLevel },
                replace: true,
              })
            }
          >
            {logLevels.map((one) => (
              <option key={one} value={one}>
                {t(`bots.levels.${one}`)}
              </option>
            ))}
          </Select>
        </div>
        {count !== null && <p className="text-sm text-muted-foreground">{t('bots.logCount', { count })}</p>}
      </div>
      {shown.length === 0 && !log.hasNextPage ? (
        <Empty icon={ScrollText} title={t('bots.logNone')} text={t('bots.logNoneText')} />
      ) : (
        <div className="h-[max(24rem,calc(100dvh-24rem))]">
          <VirtualList
            label={t('bots.log')}
            rows={shown}
            rowKey={({ seq_id }) => String(seq_id)}
            estimatedHeight={52}
            onEnd={() => {
              if (log.hasNextPage && !log.isFetching && !log.isFetchNextPageError) void log.fetchNextPage();
            }}
          >
            {(entry) => <Entry entry={entry} name={names.get(entry.message_session_id)} />}
          </VirtualList>
        </div>
      )}
      <MoreRows query={log} isAutomatic />
    </>
  );
}

/** @param name of the user or group that it is about */
function Entry({ entry, name }: { entry: BotEvent; name: string | undefined }) {
  const { t, i18n } = useTranslation();
  const { reason, text } = entry;
  const translated = eventText(entry, i18n.language, t);
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-2.5 text-sm">
      <span className="w-24 shrink-0">
        <Badge tone={tones[entry.level]}>{t(`bots.levelNames.${entry.level}`)}</Badge>
      </span>
      <div className="min-w-0 flex-1 basis-64">
        {entry.message_session_id !== '' && (
          <span className="mr-2 break-all text-muted-foreground" title={entry.message_session_id}>
            {name ?? entry.message_session_id}
          </span>
        )}
        {translated === null ? (
          <span className="break-words whitespace-pre-wrap">{text}</span>
        ) : (
          <>
            <span className="break-words">{translated}</span>
            {reason !== null && <span className="mt-0.5 block break-words text-muted-foreground">{text}</span>}
          </>
        )}
        {entry.images.length > 0 && (
          <span className="mt-2 flex flex-wrap gap-2">
            {entry.images.map((key) => (
              <img
                key={key}
                src={`${serverAddress}/api/v1/files/image/${encodeURIComponent(key)}`}
                alt={t('bots.image')}
                loading="lazy"
                className="h-20 rounded-lg border"
              />
            ))}
          </span>
        )}
      </div>
      <span className="text-muted-foreground">
        <RelativeTime timestamp={new Date(entry.timestamp * 1000).toISOString()} />
      </span>
    </div>
  );
}
