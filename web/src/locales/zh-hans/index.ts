import { first } from './first.ts';
import { pages } from './pages.ts';

/** The Chinese texts. */
export const chinese = { ...first, ...pages };
