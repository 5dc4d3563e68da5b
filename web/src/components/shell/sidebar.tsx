import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { accountQuery, useMayOpen } from '../../lib/account.ts';
import { classNames } from '../../lib/class-names.ts';
import { signOut } from '../../lib/sign-out.ts';
import { Logo } from '../logo.tsx';
import { navigationFor } from '../navigation.ts';
import { PaletteOpener } from '../palette/palette-opener.tsx';
import { SettingsMenu } from '../settings-menu.tsx';
import { AlertBell } from './alert-bell.tsx';

interface SidebarProps {
  /** On narrow screens, whether it is open. */
  isOpen: boolean;
  onClose: () => void;
}

/** The menu of the console, with the signed-in user below. */
export function Sidebar({ isOpen, onClose }: SidebarProps) {
  const { t } = useTranslation();
  const account = useQuery(accountQuery);
  const mayOpen = useMayOpen();

  useEffect(() => {
    if (!isOpen) return;
    const close = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onClose();
    };
    window.addEventListener('keydown', close);
    return () => window.removeEventListener('keydown', close);
  }, [isOpen, onClose]);

  return (
    <>
      {isOpen && <div aria-hidden className="fixed inset-0 top-14 z-20 bg-black/40 lg:hidden" onClick={onClose} />}
      <aside
        id="menu"
        className={classNames(
          'z-30 flex w-64 shrink-0 flex-col border-r bg-card max-lg:fixed max-lg:inset-y-0 max-lg:top-14 max-lg:left-0 lg:sticky lg:top-0 lg:h-dvh',
          isOpen ? 'motion-safe:animate-appear' : 'max-lg:hidden',
        )}
      >
        <div className="hidden h-15 items-center gap-2.5 px-5 lg:flex">
          <Logo className="size-8" />
          <span className="flex-1 font-semibold tracking-tight">{'Parley'}</span>
          <AlertBell place="sidebar" />
        </div>
        <div className="px-3 pt-3 lg:pt-0">
          <PaletteOpener onOpen={onClose} />
        </div>
        <nav aria-label={t('navigation.label')} className="flex-1 space-y-5 overflow-y-auto px-3 py-4">
          {navigationFor(mayOpen).map((group) => (
            <div key={group.text}>
              <h2 id={`menu-${group.text}`} className="px-3 pb-1.5 text-xs font-medium text-muted-foreground">
                {t(`navigation.${group.text}`)}
              </h2>
              <ul aria-labelledby={`menu-${group.text}`} className="space-y-0.5">
                {group.items.map(({ to, text, icon: Icon }) => (
                  <li key={to}>
                    <Link
                      to={to}
                      onClick={onClose}
                      activeOptions={{ exact: to === '/', includeSearch: false }}
                      className="flex h-9 items-center gap-2.5 rounded-lg px-3 text-sm transition-colors"
                      activeProps={{ className: 'bg-muted font-medium text-foreground' }}
                      inactiveProps={{ className: 'text-muted-foreground hover:bg-muted hover:text-foreground' }}
                    >
                      <Icon aria-hidden className="size-4.5 shrink-0" />
                      {t(`navigation.${text}`)}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
        <div className="flex items-center gap-1 border-t p-3">
          <span className="min-w-0 flex-1 truncate px-2 text-sm">{account.data?.user}</span>
          <SettingsMenu user={account.data?.user} onSignOut={signOut} place="above" />
        </div>
      </aside>
    </>
  );
}
