import type { ErrorDetail, PipelineConfig } from '@parley/sdk';

/**
 * Says what is wrong with a regular expression of a configuration.
 * @returns words that go behind its place; null when it can be used
 */
export type PatternCheck = (pattern: string) => Promise<string | null>;

/** A regular expression that cannot be used. */
export interface PatternFault extends ErrorDetail {
  pattern: string;
  list: PatternList;
}

/** Where a configuration has regular expressions. */
const lists = {
  'trigger.group-respond-rules.regexp': (config: PipelineConfig) => config.trigger['group-respond-rules'].regexp,
  'trigger.ignore-rules.regexp': (config: PipelineConfig) => config.trigger['ignore-rules'].regexp,
};
type PatternList = keyof typeof lists;

/** The regular expressions of a configuration that cannot be used, by their places in it. */
export async function patternFaults(config: PipelineConfig, check: PatternCheck): Promise<PatternFault[]> {
  const faults: PatternFault[] = [];
  for (const [list, read] of Object.entries(lists) as [PatternList, (typeof lists)[PatternList]][]) {
    for (const [index, pattern] of read(config).entries()) {
      const message = await check(pattern);
      if (message !== null) faults.push({ path: `config.${list}[${index}]`, message, pattern, list });
    }
  }
  return faults;
}

/**
 * Faults that a configuration did not have before. What is stored already may stay: it may have been written for another
 * system, and whoever changes something else of it should be able to.
 */
export function newPatternFaults(faults: readonly PatternFault[], stored: PipelineConfig | null): ErrorDetail[] {
  return faults
    .filter(({ list, pattern }) => stored === null || !lists[list](stored).includes(pattern))
    .map(({ path, message }) => ({ path, message }));
}
