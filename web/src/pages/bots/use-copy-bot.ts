import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';

/** Copies a bot. The copy is disabled. */
export function useCopyBot() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ uuid }: { uuid: string; name: string }) =>
      api.post('/api/v1/platform/bots/{bot_uuid}/copy', { params: { path: { bot_uuid: uuid } } }),
    onSuccess: (_, { name }) => {
      notify.done(t('bots.copied', { name }));
      return queries.invalidateQueries({ queryKey: ['bots'] });
    },
    onError: notify.failed,
  });
}
