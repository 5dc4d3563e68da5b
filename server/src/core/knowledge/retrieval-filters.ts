import { type ErrorDetail, invalidFields, type RetrievalFilter } from '@parley/sdk';

type Value = string | number | boolean;

const operators = ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in', '$nin'] as const;
const maximumFilters = 50;
const maximumValues = 500;
const maximumCharacters = 1000;

/**
 * Parses filters of clients: fields with a value for equality, or with operators.
 * @param given `{"lang": "en", "page": {"$gte": 3, "$lt": 9}}`; none when undefined or null
 * @param place path in the request
 * @throws ParleyError `invalid_request` with the path of each error
 */
export function readFilters(given: unknown, place: string): RetrievalFilter[] {
  if (given === undefined || given === null) return [];
  if (!isObject(given)) throw invalidFields([{ path: place, message: 'must be an object' }]);
  const filters: RetrievalFilter[] = [];
  const faults: ErrorDetail[] = [];
  for (const [field, condition] of Object.entries(given)) {
    const path = `${place}.${field}`;
    const conditions = isObject(condition) ? Object.entries(condition) : [['$eq', condition] as const];
    if (conditions.length === 0) faults.push({ path, message: 'names no operator' });
    for (const [operator, value] of conditions) {
      const fault = faultOf(field, operator, value);
      if (fault !== null) faults.push({ path, message: fault });
      else filters.push({ field, operator, value } as RetrievalFilter);
    }
    if (filters.length > maximumFilters)
      faults.push({ path: place, message: `holds more than ${maximumFilters} conditions` });
    if (faults.length > 0) throw invalidFields(faults.slice(0, 20));
  }
  return filters;
}

function faultOf(field: string, operator: string, value: unknown): string | null {
  if (field === '' || field.length > 100) return 'must be named by 1 to 100 characters';
  if (field.startsWith('$')) return `${field} is no field; all conditions have to hold`;
  if (!(operators as readonly string[]).includes(operator)) {
    return `${operator.slice(0, 100)} is not one of ${operators.join(', ')}`;
  }
  if (operator !== '$in' && operator !== '$nin') return isValue(value) ? null : 'must be a text, a number or a boolean';
  if (!Array.isArray(value)) return `${operator} takes a list`;
  if (value.length > maximumValues) return `${operator} takes at most ${maximumValues} values`;
  return value.every(isValue) ? null : `${operator} takes texts, numbers or booleans`;
}

function isValue(value: unknown): value is Value {
  if (typeof value === 'string') return value.length <= maximumCharacters;
  return typeof value === 'boolean' || Number.isFinite(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
