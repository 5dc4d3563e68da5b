import { first } from './first.ts';
import { pages } from './pages.ts';

/** The English texts; those of other languages have the same keys. */
export const english = { ...first, ...pages };
