import type { ComponentProps } from 'react';
import { classNames } from '../../lib/class-names.ts';

/** A switch that takes effect immediately. A checkbox underneath; needs a label. */
export function Switch({ className, ...properties }: Omit<ComponentProps<'input'>, 'type' | 'role'>) {
  return (
    <input
      type="checkbox"
      role="switch"
      aria-checked={properties.checked === true}
      className={classNames(
        'relative h-6 w-10.5 shrink-0 cursor-pointer appearance-none rounded-full bg-input transition-colors checked:bg-primary disabled:cursor-not-allowed disabled:opacity-50',
        'after:absolute after:top-0.5 after:left-0.5 after:size-5 after:rounded-full after:bg-card after:shadow-sm after:transition-transform checked:after:translate-x-4.5',
        className,
      )}
      {...properties}
    />
  );
}
