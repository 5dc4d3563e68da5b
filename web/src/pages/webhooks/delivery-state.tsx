import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import type { DeliveryState as State } from './routes.ts';

const tones = { pending: 'busy', delivered: 'good', failed: 'bad' } as const;

/** The state of a delivery. */
export function DeliveryState({ state }: { state: State }) {
  const { t } = useTranslation();
  return <Badge tone={tones[state]}>{t(`webhooks.deliveryStates.${state}`)}</Badge>;
}
