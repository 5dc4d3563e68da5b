import { useTranslation } from 'react-i18next';
import type { Bot } from '../../components/bots/bot-queries.ts';
import { DeleteDialog, type DeletionProps } from '../../components/delete-dialog.tsx';
import { api } from '../../lib/api.ts';

/** Deletes a bot, with its name as confirmation. */
export function DeleteBotDialog({ bot, ...ends }: { bot: Bot } & DeletionProps) {
  const { t } = useTranslation();
  return (
    <DeleteDialog
      title={t('bots.deleteTitle')}
      text={t('bots.deleteText')}
      confirm={t('bots.delete')}
      name={bot.name}
      remove={() => api.delete('/api/v1/platform/bots/{bot_uuid}', { params: { path: { bot_uuid: bot.uuid } } })}
      refresh={(queries) => queries.invalidateQueries({ queryKey: ['bots'], exact: true })}
      {...ends}
    />
  );
}
