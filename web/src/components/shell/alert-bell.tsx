import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Bell } from 'lucide-react';
import { useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsAdmin } from '../../lib/account.ts';
import { classNames } from '../../lib/class-names.ts';
import { openAlertsQuery } from '../alert-queries.ts';
import { alertSummary } from '../alert-summary.ts';
import { RelativeTime } from '../relative-time.tsx';
import { Button } from '../ui/button.tsx';

/** Alerts in the list of the bell; all are on their page. */
const shown = 5;

/** How many alerts are open, and which. Only for admins. */
export function AlertBell({ place }: { place: 'header' | 'sidebar' }) {
  const isAdmin = useIsAdmin();
  return isAdmin ? <AdminBell place={place} /> : null;
}

function AdminBell({ place }: { place: 'header' | 'sidebar' }) {
  const { t } = useTranslation();
  const { data: alerts = [] } = useQuery(openAlertsQuery);
  const list = useId();
  const popover = useRef<HTMLDivElement>(null);
  const close = () => popover.current?.hidePopover();
  const label = t('alertBell.label', { count: alerts.length });
  return (
    <>
      <Button
        variant="ghost"
        size="icon"
        className="relative"
        popoverTarget={list}
        aria-label={label}
        title={label}
        data-open-alerts={alerts.length}
      >
        <Bell aria-hidden />
        {alerts.length > 0 && (
          <span
            aria-hidden
            className="absolute top-0.5 right-0.5 flex h-4.5 min-w-4.5 items-center justify-center rounded-full bg-destructive px-1 text-xs font-medium text-background"
          >
            {alerts.length > 99 ? '99+' : alerts.length}
          </span>
        )}
      </Button>
      <div
        ref={popover}
        id={list}
        popover="auto"
        className={classNames(
          'fixed inset-auto top-15 m-0 max-h-[70dvh] w-[min(24rem,calc(100vw-1.5rem))] overflow-y-auto rounded-2xl border bg-card p-4 text-foreground shadow-xl motion-safe:animate-appear',
          place === 'header' ? 'right-3' : 'left-3',
        )}
      >
        <p className="mb-3 text-sm font-medium">{t('alertBell.title')}</p>
        {alerts.length === 0 && <p className="text-sm text-muted-foreground">{t('alertBell.none')}</p>}
        <ul className="space-y-3">
          {alerts.slice(0, shown).map((alert) => (
            <li key={alert.id} className="text-sm">
              <p className="font-medium break-words">{alert.rule_name}</p>
              <p className="break-words text-muted-foreground">{alertSummary(alert, t)}</p>
              <p className="text-muted-foreground">
                <RelativeTime timestamp={alert.started_at} />
              </p>
            </li>
          ))}
        </ul>
        <Link to="/alerts" onClick={close} className="mt-3 inline-block rounded text-sm underline underline-offset-4">
          {t('alertBell.all')}
        </Link>
      </div>
    </>
  );
}
