import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

/** The way up, above the heading of a page: `<BackLink to="/bot">`. */
export const BackLink = createLink(function BackAnchor({
  // The router's own, which tells links to the present page apart.
  className: _,
  ...properties
}: ComponentProps<'a'>) {
  return <a className="rounded break-words text-muted-foreground underline-offset-4 hover:underline" {...properties} />;
});
