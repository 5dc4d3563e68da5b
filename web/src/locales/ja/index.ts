import { first } from './first.ts';
import { pages } from './pages.ts';

/** The Japanese texts. */
export const japanese = { ...first, ...pages };
