import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Bot } from '../../components/bots/bot-queries.ts';
import { useDeletion } from '../../components/lists/use-deletion.ts';
import { api } from '../../lib/api.ts';

/** Deletes a bot; messages and conversations remain. Can be undone for some seconds. */
export function useDeleteBot(): (bot: Bot) => void {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const remove = useDeletion();
  return ({ uuid, name }) =>
    remove({
      keys: [`bots/${uuid}`],
      text: t('common.deleted', { name }),
      send: (keepalive) =>
        api.delete('/api/v1/platform/bots/{bot_uuid}', { params: { path: { bot_uuid: uuid } }, keepalive }),
      refresh: () => queries.invalidateQueries({ queryKey: ['bots'] }),
    });
}
