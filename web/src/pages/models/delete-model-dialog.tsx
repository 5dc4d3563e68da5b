import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { api } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import type { ModelKind } from './model-kind.ts';
import type { Model } from './model-queries.ts';

interface DeleteModelDialogProps {
  kind: ModelKind;
  model: Model;
  onDeleted?: () => Promise<void>;
  onClose: () => void;
}

/** Asks for the name of a model before it is removed; says which pipelines use it where it cannot be. */
export function DeleteModelDialog({ kind, model, onDeleted, onClose }: DeleteModelDialogProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return (
    <ConfirmDialog
      title={t('models.deleteModelTitle')}
      text={t('models.deleteModelText')}
      confirm={t('models.deleteModel')}
      name={model.name}
      onClose={onClose}
      action={async () => {
        const params = { path: { model_uuid: model.uuid } };
        await api.delete(`/api/v1/provider/models/${kind}/{model_uuid}`, { params });
        notify.done(t('common.deleted', { name: model.name }));
        await onDeleted?.();
        // Its own page is left now, and would only find that it is gone.
        queries.removeQueries({ queryKey: ['models', kind, model.uuid] });
        await queries.invalidateQueries({ queryKey: ['models'] });
      }}
    />
  );
}
