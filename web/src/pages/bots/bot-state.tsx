import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import type { Bot } from '../../components/bots/bot-queries.ts';

const tones = {
  stopped: 'neutral',
  starting: 'busy',
  running: 'good',
  reconnecting: 'warning',
  error: 'bad',
} as const;

/** The connection status of a bot. */
export function BotState({ bot }: { bot: Bot }) {
  const { t } = useTranslation();
  const { state } = bot.adapter_runtime_values;
  return <Badge tone={tones[state]}>{t(`botStates.${state}`)}</Badge>;
}
