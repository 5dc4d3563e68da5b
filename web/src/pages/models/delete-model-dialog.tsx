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

/** Deletes a model, with its name as confirmation; lists the pipelines that prevent it. */
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
        // Leaves its page first, which would show that it does not exist.
        queries.removeQueries({ queryKey: ['models', kind, model.uuid] });
        await queries.invalidateQueries({ queryKey: ['models'] });
      }}
    />
  );
}
