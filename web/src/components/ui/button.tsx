import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { classNames } from '../../lib/class-names.ts';

/** Styles of buttons, and of links that look like buttons. */
export const buttonVariants = cva(
  'inline-flex shrink-0 items-center justify-center gap-2 rounded-xl font-medium transition-colors duration-150 select-none disabled:cursor-not-allowed disabled:opacity-50 [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        primary: 'bg-primary text-primary-foreground not-disabled:hover:bg-primary-hover',
        outline: 'border border-input bg-card not-disabled:hover:bg-muted',
        ghost: 'text-muted-foreground not-disabled:hover:bg-muted not-disabled:hover:text-foreground',
        destructive: 'bg-destructive text-background not-disabled:hover:opacity-90',
      },
      size: {
        medium: 'h-11 px-4 text-[0.94rem] [&_svg]:size-4.5',
        small: 'h-8 rounded-lg px-2.5 text-sm [&_svg]:size-4',
        icon: 'size-10 [&_svg]:size-5',
      },
    },
    defaultVariants: { variant: 'primary', size: 'medium' },
  },
);

/** A button; `size="icon"` needs an `aria-label`. */
export function Button({
  className,
  variant,
  size,
  type = 'button',
  ...properties
}: ComponentProps<'button'> & VariantProps<typeof buttonVariants>) {
  return <button type={type} className={classNames(buttonVariants({ variant, size }), className)} {...properties} />;
}
