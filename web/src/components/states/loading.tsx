import { useTranslation } from 'react-i18next';

/** Placeholder rows. They appear with a delay, so that quick responses do not flash. */
export function Loading({ rows = 5 }: { rows?: number }) {
  const { t } = useTranslation();
  return (
    <div role="status" className="space-y-3 py-4 [animation:appear_200ms_ease-out_300ms_both]">
      <span className="sr-only">{t('common.loading')}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
        <div key={row} aria-hidden className="h-12 motion-safe:animate-pulse rounded-xl bg-muted" />
      ))}
    </div>
  );
}
