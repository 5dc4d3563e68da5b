import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useDeletion } from '../../components/lists/use-deletion.ts';
import { api } from '../../lib/api.ts';
import type { ModelKind } from './model-kind.ts';
import type { Model } from './model-queries.ts';

/** Deletes a model. Can be undone for some seconds. */
export function useDeleteModel(kind: ModelKind): (record: Model) => void {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const remove = useDeletion();
  return ({ uuid, name }) =>
    remove({
      keys: [`models/${uuid}`],
      text: t('common.deleted', { name }),
      send: (keepalive) =>
        api.delete(`/api/v1/provider/models/${kind}/{model_uuid}`, {
          params: { path: { model_uuid: uuid } },
          keepalive,
        }),
      refresh: () => queries.invalidateQueries({ queryKey: ['models'] }),
    });
}
