import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';

interface DrawerProps {
  /** The accessible name. */
  label: string;
  /** Shown above the content, which scrolls below it; gets the function that closes the drawer. */
  header: (close: () => void) => ReactNode;
  children: ReactNode;
  onClose: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
}

/**
 * A modal dialog at the right edge, over the whole window on narrow screens. The native dialog traps the focus, closes
 * on Escape and returns the focus.
 */
export function Drawer({ label, header, children, onClose, onKeyDown }: DrawerProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const content = useRef<HTMLElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    // Not on the first button: the keys scroll what is shown.
    content.current?.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      onClose={onClose}
      onKeyDown={onKeyDown}
      closedby="any"
      className="m-0 ml-auto h-dvh max-h-none w-[min(42rem,100vw)] max-w-none motion-safe:animate-appear flex-col border-l bg-card p-0 text-foreground shadow-xl backdrop:bg-black/40 open:flex max-sm:border-l-0"
    >
      {header(() => dialog.current?.close())}
      <section
        ref={content}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto px-4 py-4 -outline-offset-2 sm:px-6"
      >
        {children}
      </section>
    </dialog>
  );
}
