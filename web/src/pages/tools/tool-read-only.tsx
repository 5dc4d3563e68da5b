import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/ui/button.tsx';
import { api } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import type { McpServer, McpTool } from './server-queries.ts';

/** Confirms or revokes read-only tools. */
export function useConfirmTools(server: McpServer) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ tools, read_only }: { tools: readonly McpTool[]; read_only: boolean }) =>
      api.put('/api/v1/mcp/servers/{name}/read-only-tools', {
        params: { path: { name: server.uuid } },
        body: { tools: tools.map(({ name, fingerprint }) => ({ name, fingerprint, read_only })) },
      }),
    onError: notify.failed,
    onSettled: () => queries.invalidateQueries({ queryKey: ['mcp-servers'] }),
  });
}

/** Whether a tool is read-only, according to the server and an admin, with a button to change it. */
export function ToolReadOnly({ server, tool }: { server: McpServer; tool: McpTool }) {
  const { t } = useTranslation();
  const confirm = useConfirmTools(server);
  const isConfirmed = tool.read_only === 'confirmed';
  const state = tool.read_only === 'unconfirmed' && tool.read_only_hint ? 'suggested' : tool.read_only;
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span className={state === 'changed' ? 'text-notice' : 'text-muted-foreground'}>
        {t(`tools.readOnlyStates.${state}`)}
      </span>
      <Button
        variant="outline"
        size="small"
        disabled={confirm.isPending}
        aria-label={`${t(isConfirmed ? 'tools.unconfirm' : 'tools.confirm')}: ${tool.name}`}
        onClick={() => confirm.mutate({ tools: [tool], read_only: !isConfirmed })}
      >
        {t(isConfirmed ? 'tools.unconfirm' : 'tools.confirm')}
      </Button>
    </p>
  );
}

/** Confirms the hints of all visible tools. */
export function ConfirmSuggestions({ server, tools }: { server: McpServer; tools: readonly McpTool[] }) {
  const { t } = useTranslation();
  const confirm = useConfirmTools(server);
  const suggested = tools.filter(({ read_only, read_only_hint }) => read_only === 'unconfirmed' && read_only_hint);
  if (suggested.length < 2) return null;
  return (
    <Button
      variant="outline"
      size="small"
      disabled={confirm.isPending}
      onClick={() => confirm.mutate({ tools: suggested, read_only: true })}
    >
      {t('tools.confirmAll', { count: suggested.length })}
    </Button>
  );
}
