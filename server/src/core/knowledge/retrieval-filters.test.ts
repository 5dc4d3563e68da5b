import { describe, expect, it } from 'vitest';
import { readFilters } from './retrieval-filters.ts';

const read = (given: unknown) => readFilters(given, 'filters');

describe('filters', () => {
  it('are conditions that all have to hold', () => {
    expect(read({ lang: 'en', draft: false, page: { $gte: 3, $lt: 9 }, year: { $in: [2025, '2026', true] } })).toEqual([
      { field: 'lang', operator: '$eq', value: 'en' },
      { field: 'draft', operator: '$eq', value: false },
      { field: 'page', operator: '$gte', value: 3 },
      { field: 'page', operator: '$lt', value: 9 },
      { field: 'year', operator: '$in', value: [2025, '2026', true] },
    ]);
    for (const operator of ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte']) {
      expect(read({ a: { [operator]: 'x' } })).toEqual([{ field: 'a', operator, value: 'x' }]);
    }
    expect(read({ a: { $nin: [] } })).toEqual([{ field: 'a', operator: '$nin', value: [] }]);
  });

  it('may be absent', () => {
    for (const nothing of [undefined, null, {}]) expect(read(nothing)).toEqual([]);
  });

  it.each([
    ['a list', [], 'filters', 'must be an object'],
    ['a text', 'lang = en', 'filters', 'must be an object'],
    ['an unknown operator', { a: { $like: 'x' } }, 'filters.a', '$like is not one of'],
    ['an operator without its sign', { a: { eq: 'x' } }, 'filters.a', 'eq is not one of'],
    ['an operator in place of a field', { $and: [] }, 'filters.$and', 'is no field'],
    ['no operator', { a: {} }, 'filters.a', 'names no operator'],
    ['no value to compare with', { a: null }, 'filters.a', 'must be a text'],
    ['a list to be the same', { a: ['x'] }, 'filters.a', 'must be a text'],
    ['an object to be the same', { a: { $eq: { b: 1 } } }, 'filters.a', 'must be a text'],
    ['no list of values', { a: { $in: 'x' } }, 'filters.a', '$in takes a list'],
    ['a list of objects', { a: { $nin: [{}] } }, 'filters.a', '$nin takes texts'],
    ['too many values', { a: { $in: Array(501).fill(1) } }, 'filters.a', 'at most 500'],
    ['too long a text', { a: 'x'.repeat(1001) }, 'filters.a', 'must be a text'],
    ['a field without a name', { '': 'x' }, 'filters.', 'must be named'],
    [
      'too many conditions',
      Object.fromEntries([...Array(51).keys()].map((key) => [`k${key}`, 1])),
      'filters',
      'more than 50',
    ],
  ])('refuses %s', (_, given, path, message) => {
    let error: unknown;
    try {
      read(given);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({
      reason: 'invalid_request',
      details: [{ path, message: expect.stringContaining(message) }],
    });
  });
});
