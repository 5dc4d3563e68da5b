import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Switch } from '../../components/ui/switch.tsx';
import { api } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { type PluginDetails, pathOf } from './plugin-queries.ts';

interface PluginSwitchProps {
  id: string;
  label: string;
  state: PluginDetails['state'];
  enabled: boolean;
  /** Of the control, if a label stands next to it. */
  controlId?: string;
}

/** Enables or disables a plugin, immediately. Without consent there is nothing to enable. */
export function PluginSwitch({ id, label, state, enabled, controlId }: PluginSwitchProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (next: boolean) =>
      api.put('/api/v1/plugins/{author}/{name}/enabled', { params: pathOf(id), body: { enabled: next } }),
    onError: notify.failed,
    onSettled: () => queries.invalidateQueries({ queryKey: ['plugins'] }),
  });
  return (
    <Switch
      id={controlId}
      aria-label={controlId === undefined ? t('plugins.enable', { name: label }) : undefined}
      disabled={state === 'consent_required'}
      checked={change.isPending ? change.variables : enabled && state !== 'consent_required'}
      onChange={(event) => {
        if (!change.isPending) change.mutate(event.target.checked);
      }}
    />
  );
}
