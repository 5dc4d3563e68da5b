import { invalidFields, type RetrievalFilter } from '@parley/sdk';

/** A condition as services of this kind know it. */
interface Condition {
  name: string;
  comparison_operator: string;
  value: string | number | string[];
}

const ofNumbers: Partial<Record<RetrievalFilter['operator'], string>> = {
  $eq: '=',
  $ne: '≠',
  $gt: '>',
  $gte: '≥',
  $lt: '<',
  $lte: '≤',
};
const ofTexts: Partial<Record<RetrievalFilter['operator'], string>> = { $eq: 'is', $ne: 'is not' };
const ofTimestamps: Partial<Record<RetrievalFilter['operator'], string>> = { ...ofTexts, $gt: 'after', $lt: 'before' };
const ofLists: Partial<Record<RetrievalFilter['operator'], string>> = { $in: 'in', $nin: 'not in' };

/**
 * Converts filters for the service; null without any.
 * @throws ParleyError `invalid_request` for a filter that the service does not support, since omitting it would find
 *   unwanted results
 */
export function metadataCondition(
  filters: readonly RetrievalFilter[],
): { logical_operator: 'and'; conditions: Condition[] } | null {
  if (filters.length === 0) return null;
  return { logical_operator: 'and', conditions: filters.map(conditionOf) };
}

function conditionOf({ field, operator, value }: RetrievalFilter, place: number): Condition {
  const isList = typeof value === 'object';
  const known = isList ? ofLists : typeof value === 'number' ? ofNumbers : isTimestamp(value) ? ofTimestamps : ofTexts;
  const comparison_operator = known[operator];
  if (comparison_operator === undefined) {
    throw invalidFields([{ path: `filters[${place}]`, message: `the service cannot compare like this: ${operator}` }]);
  }
  const sent = isList ? value.map(String) : typeof value === 'number' ? value : String(value);
  return { name: field, comparison_operator, value: sent };
}

function isTimestamp(value: RetrievalFilter['value']): boolean {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}([T ]|$)/.test(value);
}
