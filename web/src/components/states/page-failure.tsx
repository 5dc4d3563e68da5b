import { ParleyApiError } from '@parley/client';
import { useRouter } from '@tanstack/react-router';
import { CircleAlert, RotateCcw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { failureOfRequest } from '../../lib/failure.ts';
import { FailureContent } from '../failure/failure-content.tsx';
import { Button } from '../ui/button.tsx';
import { NotFound } from './not-found.tsx';

interface FailureProps {
  error: unknown;
  /** Reloads the data. */
  onRetry: () => void;
}

/** Shown for data that failed to load: the error, and a retry. */
export function Failure({ error, onRetry }: FailureProps) {
  const { t } = useTranslation();
  if (error instanceof ParleyApiError && error.status === 404) return <NotFound />;
  return (
    <div role="alert" className="mx-auto flex max-w-md flex-col items-center px-4 py-16 text-center">
      <CircleAlert aria-hidden className="mb-4 size-9 text-destructive" />
      <p className="font-medium">{t('common.loadFailed')}</p>
      <div className="mt-1 text-sm text-muted-foreground">
        <FailureContent failure={failureOfRequest(error, t)} />
      </div>
      <Button variant="outline" size="small" className="mt-5" onClick={onRetry}>
        <RotateCcw aria-hidden />
        {t('common.retry')}
      </Button>
    </div>
  );
}

/** Shown instead of a page that failed; the menu stays. */
export function PageFailure({ error }: { error: unknown }) {
  const router = useRouter();
  return <Failure error={error} onRetry={() => void router.invalidate()} />;
}
