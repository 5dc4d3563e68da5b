import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useDeletion } from '../../components/lists/use-deletion.ts';
import { api } from '../../lib/api.ts';
import type { AlertRule, AlertTarget } from './alert-queries.ts';

/** Deletes an alert rule. Can be undone for some seconds. */
export function useDeleteRule(): (rule: AlertRule) => void {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const remove = useDeletion();
  return ({ uuid, name }) =>
    remove({
      keys: [`alerts/rules/${uuid}`],
      text: t('common.deleted', { name }),
      send: (keepalive) =>
        api.delete('/api/v1/alerts/rules/{rule_uuid}', { params: { path: { rule_uuid: uuid } }, keepalive }),
      refresh: () => queries.invalidateQueries({ queryKey: ['alerts'] }),
    });
}

/** Deletes a target of alerts. Can be undone for some seconds. */
export function useDeleteTarget(): (target: AlertTarget) => void {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const remove = useDeletion();
  return ({ uuid, name }) =>
    remove({
      keys: [`alerts/targets/${uuid}`],
      text: t('common.deleted', { name }),
      send: (keepalive) =>
        api.delete('/api/v1/alerts/targets/{target_uuid}', { params: { path: { target_uuid: uuid } }, keepalive }),
      refresh: () => queries.invalidateQueries({ queryKey: ['alerts'] }),
    });
}
