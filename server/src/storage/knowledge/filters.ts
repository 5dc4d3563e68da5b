import { type IndexedDocument, invalidFields, ParleyError, type RetrievalFilter } from '@parley/sdk';

type Value = string | number | boolean;

/** Validated filters, ready to be applied to documents and chunks. */
export interface CompiledFilters {
  /** Keys of `metadata` that they name; the search is refused when no document has one of them. */
  readonly metadataKeys: readonly string[];
  /** Whether a filter is on documents. */
  readonly lookAtDocuments: boolean;
  /** Whether a filter is on pages of chunks. */
  readonly lookAtPages: boolean;
  /** Whether chunks of a document may be found. */
  matchDocument(document: IndexedDocument): boolean;
  /** Whether a chunk may be found that goes from page to page; both are null where the format has none. */
  matchPages(page: number | null, pageEnd: number | null): boolean;
}

const textFields = ['file_id', 'document_id', 'file_name', 'extension', 'media_type', 'title'] as const;

/**
 * Validates and compiles filters.
 *
 * A field that a document lacks equals nothing, so only `$ne` and `$nin` match it. Values are compared with values of
 * the same type only, timestamps by time. A chunk is on each of its pages.
 * @throws ParleyError `invalid_request` when an operator and its value do not fit
 */
export function compileFilters(filters: readonly RetrievalFilter[]): CompiledFilters {
  const metadataKeys = new Set<string>();
  const ofDocument: ((document: IndexedDocument) => boolean)[] = [];
  const ofPages: ((page: number | null, pageEnd: number | null) => boolean)[] = [];
  filters.forEach((filter, index) => {
    checkShape(filter, index);
    const { field } = filter;
    if (field === 'page') {
      ofPages.push(pageTest(filter, index));
    } else if (field === 'created_at') {
      const holds = valueTest(withTimestamps(filter, index));
      ofDocument.push((document) => holds(Date.parse(document.created_at)));
    } else if ((textFields as readonly string[]).includes(field)) {
      const holds = valueTest(filter);
      ofDocument.push((document) => holds(document[field as (typeof textFields)[number]] ?? undefined));
    } else {
      metadataKeys.add(field);
      const holds = valueTest(filter);
      ofDocument.push(({ metadata }) => holds(Object.hasOwn(metadata, field) ? metadata[field] : undefined));
    }
  });
  return {
    metadataKeys: [...metadataKeys],
    lookAtDocuments: ofDocument.length > 0,
    lookAtPages: ofPages.length > 0,
    matchDocument: (document) => ofDocument.every((holds) => holds(document)),
    matchPages: (page, pageEnd) => ofPages.every((holds) => holds(page, pageEnd)),
  };
}

/**
 * Refuses filters on metadata that no document has, which is a slip of the pen rather than a question. A collection
 * without documents has nothing to judge by, and nothing is found in it anyway.
 * @throws ParleyError `invalid_request`
 */
export function refuseUnknownFields(
  { metadataKeys }: CompiledFilters,
  documents: Iterable<Pick<IndexedDocument, 'metadata'>>,
): void {
  if (metadataKeys.length === 0) return;
  const missing = new Set(metadataKeys);
  let count = 0;
  for (const { metadata } of documents) {
    count += 1;
    for (const key of missing) if (Object.hasOwn(metadata, key)) missing.delete(key);
    if (missing.size === 0) return;
  }
  if (count === 0) return;
  const names = [...missing].map((name) => `"${name}"`).join(', ');
  throw new ParleyError('invalid_request', `filters: no document has a field named ${names}`);
}

const operators = ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in', '$nin'];

function checkShape({ field, operator, value }: RetrievalFilter, index: number): void {
  const refuse = (what: string, message: string) => {
    throw invalidFields([{ path: `filters/${index}/${what}`, message }]);
  };
  if (typeof field !== 'string' || field === '') refuse('field', 'must name a field');
  if (!operators.includes(operator)) refuse('operator', `must be one of ${operators.join(', ')}`);
  if (operator === '$in' || operator === '$nin') {
    if (!Array.isArray(value) || !value.every(isValue)) refuse('value', `must be a list of values for ${operator}`);
  } else if (!isValue(value)) {
    refuse('value', `must be a text, a number or a boolean for ${operator}`);
  } else if (operator !== '$eq' && operator !== '$ne' && typeof value === 'boolean') {
    refuse('value', `must be a text or a number for ${operator}`);
  }
}

function isValue(value: unknown): value is Value {
  return typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && !Number.isNaN(value));
}

function valueTest({ operator, value }: RetrievalFilter): (found: Value | undefined) => boolean {
  switch (operator) {
    case '$eq':
      return (found) => found === value;
    case '$ne':
      return (found) => found !== value;
    case '$in': {
      const wanted = new Set(value as readonly Value[]);
      return (found) => found !== undefined && wanted.has(found);
    }
    case '$nin': {
      const unwanted = new Set(value as readonly Value[]);
      return (found) => found === undefined || !unwanted.has(found);
    }
    case '$gt':
      return (found) => isComparable(found, value) && found > value;
    case '$gte':
      return (found) => isComparable(found, value) && found >= value;
    case '$lt':
      return (found) => isComparable(found, value) && found < value;
    case '$lte':
      return (found) => isComparable(found, value) && found <= value;
  }
}

function isComparable(found: Value | undefined, value: RetrievalFilter['value']): found is Value {
  return found !== undefined && typeof found === typeof value;
}

/** @throws ParleyError `invalid_request` when a value is not a timestamp */
function withTimestamps(filter: RetrievalFilter, index: number): RetrievalFilter {
  const timestamp = (value: Value) => {
    const milliseconds = typeof value === 'string' ? Date.parse(value) : Number.NaN;
    if (Number.isNaN(milliseconds)) {
      throw invalidFields([
        { path: `filters/${index}/value`, message: 'must be a timestamp such as 2026-01-31T12:00:00Z' },
      ]);
    }
    return milliseconds;
  };
  return { ...filter, value: isValue(filter.value) ? timestamp(filter.value) : filter.value.map(timestamp) };
}

/** @throws ParleyError `invalid_request` when a value is not a number */
function pageTest(
  { operator, value }: RetrievalFilter,
  index: number,
): (page: number | null, pageEnd: number | null) => boolean {
  const wanted = (Array.isArray(value) ? value : [value]) as Value[];
  if (!wanted.every((page) => typeof page === 'number')) {
    throw invalidFields([{ path: `filters/${index}/value`, message: 'must be a number for a page' }]);
  }
  const isOnOne = (page: number | null, pageEnd: number | null) =>
    page !== null && wanted.some((one) => page <= one && one <= (pageEnd ?? page));
  switch (operator) {
    case '$eq':
    case '$in':
      return isOnOne;
    case '$ne':
    case '$nin':
      return (page, pageEnd) => !isOnOne(page, pageEnd);
    case '$gt':
    case '$gte': {
      const holds = valueTest({ field: 'page', operator, value });
      return (page, pageEnd) => page !== null && holds(pageEnd ?? page);
    }
    case '$lt':
    case '$lte': {
      const holds = valueTest({ field: 'page', operator, value });
      return (page) => page !== null && holds(page);
    }
  }
}
