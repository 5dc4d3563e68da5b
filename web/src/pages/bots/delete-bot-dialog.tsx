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

/** Deletes a bot, with its name as confirmation. */
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
        // Leaves its page first, which would show that it does not exist.
        await queries.invalidateQueries({ queryKey: ['bots'], exact: true });
      }}
    />
  );
}
