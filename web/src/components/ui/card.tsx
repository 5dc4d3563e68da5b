import type { ComponentProps } from 'react';
import { classNames } from '../../lib/class-names.ts';

/** A raised surface. */
export function Card({ className, ...properties }: ComponentProps<'div'>) {
  return (
    <div
      className={classNames(
        'rounded-2xl border bg-card p-6 shadow-[0_1px_2px_rgb(0_0_0/0.04),0_12px_32px_-12px_rgb(0_0_0/0.08)] sm:p-8',
        className,
      )}
      {...properties}
    />
  );
}
