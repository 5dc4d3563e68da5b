import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mayUseTool, toolUsersOf, toolUsersText } from '../../components/tool-users.ts';
import { Button } from '../../components/ui/button.tsx';
import type { Pipeline } from '../pipelines/pipeline-queries.ts';
import type { McpServer, McpTool } from './server-queries.ts';

interface ToolRunsForProps {
  server: McpServer;
  tool: McpTool;
  /** All pipelines; undefined until loaded. */
  pipelines: readonly Pipeline[] | undefined;
}

/** Pipelines that are listed at first. */
const listed = 5;

/** The pipelines that may use a tool, and for whom they run it. */
export function ToolRunsFor({ server, tool, pipelines }: ToolRunsForProps) {
  const { t } = useTranslation();
  const [isWhole, setWhole] = useState(false);
  if (pipelines === undefined) return null;
  const using = pipelines.filter((pipeline) => mayUseTool(pipeline, server.uuid, tool.name));
  if (using.length === 0) return <p className="mt-1.5 text-sm">{t('tools.runsFor.noPipeline')}</p>;
  return (
    <div className="mt-1.5 text-sm">
      <p>{t('tools.pipelines', { count: using.length })}</p>
      <ul className="mt-0.5 max-h-60 space-y-0.5 overflow-y-auto">
        {(isWhole ? using : using.slice(0, listed)).map(({ uuid, name, extensions_preferences }) => (
          <li key={uuid} className="break-words">
            <Link
              to="/pipelines/$uuid"
              params={{ uuid }}
              search={{ tab: 'extensions' }}
              className="rounded font-medium underline underline-offset-4"
            >
              {name}
            </Link>
            <span className="text-muted-foreground">
              {' – '}
              {toolUsersText(t, tool, toolUsersOf(extensions_preferences, server.uuid))}
            </span>
          </li>
        ))}
      </ul>
      {!isWhole && using.length > listed && (
        <Button variant="ghost" size="small" className="-ml-2.5" onClick={() => setWhole(true)}>
          {t('tools.allPipelines', { count: using.length })}
        </Button>
      )}
    </div>
  );
}
