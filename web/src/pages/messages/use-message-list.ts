import type { paths } from '@parley/client';
import {
  infiniteQueryOptions,
  type QueryClient,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { api } from '../../lib/api.ts';
import { hasGap, mergeMessages } from './merge-messages.ts';
import { listQuery } from './message-queries.ts';
import { filtersKey, type MessagesSearch } from './messages-search.ts';

/** Messages per page while scrolling; of the first page, which is soon there; and of what every change refetches. */
const pageSize = 200;
const firstSize = 60;
const newestSize = 50;
/** Pages without results before the user is asked whether to continue. */
const patience = 15;

/** The filters of messages. */
type Query = Omit<NonNullable<paths['/api/v1/messages']['get']['parameters']['query']>, 'limit' | 'cursor'>;

// Not below `messages`: otherwise every change would refetch all pages.
const listKey = (key: string) => ['message-list', key];

function pagesQuery(key: string, query: () => Query) {
  return infiniteQueryOptions({
    queryKey: listKey(key),
    queryFn: ({ pageParam, signal }) =>
      api.get('/api/v1/messages', {
        params: {
          query: {
            ...query(),
            ...(pageParam === null ? { limit: firstSize } : { limit: pageSize, cursor: pageParam }),
          },
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Fetches the first page of the list of messages, before there is a component that uses it. */
export function prefetchMessageList(queries: QueryClient, search: MessagesSearch): Promise<void> {
  return queries.prefetchInfiniteQuery(pagesQuery(filtersKey(search), () => listQuery(search)));
}

/**
 * Messages that match filters, newest first, loaded while scrolling. Changes are fetched with one small request,
 * however much was loaded.
 * @param key identifies the filters; `query` creates them for each request
 */
export function useMessageList(key: string, query: () => Query) {
  const queries = useQueryClient();
  const list = useInfiniteQuery(pagesQuery(key, query));
  const newest = useQuery({
    queryKey: ['messages', 'newest', key],
    queryFn: () => api.get('/api/v1/messages', { params: { query: { ...query(), limit: newestSize } } }),
    enabled: list.isSuccess,
    // The first page is the newest for now.
    initialData: () => list.data?.pages[0],
    initialDataUpdatedAt: list.dataUpdatedAt,
    staleTime: 10_000,
  });

  const loaded = useMemo(() => list.data?.pages.flatMap(({ messages }) => messages), [list.data]);
  const isTorn = newest.data !== undefined && loaded !== undefined && hasGap(newest.data, loaded);
  useEffect(() => {
    if (isTorn) void queries.resetQueries({ queryKey: listKey(key) });
  }, [isTorn, queries, key]);

  const rows = useMemo(() => {
    if (loaded === undefined) return undefined;
    return newest.data === undefined ? loaded : mergeMessages(newest.data, loaded);
  }, [newest.data, loaded]);

  const { hasNextPage, isFetching, fetchNextPage, isFetchNextPageError } = list;
  const pages = list.data?.pages ?? [];
  const emptyRun = pages.length - 1 - pages.findLastIndex(({ messages }) => messages.length > 0);
  const isPatient = emptyRun % patience !== 0 || emptyRun === 0;
  const mayLoad = hasNextPage && !isFetching && !isFetchNextPageError;
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  // A new function with every page, so that a list whose end is still in view loads the next.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const onEnd = useCallback(() => {
    if (mayLoad && isPatient) more();
  }, [mayLoad, isPatient, more, pages.length]);
  // Without layout there is no scrolling.
  const isBare = rows !== undefined && rows.length === 0;
  useEffect(() => {
    if (isBare) onEnd();
  }, [isBare, onEnd]);

  return {
    /** Undefined until the first page is loaded. */
    rows,
    query: list,
    isLoadingMore: list.isFetchingNextPage,
    /** There is more, but loading requires a user action: too many pages without results, or an error. */
    mustAsk: hasNextPage && !isFetching && (!isPatient || isFetchNextPageError),
    more,
    onEnd,
    hasMore: hasNextPage,
  };
}
