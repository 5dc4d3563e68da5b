import { useTranslation } from 'react-i18next';
import { toolUsersOf, toolUsersText, usesServer } from '../../components/tool-users.ts';
import type { Pipeline } from '../pipelines/pipeline-queries.ts';
import type { McpServer, McpTool } from './server-queries.ts';

interface ToolRunsForProps {
  server: McpServer;
  tool: McpTool;
  /** All pipelines; undefined until loaded. */
  pipelines: readonly Pipeline[] | undefined;
}

/** Who may run a tool, per pipeline that uses it. */
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
