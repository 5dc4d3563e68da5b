import { WifiOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { LiveConnection } from '../../lib/live-changes.ts';

/** Warns that data may be outdated while the server is unreachable. */
export function ConnectionBanner({ connection }: { connection: LiveConnection }) {
  const { t } = useTranslation();
  return (
    <div role="status">
      {connection === 'lost' && (
        <p className="flex items-center justify-center gap-2 bg-notice-soft px-4 py-2 text-sm text-notice">
          <WifiOff aria-hidden className="size-4 shrink-0" />
          {t('common.lost')}
        </p>
      )}
    </div>
  );
}
