import type { ErrorDetail, PipelineConfig } from '@parley/sdk';

/**
 * Validates a regular expression of a configuration.
 * @returns an error text to append to its path; null when it is valid
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
 * New errors of a configuration. Existing errors are tolerated: the configuration may be from another system, and
 * changes of other fields should succeed.
 */
export function newPatternFaults(faults: readonly PatternFault[], stored: PipelineConfig | null): ErrorDetail[] {
  return faults
    .filter(({ list, pattern }) => stored === null || !lists[list](stored).includes(pattern))
    .map(({ path, message }) => ({ path, message }));
}
