import { type ListSearch, pageQuery, searchedText } from '../../components/lists/list-search.ts';
import { type DocumentFilter, documentsPageQuery } from './knowledge-queries.ts';
import type { BaseSearch, documentOrders } from './routes.ts';

/** Newest first. */
export const fallbackOrder = '-created_at';
const states = { underWay: 'in_progress', ready: 'ready', failed: 'failed' } as const;

/** The documents that the address of a base shows: one page of them. */
export function documentListQuery(base: string, address: BaseSearch) {
  const order = pageQuery<(typeof documentOrders)[number]>(listSearchOf(address), fallbackOrder);
  return documentsPageQuery(base, { ...documentFilterOf(address), ...order });
}

export function listSearchOf({ name, sort, page }: BaseSearch): ListSearch {
  return { ...(name && { q: name }), ...(sort && { sort }), ...(page && { page }) };
}

export function documentFilterOf({ name, stage }: BaseSearch): DocumentFilter {
  return { ...searchedText(name), ...(stage && { state: states[stage] }) };
}
