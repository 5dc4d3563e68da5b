import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import type { Webhook } from './webhook-queries.ts';

/** Whether a webhook is enabled, or was disabled automatically. */
export function WebhookState({ webhook: { enabled, disabled_reason } }: { webhook: Webhook }) {
  const { t } = useTranslation();
  if (enabled) return <Badge tone="good">{t('webhooks.states.on')}</Badge>;
  if (disabled_reason === null) return <Badge>{t('webhooks.states.off')}</Badge>;
  return <Badge tone="bad">{t(`webhooks.states.${disabled_reason}`)}</Badge>;
}
