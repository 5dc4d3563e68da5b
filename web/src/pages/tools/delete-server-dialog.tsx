import { useTranslation } from 'react-i18next';
import { DeleteDialog, type DeletionProps } from '../../components/delete-dialog.tsx';
import { api } from '../../lib/api.ts';
import type { McpServer } from './server-queries.ts';

/** Deletes a server, with its name as confirmation. */
export function DeleteServerDialog({ server, ...ends }: { server: McpServer } & DeletionProps) {
  const { t } = useTranslation();
  return (
    <DeleteDialog
      title={t('tools.deleteTitle')}
      text={t('tools.deleteText')}
      confirm={t('tools.delete')}
      name={server.name}
      remove={() => api.delete('/api/v1/mcp/servers/{name}', { params: { path: { name: server.uuid } } })}
      refresh={(queries) => {
        queries.removeQueries({ queryKey: ['mcp-servers', server.uuid] });
        return queries.invalidateQueries({ queryKey: ['mcp-servers'] });
      }}
      {...ends}
    />
  );
}
