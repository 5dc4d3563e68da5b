import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Bot } from '../../components/bots/bot-queries.ts';
import { Switch } from '../../components/ui/switch.tsx';
import { api } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';

/** Enables or disables a bot, immediately. */
export function BotSwitch({ bot, id }: { bot: Bot; id?: string }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (enable: boolean) =>
      api.put('/api/v1/platform/bots/{bot_uuid}', { params: { path: { bot_uuid: bot.uuid } }, body: { enable } }),
    onError: notify.failed,
    onSettled: () => queries.invalidateQueries({ queryKey: ['bots'] }),
  });
  return (
    <Switch
      id={id}
      aria-label={id === undefined ? t('bots.enable', { name: bot.name }) : undefined}
      checked={change.isPending ? change.variables : bot.enable}
      onChange={(event) => {
        if (!change.isPending) change.mutate(event.target.checked);
      }}
    />
  );
}
