import { Search } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The button of the command palette, which Ctrl+K or Cmd+K also opens. Loaded on first use. */
export function PaletteOpener({ onOpen }: { onOpen: () => void }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);

  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isShortcut = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      if (!isShortcut || event.altKey || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      // An open dialog must be answered first.
      if (document.querySelector('dialog[open]') === null) setOpen(true);
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);

  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => {
          onOpen();
          setOpen(true);
        }}
        className="flex h-9 w-full items-center gap-2.5 rounded-lg border px-3 text-sm text-muted-foreground transition-colors hover:bg-muted hover:text-foreground"
      >
        <Search aria-hidden className="size-4 shrink-0" />
        <span className="flex-1 text-left">{t('palette.open')}</span>
        <kbd aria-hidden className="font-sans text-xs max-lg:hidden">
          {isApple ? '⌘K' : 'Ctrl K'}
        </kbd>
      </button>
      {isOpen &&
        // The menu that it is opened from may be hidden, and would hide it, too.
        createPortal(
          <Suspense>
            <Palette onClose={() => setOpen(false)} />
          </Suspense>,
          document.body,
        )}
    </>
  );
}
