import { LogOut, Settings2 } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../lib/class-names.ts';
import { AppearanceControls } from './appearance-controls.tsx';
import { Button } from './ui/button.tsx';

interface SettingsMenuProps {
  /** The signed-in user, if any. */
  user?: string | undefined;
  onSignOut?: () => void;
  /** Position: at the upper right of the page, or above its button at the lower left. */
  place?: 'corner' | 'above';
}

/** Theme, language and sign-out. The native popover closes on Escape and outside clicks. */
export function SettingsMenu({ user, onSignOut, place = 'corner' }: SettingsMenuProps) {
  const { t } = useTranslation();
  const menu = useId();
  const label = t(onSignOut ? 'menu.label' : 'menu.settings');
  return (
    <>
      <Button variant="ghost" size="icon" popoverTarget={menu} aria-label={label} title={label}>
        <Settings2 />
      </Button>
      <div
        id={menu}
        popover="auto"
        className={classNames(
          'fixed inset-auto m-0 w-[min(22rem,calc(100vw-1.5rem))] motion-safe:animate-appear rounded-2xl border bg-card p-4 text-foreground shadow-xl',
          place === 'corner' ? 'top-15 right-3 sm:right-5' : 'bottom-16 left-3',
        )}
      >
        {user && <p className="mb-4 truncate border-b pb-3 text-sm font-medium">{user}</p>}
        <div className="space-y-4">
          <AppearanceControls />
        </div>
        {onSignOut && (
          <Button variant="outline" className="mt-4 w-full" onClick={onSignOut}>
            <LogOut aria-hidden />
            {t('menu.signOut')}
          </Button>
        )}
      </div>
    </>
  );
}
