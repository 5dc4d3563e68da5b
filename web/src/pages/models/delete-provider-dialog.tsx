import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { api } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import type { Provider } from './model-queries.ts';

interface DeleteProviderDialogProps {
  provider: Provider;
  onDeleted?: () => Promise<void>;
  onClose: () => void;
}

/** Deletes a provider, with its name as confirmation; lists the models that prevent it. */
export function DeleteProviderDialog({ provider, onDeleted, onClose }: DeleteProviderDialogProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return (
    <ConfirmDialog
      title={t('models.deleteProviderTitle')}
      text={t('models.deleteProviderText')}
      confirm={t('models.deleteProvider')}
      name={provider.name}
      onClose={onClose}
      action={async () => {
        const params = { path: { provider_uuid: provider.uuid } };
        await api.delete('/api/v1/provider/providers/{provider_uuid}', { params });
        notify.done(t('common.deleted', { name: provider.name }));
        await onDeleted?.();
        queries.removeQueries({ queryKey: ['models', 'providers', provider.uuid] });
        await queries.invalidateQueries({ queryKey: ['models'] });
      }}
    />
  );
}
