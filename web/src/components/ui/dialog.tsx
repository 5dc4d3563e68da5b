import { type ReactNode, useEffect, useId, useRef } from 'react';

interface DialogProps {
  title: string;
  children: ReactNode;
  onClose: () => void;
}

/** A question in front of the page. The browser's own dialog keeps the focus inside and closes on Escape. */
export function Dialog({ title, children, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      onClose={onClose}
      closedby="any"
      className="m-auto w-[min(26rem,calc(100vw-2rem))] motion-safe:animate-appear rounded-2xl border bg-card p-0 text-foreground shadow-xl backdrop:bg-black/40"
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
