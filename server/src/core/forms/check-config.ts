import { invalidFields } from '@parley/sdk';
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
  if (Check(schema, value)) return;
  const details = Errors(schema, value)
    // Reports all unknown fields together, as `boolean` does for each.
    .filter((fault) => fault.keyword !== 'additionalProperties')
    .slice(0, maximumDetails)
    .map((fault) => ({ path: place + inDots(fault.instancePath), message: messageOf(fault) }));
  throw invalidFields(details, place);
}

function messageOf(fault: { keyword: string; params: object; message: string }): string {
  if (fault.keyword === 'boolean') return 'is not a known field';
  const { allowedValues } = fault.params as { allowedValues?: unknown[] };
  return allowedValues === undefined ? fault.message : `must be one of ${allowedValues.join(', ')}`;
}

/** `/list/0/a~1b` is `.list[0].a/b`. */
function inDots(pointer: string): string {
  const parts = pointer.split('/').slice(1);
  return parts
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part.replaceAll('~1', '/').replaceAll('~0', '~')}`))
    .join('');
}
