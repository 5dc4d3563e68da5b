import { WifiOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { LiveConnection } from '../../lib/live-changes.ts';

/** Says that what is shown may be old, for as long as the server cannot be reached. */
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
