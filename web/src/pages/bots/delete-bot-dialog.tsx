import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Bot } from '../../components/bots/bot-queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { api } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';

interface DeleteBotDialogProps {
  bot: Bot;
  onDeleted?: () => void;
  onClose: () => void;
}

/** Asks for the name of a bot before it is removed. */
export function DeleteBotDialog({ bot, onDeleted, onClose }: DeleteBotDialogProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return (
    <ConfirmDialog
      title={t('bots.deleteTitle')}
      text={t('bots.deleteText')}
      confirm={t('bots.delete')}
      name={bot.name}
      onClose={onClose}
      action={async () => {
        await api.delete('/api/v1/platform/bots/{bot_uuid}', { params: { path: { bot_uuid: bot.uuid } } });
        notify.done(t('common.deleted', { name: bot.name }));
        onDeleted?.();
        // Its own page is left now, and would only find that it is gone.
        await queries.invalidateQueries({ queryKey: ['bots'], exact: true });
      }}
    />
  );
}
