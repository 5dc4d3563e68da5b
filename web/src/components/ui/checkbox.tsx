import { type ComponentProps, useEffect, useRef } from 'react';
import { classNames } from '../../lib/class-names.ts';

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'ref'> {
  /** Some of what it stands for is selected. */
  isMixed?: boolean;
}

/** A checkbox; needs a label. */
export function Checkbox({ className, isMixed = false, ...properties }: CheckboxProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current !== null) input.current.indeterminate = isMixed;
  }, [isMixed]);
  return (
    <input
      ref={input}
      type="checkbox"
      className={classNames('block size-4.5 shrink-0 cursor-pointer accent-primary', className)}
      {...properties}
    />
  );
}
