import { useTranslation } from 'react-i18next';
import { exactTime } from '../../lib/number-text.ts';
import { Badge } from '../badge.tsx';
import { Fault } from './explain-calls.tsx';
import { Facts } from './explain-part.tsx';
import { outcomeWords } from './explain-words.ts';
import type { Explanation } from './explanation.ts';
import { RetryDelivery } from './retry-delivery.tsx';

const tones = { pending: 'neutral', sending: 'busy', sent: 'good', failed: 'bad', uncertain: 'warning' } as const;

interface ExplainDeliveriesProps {
  messageUuid: string;
  deliveries: Explanation['deliveries'];
}

/** The parts of the answer, with a retry for failed ones. */
export function ExplainDeliveries({ messageUuid, deliveries }: ExplainDeliveriesProps) {
  const { t, i18n } = useTranslation();
  // The server rejects a retry while any part of the message is being sent.
  const isBusy = deliveries.some(({ state }) => state === 'pending' || state === 'sending');
  return (
    <ul className="divide-y">
      {deliveries.map((delivery) => (
        <li key={delivery.piece} className="py-2 first:pt-0">
          <div className="flex items-center gap-2">
            <span className="min-w-0 flex-1 text-sm">{t('explain.piece', { number: delivery.piece + 1 })}</span>
            <Badge tone={tones[delivery.state as keyof typeof tones] ?? 'neutral'}>
              {outcomeWords(String(delivery.state), t)}
            </Badge>
            <time dateTime={delivery.updated_at} className="shrink-0 text-xs text-muted-foreground tabular-nums">
              {exactTime(delivery.updated_at, i18n.language)}
            </time>
          </div>
          {delivery.platform_message_id !== null && (
            <div className="mt-1">
              <Facts facts={[[t('explain.platformId'), delivery.platform_message_id]]} />
            </div>
          )}
          <Fault reason={delivery.reason} error={delivery.error} />
          {!isBusy && (delivery.state === 'failed' || delivery.state === 'uncertain') && (
            <div className="mt-2">
              <RetryDelivery messageUuid={messageUuid} delivery={delivery} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
