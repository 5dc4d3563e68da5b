import { knownProblems, type ProblemCode } from '@parley/sdk/problems';
import { sentence } from '../sentence.ts';

/** What exactly is wrong with a request: one text for the API and the console. */
export const problems = Object.fromEntries(
  Object.entries(knownProblems).map(([code, { text }]) => [code, sentence(text)]),
) as Record<ProblemCode, string>;
