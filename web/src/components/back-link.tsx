import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

/** A link to the parent page, above the heading: `<BackLink to="/bots">`. */
export const BackLink = createLink(function BackAnchor({
  // The router's link, which detects the current page.
  className: _,
  ...properties
}: ComponentProps<'a'>) {
  return <a className="rounded break-words text-muted-foreground underline-offset-4 hover:underline" {...properties} />;
});
