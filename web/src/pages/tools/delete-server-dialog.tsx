import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { api } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import type { McpServer } from './server-queries.ts';

interface DeleteServerDialogProps {
  server: McpServer;
  onDeleted?: () => Promise<void>;
  onClose: () => void;
}

/** Deletes a server, with its name as confirmation. */
export function DeleteServerDialog({ server, onDeleted, onClose }: DeleteServerDialogProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return (
    <ConfirmDialog
      title={t('tools.deleteTitle')}
      text={t('tools.deleteText')}
      confirm={t('tools.delete')}
      name={server.name}
      onClose={onClose}
      action={async () => {
        await api.delete('/api/v1/mcp/servers/{name}', { params: { path: { name: server.uuid } } });
        notify.done(t('common.deleted', { name: server.name }));
        await onDeleted?.();
        queries.removeQueries({ queryKey: ['mcp-servers', server.uuid] });
        await queries.invalidateQueries({ queryKey: ['mcp-servers'] });
      }}
    />
  );
}
