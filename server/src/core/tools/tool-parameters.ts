import type { ValidateFunction } from 'ajv';
import { isDeeperThan } from '../../lib/nesting.ts';

/** More than any tool needs; what goes deeper would exhaust the stack of whoever walks through it. */
const maximumDepth = 50;
/** Longest parameters of one call, characters of JSON. */
const maximumLength = 262_144;
/** How many faults a model is told of. */
const maximumFaults = 5;

/** Parameters as a model gave them: right, with their JSON, or what is wrong with them. */
export type CheckedParameters =
  | { value: Record<string, unknown>; json: string; fault: null }
  | { value: null; json: string; fault: string };

/** Compiled once for each schema object that a source of tools gives. */
const validators = new WeakMap<object, ValidateFunction>();

/** Reads what a model gave as the parameters of a tool: an object, not too large. Nothing at all counts as `{}`. */
export function readParameters(given: unknown): CheckedParameters {
  const value = given === undefined || given === null || given === '' ? {} : given;
  if (isDeeperThan(value, maximumDepth)) {
    return { value: null, json: '', fault: `they may be nested at most ${maximumDepth} deep` };
  }
  const json = JSON.stringify(value);
  if (typeof value !== 'object' || Array.isArray(value)) {
    return { value: null, json, fault: 'they must be a JSON object' };
  }
  if (json.length > maximumLength) return { value: null, json, fault: 'they are too long' };
  return { value: value as Record<string, unknown>, json, fault: null };
}

/**
 * What is wrong with parameters, for the model to read; null when nothing is.
 * @param schema JSON Schema, draft 7 or as it names itself
 * @throws Error when the schema cannot be used
 */
export async function faultsOf(schema: Record<string, unknown>, parameters: unknown): Promise<string | null> {
  const known = validators.get(schema);
  const validate = known ?? (await compile(schema));
  if (known === undefined) validators.set(schema, validate);
  if (validate(parameters)) return null;
  const faults = (validate.errors ?? []).slice(0, maximumFaults);
  return faults.map(({ instancePath, message, params }) => faultText(instancePath, message, params)).join('; ');
}

function faultText(path: string, message = 'is not right', params: Record<string, unknown> = {}): string {
  const { additionalProperty, allowedValues } = params;
  const more =
    typeof additionalProperty === 'string'
      ? ` (${additionalProperty})`
      : Array.isArray(allowedValues)
        ? ` (${allowedValues.slice(0, 20).map(String).join(', ')})`
        : '';
  return `${path === '' ? 'the object' : path} ${message}${more}`;
}

/** A compiler for each schema: one that is shared would keep every schema it has seen, and their ids would clash. */
async function compile({ $schema: draft = '', ...schema }: Record<string, unknown>): Promise<ValidateFunction> {
  const options = { allErrors: true, strict: false, validateFormats: false, logger: false } as const;
  if (/20(19-09|20-12)/.test(String(draft))) {
    const { Ajv2020 } = await import('ajv/dist/2020.js');
    return new Ajv2020(options).compile(schema);
  }
  const { Ajv } = await import('ajv');
  return new Ajv(options).compile(schema);
}
