import { useTranslation } from 'react-i18next';
import { exactTime } from '../../lib/number-text.ts';
import { Badge } from '../badge.tsx';
import { Fault } from './explain-calls.tsx';
import { Facts } from './explain-part.tsx';
import { outcomeWords } from './explain-words.ts';
import type { Explanation } from './explanation.ts';

const tones = { pending: 'neutral', sending: 'busy', sent: 'good', failed: 'bad', uncertain: 'warning' } as const;

/** The pieces in which the answer was sent. */
export function ExplainDeliveries({ deliveries }: { deliveries: Explanation['deliveries'] }) {
  const { t, i18n } = useTranslation();
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
        </li>
      ))}
    </ul>
  );
}
