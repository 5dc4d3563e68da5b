import type { IndexedDocument, RetrievalFilter } from '@parley/sdk';
import { describe, expect, test } from 'vitest';
import { compileFilters, refuseUnknownFields } from './filters.ts';

const document: IndexedDocument = {
  document_id: 'd',
  file_id: 'f',
  file_name: 'prices.pdf',
  extension: 'pdf',
  media_type: 'application/pdf',
  created_at: '2026-03-01T10:00:00.000Z',
  title: 'Prices',
  metadata: { year: 2025, author: 'Ada', is_public: true, constructor: 'x' },
};

describe('filters on documents', () => {
  test.each<[RetrievalFilter['field'], RetrievalFilter['operator'], RetrievalFilter['value'], boolean]>([
    ['file_name', '$eq', 'prices.pdf', true],
    ['file_name', '$ne', 'prices.pdf', false],
    ['extension', '$in', ['pdf', 'txt'], true],
    ['extension', '$in', [], false],
    ['extension', '$nin', ['pdf'], false],
    ['extension', '$nin', [], true],
    ['year', '$gt', 2024, true],
    ['year', '$gt', 2025, false],
    ['year', '$gte', 2025, true],
    ['year', '$lt', 2025, false],
    ['year', '$lte', 2025, true],
    // Values of different types are never equal and have no order.
    ['year', '$eq', '2025', false],
    ['year', '$gt', '2024', false],
    ['year', '$ne', '2025', true],
    ['is_public', '$eq', true, true],
    ['author', '$lt', 'B', true],
    // A missing field equals nothing.
    ['absent', '$eq', 'x', false],
    ['absent', '$ne', 'x', true],
    ['absent', '$nin', ['x'], true],
    ['absent', '$lt', 5, false],
    ['toString', '$ne', 'x', true],
    ['constructor', '$eq', 'x', true],
    // Timestamps are compared by time, in any notation.
    ['created_at', '$eq', '2026-03-01T12:00:00+02:00', true],
    ['created_at', '$gt', '2026-02-28', true],
    ['created_at', '$lt', '2026-03-01T10:00:00Z', false],
    ['created_at', '$in', ['2026-03-01T10:00:00Z'], true],
  ])('%s %s %j is %s', (field, operator, value, expected) => {
    expect(compileFilters([{ field, operator, value }]).matchDocument(document)).toBe(expected);
  });

  test('have to hold all', () => {
    const both = (year: number) =>
      compileFilters([
        { field: 'author', operator: '$eq', value: 'Ada' },
        { field: 'year', operator: '$eq', value: year },
      ]).matchDocument(document);
    expect([both(2025), both(2024)]).toEqual([true, false]);
    expect(compileFilters([]).matchDocument(document)).toBe(true);
  });

  test('are refused when they name metadata that no document has', () => {
    const filters = compileFilters([
      { field: 'author', operator: '$eq', value: 'Ada' },
      { field: 'autor', operator: '$eq', value: 'Ada' },
    ]);
    expect(() => refuseUnknownFields(filters, [document])).toThrow('"autor"');
    expect(() => refuseUnknownFields(filters, [document, { metadata: { autor: 'Ada' } }])).not.toThrow();
    expect(() => refuseUnknownFields(filters, [])).not.toThrow();
  });
});

describe('filters on pages', () => {
  test.each<[RetrievalFilter['operator'], RetrievalFilter['value'], number | null, number | null, boolean]>([
    ['$eq', 3, 2, 4, true],
    ['$eq', 5, 2, 4, false],
    ['$eq', 2, 2, null, true],
    ['$ne', 3, 2, 4, false],
    ['$ne', 5, 2, 4, true],
    ['$in', [9, 4], 2, 4, true],
    ['$nin', [9, 4], 2, 4, false],
    ['$gt', 3, 2, 4, true],
    ['$gt', 4, 2, 4, false],
    ['$gte', 4, 2, 4, true],
    ['$lt', 2, 2, 4, false],
    ['$lt', 3, 2, 4, true],
    ['$lte', 2, 2, 4, true],
    ['$eq', 1, null, null, false],
    ['$ne', 1, null, null, true],
    ['$lt', 1, null, null, false],
  ])('%s %j is applied to a chunk from page %s to %s: %s', (operator, value, page, pageEnd, expected) => {
    const filters = compileFilters([{ field: 'page', operator, value }]);
    expect(filters.matchPages(page, pageEnd)).toBe(expected);
    expect(filters.matchDocument(document)).toBe(true);
    expect([filters.lookAtPages, filters.lookAtDocuments]).toEqual([true, false]);
  });
});

test.each<[RetrievalFilter, string]>([
  [{ field: '', operator: '$eq', value: 1 }, 'filters/0/field'],
  [{ field: 'year', operator: '$like' as '$eq', value: 1 }, 'filters/0/operator'],
  [{ field: 'year', operator: '$in', value: 1 }, 'filters/0/value'],
  [{ field: 'year', operator: '$in', value: [{} as string] }, 'filters/0/value'],
  [{ field: 'year', operator: '$eq', value: [1] }, 'filters/0/value'],
  [{ field: 'year', operator: '$eq', value: null as unknown as string }, 'filters/0/value'],
  [{ field: 'year', operator: '$eq', value: Number.NaN }, 'filters/0/value'],
  [{ field: 'year', operator: '$gt', value: true }, 'filters/0/value'],
  [{ field: 'created_at', operator: '$gt', value: 'yesterday' }, 'filters/0/value'],
  [{ field: 'created_at', operator: '$gt', value: 1 }, 'filters/0/value'],
  [{ field: 'page', operator: '$eq', value: 'one' }, 'filters/0/value'],
  [{ field: 'page', operator: '$in', value: [1, 'one'] }, 'filters/0/value'],
])('%j is refused', (filter, path) => {
  expect(() => compileFilters([filter])).toThrow(
    expect.objectContaining({ reason: 'invalid_request', details: [expect.objectContaining({ path })] }),
  );
});
