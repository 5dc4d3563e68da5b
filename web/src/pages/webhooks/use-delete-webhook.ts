import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useDeletion } from '../../components/lists/use-deletion.ts';
import { api } from '../../lib/api.ts';
import type { Webhook } from './webhook-queries.ts';

/** Deletes a webhook with its deliveries. Can be undone for some seconds. */
export function useDeleteWebhook(): (record: Webhook) => void {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const remove = useDeletion();
  return ({ id, name }) =>
    remove({
      keys: [`webhooks/${id}`],
      text: t('common.deleted', { name }),
      send: (keepalive) => api.delete('/api/v1/webhooks/{id}', { params: { path: { id } }, keepalive }),
      refresh: () => queries.invalidateQueries({ queryKey: ['webhooks'] }),
    });
}
