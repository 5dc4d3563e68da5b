import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation, useMatches } from '@tanstack/react-router';
import { Menu, X } from 'lucide-react';
import { lazy, Suspense, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { accountQuery } from '../../lib/account.ts';
import { useLiveChanges } from '../../lib/live-changes.ts';
import { notes } from '../../lib/notify.ts';
import { Logo } from '../logo.tsx';
import { NotFound } from '../states/not-found.tsx';
import { Button } from '../ui/button.tsx';
import { AlertBell } from './alert-bell.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { Sidebar } from './sidebar.tsx';

const Toasts = lazy(async () => ({ default: (await import('./toasts.tsx')).Toasts }));

/** The frame of all signed-in pages: the menu at the side, or behind a button on narrow screens. */
export function ConsoleShell() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const connection = useLiveChanges();
  const hasNotes = useSyncExternalStore(notes.subscribe, notes.isNeeded);
  return (
    <div className="flex min-h-dvh flex-col lg:flex-row">
      <button
        type="button"
        className="sr-only rounded-lg bg-card px-3 py-2 shadow-lg focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50"
        onClick={() => document.getElementById('content')?.focus()}
      >
        {t('navigation.skip')}
      </button>
      <header className="sticky top-0 z-20 flex h-14 shrink-0 items-center gap-2 border-b bg-background px-3 lg:hidden">
        <Button
          variant="ghost"
          size="icon"
          aria-expanded={isOpen}
          aria-controls="menu"
          aria-label={t(isOpen ? 'navigation.close' : 'navigation.open')}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? <X /> : <Menu />}
        </Button>
        <Logo className="size-7" />
        <span className="flex-1 font-semibold tracking-tight">{'Parley'}</span>
        <AlertBell place="header" />
      </header>
      <Sidebar isOpen={isOpen} onClose={() => setOpen(false)} />
      <div className="flex min-w-0 flex-1 flex-col">
        <ConnectionBanner connection={connection} />
        <main id="content" tabIndex={-1} className="flex min-w-0 flex-1 flex-col outline-none">
          <PageForRole />
        </main>
      </div>
      <Suspense fallback={null}>{hasNotes && <Toasts />}</Suspense>
    </div>
  );
}

/** The page, unless it requires an admin and the user is not one. */
function PageForRole() {
  const account = useQuery(accountQuery);
  const isForAdmins = useMatches().some(({ staticData }) => staticData.adminsOnly === true);
  const isDashboard = useLocation().pathname === '/';
  // The dashboard, which all may see, does not wait; other pages differ by role.
  if (account.isPending && !isDashboard) return null;
  return isForAdmins && account.data?.role === 'member' ? <NotFound isForAdmins /> : <Outlet />;
}
