import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { api } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import type { Webhook } from './webhook-queries.ts';

interface DeleteWebhookDialogProps {
  webhook: Webhook;
  onDeleted?: () => Promise<void>;
  onClose: () => void;
}

/** Deletes a webhook, with its name as confirmation. */
export function DeleteWebhookDialog({ webhook, onDeleted, onClose }: DeleteWebhookDialogProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return (
    <ConfirmDialog
      title={t('webhooks.deleteTitle')}
      text={t('webhooks.deleteText')}
      confirm={t('webhooks.delete')}
      name={webhook.name}
      onClose={onClose}
      action={async () => {
        await api.delete('/api/v1/webhooks/{id}', { params: { path: { id: webhook.id } } });
        notify.done(t('common.deleted', { name: webhook.name }));
        await onDeleted?.();
        queries.removeQueries({ queryKey: ['webhooks', webhook.id] });
        await queries.invalidateQueries({ queryKey: ['webhooks'] });
      }}
    />
  );
}
