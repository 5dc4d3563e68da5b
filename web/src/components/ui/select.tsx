import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classNames } from '../../lib/class-names.ts';

/** A native select, which phones and screen readers support best. */
export function Select({ className, children, ...properties }: ComponentProps<'select'>) {
  return (
    <span className={classNames('relative block', className)}>
      <select
        className="h-11 w-full appearance-none truncate rounded-xl border border-input bg-card pr-10 pl-3.5 text-base transition-colors focus-visible:border-ring focus-visible:outline-3 focus-visible:outline-offset-0 focus-visible:outline-ring/30 disabled:opacity-50 aria-invalid:border-destructive"
        {...properties}
      >
        {children}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-3.5 size-4.5 -translate-y-1/2 text-muted-foreground"
      />
    </span>
  );
}
