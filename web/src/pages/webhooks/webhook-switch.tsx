import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Switch } from '../../components/ui/switch.tsx';
import { api } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import type { Webhook } from './webhook-queries.ts';

/** Enables or disables a webhook, immediately. */
export function WebhookSwitch({ webhook, id }: { webhook: Webhook; id?: string }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (enabled: boolean) =>
      api.put('/api/v1/webhooks/{id}', { params: { path: { id: webhook.id } }, body: { enabled } }),
    onError: notify.failed,
    onSettled: () => queries.invalidateQueries({ queryKey: ['webhooks'] }),
  });
  return (
    <Switch
      id={id}
      aria-label={id === undefined ? t('webhooks.enable', { name: webhook.name }) : undefined}
      checked={change.isPending ? change.variables : webhook.enabled}
      onChange={(event) => {
        if (!change.isPending) change.mutate(event.target.checked);
      }}
    />
  );
}
