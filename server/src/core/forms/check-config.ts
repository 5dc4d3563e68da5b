import { type ErrorDetail, invalidFields } from '@parley/sdk';
import type { Static, TObject } from 'typebox';
import { Check, Errors } from 'typebox/value';

/** Most errors reported for one configuration. */
const maximumDetails = 20;

/**
 * Refuses a configuration that does not match its schema.
 * @param place path of the configuration in the request, for the paths of errors: `config`
 * @throws ParleyError `invalid_request` with the path of each error
 */
export function checkConfig<Schema extends TObject>(
  schema: Schema,
  value: unknown,
  place: string,
): asserts value is Static<Schema> {
  const details = configFaults(schema, value, place);
  if (details.length > 0) throw invalidFields(details, place);
}

/** The errors of a value by its schema, at most 20; none when it is valid. */
export function configFaults(schema: TObject, value: unknown, place: string): ErrorDetail[] {
  if (Check(schema, value)) return [];
  const details = Errors(schema, value)
    // Reports all unknown fields together, as `boolean` does for each.
    .filter((fault) => fault.keyword !== 'additionalProperties')
    .flatMap((fault) => detailsOf(fault, place + inDots(fault.instancePath)))
    .slice(0, maximumDetails);
  return details.length > 0 ? details : [{ path: place, message: 'is invalid' }];
}

interface FaultParameters {
  requiredProperties?: readonly string[];
  allowedValues?: readonly unknown[];
  limit?: number;
  type?: string | readonly string[];
}

function detailsOf(fault: { keyword: string; params: object; message: string }, path: string): ErrorDetail[] {
  const { keyword, message } = fault;
  const params: FaultParameters = fault.params;
  if (keyword === 'boolean') return [{ path, message: 'is not a known field', rule: 'additionalProperties' }];
  if (params.requiredProperties !== undefined) {
    return params.requiredProperties.map((name) => ({
      path: `${path}.${name}`,
      message: 'is required',
      rule: 'required',
    }));
  }
  if (params.allowedValues !== undefined) {
    const limit = params.allowedValues.map(String);
    return [{ path, message: `must be one of ${limit.join(', ')}`, rule: 'enum', limit }];
  }
  const limit = params.limit ?? params.type;
  return [{ path, message, rule: keyword, ...(limit === undefined ? {} : { limit }) }];
}

/** `/list/0/a~1b` is `.list[0].a/b`. */
function inDots(pointer: string): string {
  const parts = pointer.split('/').slice(1);
  return parts
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part.replaceAll('~1', '/').replaceAll('~0', '~')}`))
    .join('');
}
