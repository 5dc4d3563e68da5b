import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { errorText } from '../lib/error-text.ts';
import { Button } from './ui/button.tsx';

interface MoreRowsProps {
  query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'error' | 'fetchNextPage'
  >;
  /** The list loads more while it is scrolled, so that only a failure needs the user. */
  isAutomatic?: boolean;
}

/** Loads the next page of a list, and shows why that failed. */
export function MoreRows({ query, isAutomatic = false }: MoreRowsProps) {
  const { t } = useTranslation();
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } = query;
  if (!hasNextPage || (isAutomatic && !isFetchNextPageError)) return null;
  return (
    <div className="mt-4 flex flex-wrap items-center justify-center gap-3">
      {isFetchNextPageError && (
        <p role="alert" className="text-sm text-destructive">
          {t('common.loadFailed')} {errorText(error, t)}
        </p>
      )}
      <Button variant="outline" size="small" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {t(isFetchingNextPage ? 'common.loading' : isFetchNextPageError ? 'common.retry' : 'common.more')}
      </Button>
    </div>
  );
}
