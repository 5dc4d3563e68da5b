import { PipelineConfig } from '@parley/sdk';
import type { TObject, TSchema } from 'typebox';
import { Check, Default } from 'typebox/value';

type Groups = PipelineConfig['ai'];

/** Seconds that a service may stay silent when its time limit is 0 or missing. */
const defaultTimeoutSeconds = 120;

/**
 * Reads the settings of a runner. Old records may come from several programs, so a missing or invalid field has its
 * default.
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

/** A timeout setting in milliseconds; 0 means the default. */
export function timeoutMs(seconds: number): number {
  return (seconds > 0 ? seconds : defaultTimeoutSeconds) * 1000;
}
