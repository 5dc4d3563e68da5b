import type { ErrorDetail, FieldPresentation } from '@parley/sdk';
import type { TObject } from 'typebox';
import type { StoredConfig, TabName } from './pipeline-config.ts';

/**
 * Validates a regular expression of a configuration.
 * @returns an error text to append to its path; null when it is valid
 */
export type PatternCheck = (pattern: string) => Promise<string | null>;

/** A regular expression that cannot be used. */
export interface PatternFault extends ErrorDetail {
  pattern: string;
  place: PatternPlace;
}

/** Where a configuration has a list of regular expressions. */
type PatternPlace = [tab: TabName, group: string, field: string];

/** The regular expressions of a configuration that cannot be used, by their places in it. */
export async function patternFaults(
  schema: TObject,
  config: StoredConfig,
  check: PatternCheck,
): Promise<PatternFault[]> {
  const faults: PatternFault[] = [];
  for (const place of patternPlaces(schema)) {
    for (const [index, pattern] of patternsAt(config, place).entries()) {
      const message = await check(pattern);
      if (message !== null) faults.push({ path: `config.${place.join('.')}[${index}]`, message, pattern, place });
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
    .map(({ path, message }) => ({ path, message }));
}

function patternPlaces(schema: TObject): PatternPlace[] {
  return Object.entries(schema.properties as Record<TabName, TObject>).flatMap(([tab, { properties }]) =>
    Object.entries(properties as Record<string, TObject>).flatMap(([group, { properties: fields }]) =>
      Object.entries(fields as Record<string, FieldPresentation>).flatMap(([field, presentation]) =>
        presentation['x-patterns'] === true ? [[tab as TabName, group, field] satisfies PatternPlace] : [],
      ),
    ),
  );
}

function patternsAt(config: StoredConfig, [tab, group, field]: PatternPlace): readonly string[] {
  return (config[tab][group]?.[field] as string[] | undefined) ?? [];
}
