import { useTranslation } from 'react-i18next';
import { DeleteDialog, type DeletionProps } from '../../components/delete-dialog.tsx';
import { api } from '../../lib/api.ts';
import type { ModelKind } from './model-kind.ts';
import type { Model } from './model-queries.ts';

/** Deletes a model, with its name as confirmation; lists the pipelines that prevent it. */
export function DeleteModelDialog({ kind, model, ...ends }: { kind: ModelKind; model: Model } & DeletionProps) {
  const { t } = useTranslation();
  return (
    <DeleteDialog
      title={t('models.deleteModelTitle')}
      text={t('models.deleteModelText')}
      confirm={t('models.deleteModel')}
      name={model.name}
      remove={() =>
        api.delete(`/api/v1/provider/models/${kind}/{model_uuid}`, { params: { path: { model_uuid: model.uuid } } })
      }
      refresh={(queries) => {
        queries.removeQueries({ queryKey: ['models', kind, model.uuid] });
        return queries.invalidateQueries({ queryKey: ['models'] });
      }}
      {...ends}
    />
  );
}
