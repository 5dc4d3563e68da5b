import { useQuery } from '@tanstack/react-query';
import { Compass } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '../../components/ui/button-link.tsx';
import { useIsAdmin } from '../../lib/account.ts';
import { classNames } from '../../lib/class-names.ts';
import { systemInfoQuery } from '../../lib/system-info.ts';

/** A link back to the guided start for admins, until it is finished or dismissed. */
export function StartCard({ className }: { className?: string }) {
  const { t } = useTranslation();
  const info = useQuery(systemInfoQuery);
  const isAdmin = useIsAdmin();
  if (!isAdmin || info.data?.wizard_status !== 'none') return null;
  return (
    <section
      aria-label={t('startCard.label')}
      className={classNames('flex flex-wrap items-center gap-x-4 gap-y-3 rounded-2xl border bg-card p-4', className)}
    >
      <Compass aria-hidden className="size-6 shrink-0 text-primary" />
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium">{t('startCard.title')}</p>
        <p className="text-sm text-pretty text-muted-foreground">{t('startCard.text')}</p>
      </div>
      <ButtonLink to="/start" variant="outline" size="small">
        {t('startCard.open')}
      </ButtonLink>
    </section>
  );
}
