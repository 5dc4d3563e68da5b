import type { ErrorDetail } from '@parley/sdk';
import type { TObject } from 'typebox';
import { type FieldPlace, markedPlaces } from './field-places.ts';
import type { StoredConfig } from './pipeline-config.ts';

/**
 * Validates a regular expression of a configuration.
 * @returns an error text to append to its path; null when it is valid
 */
export type PatternCheck = (pattern: string) => Promise<string | null>;

/** A regular expression that cannot be used. */
export interface PatternFault extends ErrorDetail {
  pattern: string;
  place: FieldPlace;
}

/** The regular expressions of a configuration that cannot be used, by their places in it. */
export async function patternFaults(
  schema: TObject,
  config: StoredConfig,
  check: PatternCheck,
): Promise<PatternFault[]> {
  const faults: PatternFault[] = [];
  for (const place of markedPlaces(schema, (field) => field['x-patterns'] === true)) {
    for (const [index, pattern] of patternsAt(config, place).entries()) {
      const message = await check(pattern);
      if (message !== null) {
        const path = `config.${place.tab}.${place.group}.${place.field}[${index}]`;
        faults.push({ path, message, rule: 'regex', pattern, place });
      }
    }
  }
  return faults;
}

/**
 * New errors of a configuration. Existing errors are tolerated: the configuration may be from another system, and
 * changes of other fields should succeed.
 */
export function newPatternFaults(faults: readonly PatternFault[], stored: StoredConfig | null): ErrorDetail[] {
  return faults
    .filter(({ place, pattern }) => stored === null || !patternsAt(stored, place).includes(pattern))
    .map(({ pattern: _pattern, place: _place, ...detail }) => detail);
}

function patternsAt(config: StoredConfig, { tab, group, field }: FieldPlace): readonly string[] {
  return (config[tab][group]?.[field] as string[] | undefined) ?? [];
}
