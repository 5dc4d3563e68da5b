import { expect, it } from 'vitest';
import { changedSearch, listSearch, pageQuery } from './list-search.ts';

const orders = ['name', 'created_at'];

it.each([
  [
    { q: 'a', sort: '-name', page: 3 },
    { q: 'a', sort: '-name', page: 3 },
  ],
  [
    { q: 42, sort: 'name', page: '2' },
    { q: '42', sort: 'name', page: 2 },
  ],
  [{ q: '', sort: 'token', page: 1 }, {}],
  [{ q: ['a'], sort: '--name', page: -1 }, {}],
  [{ page: 1.5, sort: '' }, {}],
])('reads %j as %j', (given, search) => {
  expect(listSearch(given, orders)).toEqual(search);
});

it('asks for a page', () => {
  expect(pageQuery({ q: ' a ', page: 3 }, '-created_at')).toEqual({
    search: 'a',
    sort_by: 'created_at',
    sort_order: 'DESC',
    limit: 25,
    offset: 50,
  });
  expect(pageQuery({ q: ' ', sort: 'name' }, '-created_at')).toEqual({
    sort_by: 'name',
    sort_order: 'ASC',
    limit: 25,
    offset: 0,
  });
});

it('removes what is undefined or empty from an address', () => {
  const now: { q?: string; page?: number; tab?: string } = { q: 'a', page: 2, tab: 'models' };
  expect(changedSearch(now, { q: '', page: undefined })).toEqual({ tab: 'models' });
});
