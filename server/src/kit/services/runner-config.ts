import { PipelineConfig } from '@parley/sdk';
import type { TObject, TSchema } from 'typebox';
import { Check, Default } from 'typebox/value';

type Groups = PipelineConfig['ai'];

/** Seconds that a service may stay silent when its time limit is 0 or missing. */
const defaultTimeoutSeconds = 120;

/**
 * Reads the group of a runner. Records are old and written by several programs, so a field that is missing or is not
 * what it should be has its default.
 */
export function runnerConfig<Name extends keyof Groups & string>(
  name: Name,
  group: Record<string, unknown>,
): Groups[Name] {
  const schema = (PipelineConfig.properties.ai as TObject).properties[name] as TObject;
  const fields = Object.entries(schema.properties as Record<string, TSchema>);
  const read = fields.map(([field, fieldSchema]) => {
    const value = Object.hasOwn(group, field) ? group[field] : undefined;
    return [field, value !== undefined && Check(fieldSchema, value) ? value : Default(fieldSchema, undefined)];
  });
  return Object.fromEntries(read) as Groups[Name];
}

/** A time limit of a configuration in milliseconds; 0 stands for the usual one. */
export function timeoutMs(seconds: number): number {
  return (seconds > 0 ? seconds : defaultTimeoutSeconds) * 1000;
}
