import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import { Empty } from '../../components/states/empty.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { Input } from '../../components/ui/input.tsx';
import { Label } from '../../components/ui/label.tsx';
import { Select } from '../../components/ui/select.tsx';
import { Switch } from '../../components/ui/switch.tsx';
import { VirtualList } from '../../components/virtual-list.tsx';
import { api } from '../../lib/api.ts';
import { type LogLine, logLine } from './log-line.ts';
import { type LogLevel, logLevels } from './routes.ts';

/** Polling interval, milliseconds; log lines are not in the event stream. */
const interval = 2000;
/** The server stores the last two hundred lines; this page stores more while it is open. */
const maximumLines = 3000;

interface Tail {
  lines: LogLine[];
  read: number;
  page: number;
  offset: number;
}

const key = ['system', 'logs'];
const tones: Record<string, 'bad' | 'warning' | 'neutral'> = { CRITICAL: 'bad', ERROR: 'bad', WARNING: 'warning' };

interface LogTabProps {
  level: LogLevel;
  text: string;
  onFilter: (filter: { level: LogLevel; text: string }) => void;
}

/** Log lines of the server, newest first, live. */
export function LogTab({ level, text, onFilter }: LogTabProps) {
  const { t } = useTranslation();
  const id = useId();
  const queries = useQueryClient();
  const [isFollowing, setFollowing] = useState(true);
  const query = useQuery({
    queryKey: key,
    queryFn: async (): Promise<Tail> => {
      const before = queries.getQueryData<Tail>(key) ?? { lines: [], read: 0, page: 0, offset: 0 };
      const answer = await api.get('/api/v1/logs', {
        params: { query: { start_page_number: before.page, start_offset: before.offset } },
      });
      const fresh = answer.logs.split('\n').filter((line) => line !== '');
      const added = fresh.map((line, index) => logLine(line, before.read + index)).reverse();
      return {
        lines: [...added, ...before.lines].slice(0, maximumLines),
        read: before.read + fresh.length,
        page: answer.end_page_number,
        offset: answer.end_offset,
      };
    },
    refetchInterval: isFollowing ? interval : false,
  });
  const least = logLevels.indexOf(level);
  const wanted = text.toLowerCase();
  const fits = (line: LogLine) =>
    (logLevels as readonly string[]).indexOf(line.level) >= least &&
    (wanted === '' || `${line.place} ${line.message}`.toLowerCase().includes(wanted));
  return (
    <>
      <div className="mb-4 flex flex-wrap items-end gap-3">
        <div className="space-y-1.5">
          <Label htmlFor={`${id}-level`}>{t('logs.level')}</Label>
          <Select
            id={`${id}-level`}
            className="w-52"
            value={level}
            onChange={(event) => onFilter({ level: event.target.value as LogLevel, text })}
          >
            {logLevels.map((value) => (
              <option key={value} value={value}>
                {t(`logs.levels.${value}`)}
              </option>
            ))}
          </Select>
        </div>
        <div className="min-w-48 flex-1 space-y-1.5">
          <Label htmlFor={`${id}-text`}>{t('common.search')}</Label>
          <Input
            id={`${id}-text`}
            type="search"
            value={text}
            onChange={(event) => onFilter({ level, text: event.target.value })}
          />
        </div>
        <div className="flex h-11 items-center gap-3">
          <Switch id={`${id}-follow`} checked={isFollowing} onChange={(event) => setFollowing(event.target.checked)} />
          <Label htmlFor={`${id}-follow`}>{t('logs.follow')}</Label>
        </div>
      </div>
      <Loaded query={query}>
        {({ lines }) => {
          const rows = lines.filter(fits);
          if (rows.length === 0) return <Empty icon={ScrollText} title={t('logs.empty')} text={t('logs.emptyText')} />;
          return (
            <div className="h-[70dvh] min-h-80">
              <VirtualList
                label={t('systemPage.logs')}
                rows={rows}
                rowKey={({ number }) => String(number)}
                estimatedHeight={62}
              >
                {(line) => <Line line={line} />}
              </VirtualList>
            </div>
          );
        }}
      </Loaded>
      <p className="mt-2 text-sm text-muted-foreground">{t('logs.note')}</p>
    </>
  );
}

function Line({ line }: { line: LogLine }) {
  const { t } = useTranslation();
  const known = logLevels.find((one) => one === line.level);
  return (
    <div className="px-4 py-2 font-mono text-xs leading-5">
      <p className="flex flex-wrap items-center gap-x-3 text-muted-foreground">
        <span>{line.timestamp}</span>
        <Badge tone={tones[line.level] ?? 'neutral'}>{known ? t(`logs.words.${known}`) : line.level}</Badge>
        <span className="break-all">{line.place}</span>
      </p>
      <p className="break-words">{line.message}</p>
    </div>
  );
}
