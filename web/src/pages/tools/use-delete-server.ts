import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useDeletion } from '../../components/lists/use-deletion.ts';
import { api } from '../../lib/api.ts';
import type { McpServer } from './server-queries.ts';

/** Deletes an MCP server. Can be undone for some seconds. */
export function useDeleteServer(): (record: McpServer) => void {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const remove = useDeletion();
  return ({ uuid, name }) =>
    remove({
      keys: [`mcp-servers/${uuid}`],
      text: t('common.deleted', { name }),
      send: (keepalive) => api.delete('/api/v1/mcp/servers/{name}', { params: { path: { name: uuid } }, keepalive }),
      refresh: () => queries.invalidateQueries({ queryKey: ['mcp-servers'] }),
    });
}
