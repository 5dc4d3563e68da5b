import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

/** The way up, above the heading of a page: `<BackLink to="/bot">`. */
export const BackLink = createLink(function BackAnchor(properties: Omit<ComponentProps<'a'>, 'className'>) {
  return <a className="rounded break-words text-muted-foreground underline-offset-4 hover:underline" {...properties} />;
});
