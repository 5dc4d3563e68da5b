import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Wrench } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Empty } from '../../components/states/empty.tsx';
import { Input } from '../../components/ui/input.tsx';
import { Label } from '../../components/ui/label.tsx';
import { pipelinesQuery } from '../pipelines/pipeline-queries.ts';
import type { McpServer } from './server-queries.ts';
import { ToolCard } from './tool-card.tsx';
import { ConfirmSuggestions, ToolReadOnly } from './tool-read-only.tsx';
import { ToolRun } from './tool-run.tsx';
import { ToolRunsFor } from './tool-runs-for.tsx';

const route = getRouteApi('/console/tools/servers/$uuid');

/** Minimum number of tools for a search field. */
const manyTools = 6;

/** The tools of a server. */
export function ServerTools({ server }: { server: McpServer }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { find = '' } = route.useSearch();
  const field = useId();
  const pipelines = useQuery(pipelinesQuery);
  const { runtime_info: info } = server;
  if (info === null) return <p className="text-muted-foreground">{t('tools.off')}</p>;
  if (info.tools.length === 0) {
    return info.status === 'connected' ? (
      <Empty icon={Wrench} title={t('tools.noTools')} text={t('tools.noToolsText')} />
    ) : (
      <p className="text-muted-foreground">{t('tools.waiting')}</p>
    );
  }
  const text = find.trim().toLowerCase();
  const found = info.tools.filter(({ name, description }) =>
    [name, description].some((words) => words.toLowerCase().includes(text)),
  );
  return (
    <div className="max-w-3xl">
      {info.status !== 'connected' && <p className="mb-4 text-muted-foreground">{t('tools.lastKnown')}</p>}
      {info.tools.length >= manyTools && (
        <div className="mb-4 max-w-sm space-y-1.5">
          <Label htmlFor={field}>{t('tools.findTool')}</Label>
          <Input
            id={field}
            type="search"
            value={find}
            onChange={({ target: { value } }) =>
              void navigate({
                to: '/tools/servers/$uuid',
                params: { uuid: server.uuid },
                search: value === '' ? {} : { find: value },
                replace: true,
              })
            }
          />
        </div>
      )}
      <p className="mb-4 text-sm text-pretty text-muted-foreground">{t('tools.readOnlyText')}</p>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <p role="status" className="text-sm text-muted-foreground">
          {found.length === 0 ? t('tools.noneFound') : t('tools.count', { count: found.length })}
        </p>
        <ConfirmSuggestions server={server} tools={found} />
      </div>
      <ul className="space-y-2.5">
        {found.map((tool) => (
          <ToolCard key={tool.name} tool={tool}>
            <ToolRunsFor server={server} tool={tool} pipelines={pipelines.data?.pipelines} />
            <ToolReadOnly server={server} tool={tool} />
            <ToolRun server={server} tool={tool} />
          </ToolCard>
        ))}
      </ul>
    </div>
  );
}
