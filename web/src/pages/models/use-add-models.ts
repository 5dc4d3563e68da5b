import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import type { ModelKind } from './model-kind.ts';
import { createModel, type ModelEntry } from './model-queries.ts';

/**
 * Creates models sequentially, up to the first error.
 * @param check throws if the form cannot be sent
 */
export function useAddModels(kind: ModelKind, onAdded: () => void, check: () => void = () => undefined) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (entries: readonly ModelEntry[]) => {
      check();
      for (const entry of entries) await createModel(kind, entry);
      return entries.length;
    },
    onSuccess: (count) => {
      notify.done(t('models.added', { count }));
      onAdded();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['models'] }),
  });
}
