import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Switch } from '../../components/ui/switch.tsx';
import { api } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import type { McpServer } from './server-queries.ts';

/** Enables or disables a server, immediately. */
export function ServerSwitch({ server, id }: { server: McpServer; id?: string }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (enable: boolean) =>
      api.put('/api/v1/mcp/servers/{name}', { params: { path: { name: server.uuid } }, body: { enable } }),
    onError: notify.failed,
    onSettled: () => queries.invalidateQueries({ queryKey: ['mcp-servers'] }),
  });
  return (
    <Switch
      id={id}
      aria-label={id === undefined ? t('tools.enable', { name: server.name }) : undefined}
      checked={change.isPending ? change.variables : server.enable}
      onChange={(event) => {
        if (!change.isPending) change.mutate(event.target.checked);
      }}
    />
  );
}
