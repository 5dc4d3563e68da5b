import type { ComponentProps } from 'react';
import { classNames } from '../../lib/class-names.ts';

/** A text input. 16 px, because phones zoom into anything smaller. */
export function Input({ className, ...properties }: ComponentProps<'input'>) {
  return (
    <input
      className={classNames(
        'h-11 w-full min-w-0 rounded-xl border border-input bg-card px-3.5 text-base transition-colors placeholder:text-muted-foreground',
        'focus-visible:border-ring focus-visible:outline-3 focus-visible:outline-ring/30 focus-visible:outline-offset-0',
        'disabled:opacity-50 aria-invalid:border-destructive',
        className,
      )}
      {...properties}
    />
  );
}
