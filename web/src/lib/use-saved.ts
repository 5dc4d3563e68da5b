import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { notify } from './notify.ts';

/** What follows a save: says that it succeeded, and fetches what the keys name again. */
export function useSaved(...keys: QueryKey[]): () => void {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return () => {
    notify.done(t('common.saved'));
    for (const queryKey of keys) void queries.invalidateQueries({ queryKey });
  };
}
