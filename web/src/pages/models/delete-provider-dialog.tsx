import { useTranslation } from 'react-i18next';
import { DeleteDialog, type DeletionProps } from '../../components/delete-dialog.tsx';
import { api } from '../../lib/api.ts';
import type { Provider } from './model-queries.ts';

/** Deletes a provider, with its name as confirmation; lists the models that prevent it. */
export function DeleteProviderDialog({ provider, ...ends }: { provider: Provider } & DeletionProps) {
  const { t } = useTranslation();
  return (
    <DeleteDialog
      title={t('models.deleteProviderTitle')}
      text={t('models.deleteProviderText')}
      confirm={t('models.deleteProvider')}
      name={provider.name}
      remove={() =>
        api.delete('/api/v1/provider/providers/{provider_uuid}', { params: { path: { provider_uuid: provider.uuid } } })
      }
      refresh={(queries) => {
        queries.removeQueries({ queryKey: ['models', 'providers', provider.uuid] });
        return queries.invalidateQueries({ queryKey: ['models'] });
      }}
      {...ends}
    />
  );
}
