import { useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from './failure/failure-alert.tsx';
import { FullPage } from './full-page.tsx';
import { Button } from './ui/button.tsx';

/** Shown instead of a page that failed to load, mostly because the server is unreachable. */
export function LoadFailure({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const router = useRouter();
  return (
    <FullPage title="Parley">
      <FailureAlert error={error} />
      <Button variant="outline" className="mt-5 w-full" onClick={() => router.invalidate()}>
        {t('common.retry')}
      </Button>
    </FullPage>
  );
}
