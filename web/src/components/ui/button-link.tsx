import { createLink } from '@tanstack/react-router';
import type { VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { buttonVariants } from './button.tsx';

type Looks = VariantProps<typeof buttonVariants>;

/** A link to a page that looks like a button: `<ButtonLink to="/bots/new">`. */
export const ButtonLink = createLink(function ButtonAnchor({
  className,
  variant,
  size,
  ...properties
}: ComponentProps<'a'> & Looks) {
  return <a className={classNames(buttonVariants({ variant, size }), className)} {...properties} />;
});
