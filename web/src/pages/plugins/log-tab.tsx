import { useQuery } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import { Empty } from '../../components/states/empty.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { Label } from '../../components/ui/label.tsx';
import { Switch } from '../../components/ui/switch.tsx';
import { VirtualList } from '../../components/virtual-list.tsx';
import { api } from '../../lib/api.ts';
import { exactTime } from '../../lib/number-text.ts';
import { pathOf } from './plugin-queries.ts';

/** Polling interval, milliseconds; lines are not in the event stream. */
const interval = 2000;
/** What the server keeps. */
const limit = 1000;

const tones = { error: 'bad', warn: 'warning', info: 'neutral', debug: 'neutral' } as const;

/** The latest lines of the log of a plugin, newest first, live. */
export function LogTab({ id }: { id: string }) {
  const { t, i18n } = useTranslation();
  const follow = useId();
  const [isFollowing, setFollowing] = useState(true);
  const log = useQuery({
    queryKey: ['plugins', id, 'log'],
    queryFn: async () => {
      const { lines, unreachable_replicas } = await api.get('/api/v1/plugins/{author}/{name}/logs', {
        params: { path: pathOf(id).path, query: { limit } },
      });
      return {
        lines: lines.map((line, index) => ({ ...line, key: String(index) })).reverse(),
        isOfSeveral: new Set(lines.map(({ replica }) => replica)).size > 1,
        missing: unreachable_replicas.length,
      };
    },
    refetchInterval: isFollowing ? interval : false,
  });
  return (
    <>
      <div className="mb-4 flex items-center gap-3">
        <Switch id={follow} checked={isFollowing} onChange={(event) => setFollowing(event.target.checked)} />
        <Label htmlFor={follow}>{t('logs.follow')}</Label>
      </div>
      <Loaded query={log}>
        {({ lines, isOfSeveral, missing }) => (
          <>
            {missing > 0 && <p className="mb-2 text-sm">{t('plugins.logMissing', { count: missing })}</p>}
            {lines.length === 0 ? (
              <Empty icon={ScrollText} title={t('plugins.logEmpty')} text={t('plugins.logEmptyText')} />
            ) : (
              <div className="h-[60dvh] min-h-80">
                <VirtualList label={t('plugins.log')} rows={lines} rowKey={({ key }) => key} estimatedHeight={58}>
                  {({ at, level, text, replica }) => (
                    <div className="px-4 py-2 font-mono text-xs leading-5">
                      <p className="flex flex-wrap items-center gap-x-3 text-muted-foreground">
                        <time dateTime={at}>{exactTime(at, i18n.language)}</time>
                        <Badge tone={tones[level]}>{t(`plugins.levels.${level}`)}</Badge>
                        {isOfSeveral && <span>{t('plugins.logReplica', { replica })}</span>}
                      </p>
                      <p className="break-words whitespace-pre-wrap">{text}</p>
                    </div>
                  )}
                </VirtualList>
              </div>
            )}
          </>
        )}
      </Loaded>
      <p className="mt-2 text-sm text-muted-foreground">{t('plugins.logNote')}</p>
    </>
  );
}
