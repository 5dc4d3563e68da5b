import { useTranslation } from 'react-i18next';
import { DeleteDialog, type DeletionProps } from '../../components/delete-dialog.tsx';
import { api } from '../../lib/api.ts';
import type { Webhook } from './webhook-queries.ts';

/** Deletes a webhook, with its name as confirmation. */
export function DeleteWebhookDialog({ webhook, ...ends }: { webhook: Webhook } & DeletionProps) {
  const { t } = useTranslation();
  return (
    <DeleteDialog
      title={t('webhooks.deleteTitle')}
      text={t('webhooks.deleteText')}
      confirm={t('webhooks.delete')}
      name={webhook.name}
      remove={() => api.delete('/api/v1/webhooks/{id}', { params: { path: { id: webhook.id } } })}
      refresh={(queries) => {
        queries.removeQueries({ queryKey: ['webhooks', webhook.id] });
        return queries.invalidateQueries({ queryKey: ['webhooks'] });
      }}
      {...ends}
    />
  );
}
