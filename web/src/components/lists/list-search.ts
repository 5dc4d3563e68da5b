import { textOrNothing } from '../../lib/search-parameters.ts';

/** Records on a page of a list. */
export const pageSize = 25;

/** What the address says of a list, besides its filters. */
export interface ListSearch {
  /** Part of a name. */
  q?: string;
  /** An order of the list; with a minus sign, descending. */
  sort?: string;
  /** From 2 on. */
  page?: number;
}

/** Parses the URL; invalid values are ignored. */
export function listSearch(
  { q, sort, page }: { q?: unknown; sort?: unknown; page?: unknown },
  orders: readonly string[],
): ListSearch {
  const number = Number(page);
  return {
    ...textOrNothing({ q: typeof q === 'string' || typeof q === 'number' ? String(q).slice(0, 200) : undefined }),
    ...(typeof sort === 'string' && orders.includes(sort.replace(/^-/, '')) && { sort }),
    ...(Number.isSafeInteger(number) && number > 1 && number <= 1_000_000 && { page: number }),
  };
}

/** The parameters of a request for a page. */
export function pageQuery<Order extends string>(
  { q, sort, page = 1 }: ListSearch,
  fallback: string,
): {
  search?: string;
  sort_by: Order;
  sort_order: 'ASC' | 'DESC';
  limit: number;
  offset: number;
} {
  const { order, isDescending } = sortOf(sort ?? fallback);
  return {
    ...searchedText(q),
    sort_by: order as Order,
    sort_order: isDescending ? 'DESC' : 'ASC',
    limit: pageSize,
    offset: (page - 1) * pageSize,
  };
}

export function sortOf(sort: string): { order: string; isDescending: boolean } {
  return { order: sort.replace(/^-/, ''), isDescending: sort.startsWith('-') };
}

/** Changed parts of an address; undefined removes one. */
export type SearchChange<Search> = { [Name in keyof Search]?: Search[Name] | undefined };

export function changedSearch<Search extends object>(now: Search, change: SearchChange<Search>): Search {
  const all = Object.entries({ ...now, ...change });
  return Object.fromEntries(all.filter(([, value]) => value !== undefined && value !== '')) as Search;
}

/** The text to search for, as the API takes it. */
export function searchedText(q: string | undefined): { search?: string } {
  const text = q?.trim() ?? '';
  return text === '' ? {} : { search: text };
}
