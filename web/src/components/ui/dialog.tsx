import { type ReactNode, useEffect, useId, useRef } from 'react';
import { classNames } from '../../lib/class-names.ts';

interface DialogProps {
  title: string;
  /** `wide` for forms; `page` fills the window, for long content. */
  width?: 'normal' | 'wide' | 'page';
  /** Escape does not close it; its buttons do. */
  stays?: boolean;
  children: ReactNode;
  onClose: () => void;
}

/** A modal dialog. The native dialog traps the focus and closes on Escape. */
export function Dialog({ title, width = 'normal', stays = false, children, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      onClose={onClose}
      // A browser that does not know `closedby` asks first.
      onCancel={(event) => stays && event.preventDefault()}
      // A click outside must not discard the input of a form.
      closedby={stays ? 'none' : width === 'normal' ? 'any' : 'closerequest'}
      className={classNames(
        'm-auto w-[min(26rem,calc(100vw-2rem))] motion-safe:animate-appear rounded-2xl border bg-card p-0 text-foreground shadow-xl backdrop:bg-black/40',
        width === 'wide' && 'w-[min(42rem,calc(100vw-2rem))]',
        width === 'page' && 'm-0 h-dvh max-h-none w-screen max-w-none rounded-none border-0',
      )}
    >
      <div className="p-6">
        <h2 id={heading} className="text-lg font-semibold">
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  );
}
