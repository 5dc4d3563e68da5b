import { type ConflictCode, conflicts as texts } from '@parley/sdk/conflicts';

/** Which state does not allow a request: one text for the API and the console. */
export const conflicts = Object.fromEntries(Object.entries(texts).map(([code, text]) => [code, `${text}.`])) as Record<
  ConflictCode,
  string
>;
