import type { ComponentProps } from 'react';
import { classNames } from '../../lib/class-names.ts';

/** Several lines of text; grows with them. */
export function Textarea({ className, ...properties }: ComponentProps<'textarea'>) {
  return (
    <textarea
      className={classNames(
        'field-sizing-content max-h-96 min-h-22 w-full min-w-0 rounded-xl border border-input bg-card px-3.5 py-2.5 text-base transition-colors placeholder:text-muted-foreground',
        'focus-visible:border-ring focus-visible:outline-3 focus-visible:outline-ring/30 focus-visible:outline-offset-0',
        'disabled:opacity-50 aria-invalid:border-destructive',
        className,
      )}
      {...properties}
    />
  );
}
