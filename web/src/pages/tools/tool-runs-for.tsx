import { useTranslation } from 'react-i18next';
import { toolUsersOf, toolUsersText, usesServer } from '../../components/tool-users.ts';
import type { Pipeline } from '../pipelines/pipeline-queries.ts';
import type { McpServer, McpTool } from './server-queries.ts';

interface ToolRunsForProps {
  server: McpServer;
  tool: McpTool;
  /** All that there are; undefined while they are not known. */
  pipelines: readonly Pipeline[] | undefined;
}

/** For whom a tool runs, in each pipeline that may use it. */
export function ToolRunsFor({ server, tool, pipelines }: ToolRunsForProps) {
  const { t } = useTranslation();
  if (pipelines === undefined) return null;
  const users = pipelines
    .filter(({ extensions_preferences }) => usesServer(extensions_preferences, server.uuid))
    .map(({ name, extensions_preferences }) => {
      const text = toolUsersText(t, tool, toolUsersOf(extensions_preferences, server.uuid));
      return t('tools.inPipeline', { name, users: text });
    });
  const runs = users.length === 0 ? t('tools.runsFor.noPipeline') : users.join('; ');
  return <p className="mt-1.5 text-sm break-words">{t('tools.runs', { users: runs })}</p>;
}
