import type { ComponentProps } from 'react';
import { classNames } from '../../lib/class-names.ts';

/** The name of a field; needs `htmlFor`. */
export function Label({ className, ...properties }: ComponentProps<'label'>) {
  // biome-ignore lint/a11y/noLabelWithoutControl: whoever uses it says which control it names
  return <label className={classNames('block text-sm font-medium', className)} {...properties} />;
}
