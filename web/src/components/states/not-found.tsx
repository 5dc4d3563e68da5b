import { Link } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useTitle } from '../../lib/use-title.ts';

interface NotFoundProps {
  isForAdmins?: boolean;
  /** `h1` where the page has no other title. */
  heading?: 'h1' | 'h2';
}

/** Shown for missing records and pages, and for pages that require an admin. */
export function NotFound({ isForAdmins = false, heading: Heading = 'h2' }: NotFoundProps) {
  const { t } = useTranslation();
  return (
    <div className="mx-auto flex max-w-md flex-col items-center px-4 py-16 text-center">
      <SearchX aria-hidden className="mb-4 size-9 text-muted-foreground" />
      <Heading className="font-medium">{t(isForAdmins ? 'common.forAdmins' : 'common.notFound')}</Heading>
      <p className="mt-1 text-muted-foreground">{t(isForAdmins ? 'common.forAdminsText' : 'common.notFoundText')}</p>
      <Link to="/" className="mt-5 font-medium text-primary underline underline-offset-4">
        {t('common.toDashboard')}
      </Link>
    </div>
  );
}

/** The page of an address that the console does not have. */
export function UnknownAddress() {
  const { t } = useTranslation();
  useTitle(t('common.notFound'));
  return <NotFound heading="h1" />;
}
