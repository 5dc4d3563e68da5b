import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Switch } from '../../components/ui/switch.tsx';
import { api } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import type { AlertRule } from './alert-queries.ts';

/** Enables or disables a rule, immediately. */
export function RuleSwitch({ rule: { uuid, name, enabled }, id }: { rule: AlertRule; id?: string }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (next: boolean) =>
      api.put('/api/v1/alerts/rules/{rule_uuid}', { params: { path: { rule_uuid: uuid } }, body: { enabled: next } }),
    onError: notify.failed,
    onSettled: () => queries.invalidateQueries({ queryKey: ['alerts'] }),
  });
  return (
    <Switch
      id={id}
      aria-label={id === undefined ? t('alerts.enable', { name }) : undefined}
      checked={change.isPending ? change.variables : enabled}
      onChange={(event) => {
        if (!change.isPending) change.mutate(event.target.checked);
      }}
    />
  );
}
