import { type HintCode, hints as texts } from '@parley/sdk/hints';

/** What to do about a failure whose cause is known: one text for the documentation and the console. */
export const hints: Record<HintCode, string> = texts;
