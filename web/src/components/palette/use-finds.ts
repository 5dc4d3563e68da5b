import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useMayOpen } from '../../lib/account.ts';
import { api } from '../../lib/api.ts';
import { matchRank, ranks } from './match-rank.ts';
import { type Found, isUuid, type RecordKind, type RecordSearch, recordKinds, recordSearches } from './searches.ts';
import { pipelineSettings, type SettingFound, serviceSettings } from './setting-finds.ts';

/** A find with how well it matches. */
export interface Ranked extends Found {
  rank: number;
}

/** What one kind of record has for the search. */
export interface KindFinds {
  kind: RecordKind;
  /** The best few. */
  found: Ranked[];
  total: number;
  state: 'found' | 'searching' | 'failed';
  retry: () => void;
}

/** Rows of a group. */
export const rowsPerGroup = 5;
/** Pause in typing after which the server is asked, milliseconds. */
const pause = 180;
/** How long results are used again, milliseconds. */
const freshness = 15_000;

/** What the server has for a search: the records that the account may see, and names of settings. Requests are bounded and cancelled. */
export function useFinds(text: string) {
  const mayOpen = useMayOpen();
  const search = useSettled(text.trim());
  const isWanted = search !== '';
  const kinds = recordKinds.filter((kind) => mayOpen(recordSearches[kind].page));
  const records = useQueries({
    queries: kinds.map((kind) => {
      const { isWhole = false, read }: RecordSearch = recordSearches[kind];
      return {
        queryKey: ['palette', kind, isWhole ? '' : search],
        queryFn: ({ signal }: { signal: AbortSignal }) => read(search, signal),
        enabled: isWanted,
        staleTime: freshness,
        retry: false,
        placeholderData: keepPreviousData,
      };
    }),
  });
  const found = records.map((query, index): KindFinds => {
    const kind = kinds[index] as RecordKind;
    const { isWhole = false }: RecordSearch = recordSearches[kind];
    // Until the server has answered, the earlier finds that match are shown.
    const isSure = !isWhole && !query.isPlaceholderData && search === text.trim();
    const matches = text.trim() === '' ? [] : best(query.data?.found ?? [], text, isSure);
    return {
      kind,
      found: matches.slice(0, rowsPerGroup),
      total: isSure ? (query.data?.total ?? 0) : matches.length,
      state: query.isError ? 'failed' : query.isFetching ? 'searching' : 'found',
      retry: () => void query.refetch(),
    };
  });
  return {
    found,
    settings: useSettings(text, isWanted),
    isSearching: search !== text.trim() || records.some((query) => query.isFetching),
  };
}

function useSettings(text: string, isWanted: boolean): Ranked[] {
  const mayOpen = useMayOpen();
  const options = { enabled: isWanted, staleTime: 60_000, retry: false } as const;
  const status = useQuery({
    queryKey: ['system', 'status'],
    queryFn: () => api.get('/api/v1/system/status'),
    ...options,
    enabled: isWanted && mayOpen('/system'),
  });
  const form = useQuery({
    queryKey: ['pipelines', 'form'],
    queryFn: async () => (await api.get('/api/v1/pipelines/_/metadata')).configs,
    ...options,
  });
  const pipeline = useSettingPipeline(isWanted);
  if (text.trim() === '') return [];
  return best<SettingFound>(
    [
      ...(pipeline === null ? [] : pipelineSettings(form.data ?? [], pipeline)),
      ...serviceSettings(status.data?.settings ?? []),
    ],
    text,
    false,
  ).slice(0, rowsPerGroup);
}

/** The pipeline whose settings are found: that of the page, or else the default one. */
function useSettingPipeline(isWanted: boolean) {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [, uuid = ''] = /^\/pipelines\/([^/]+)$/.exec(path) ?? [];
  const query = { limit: 20, sort_by: 'created_at', sort_order: 'ASC' } as const;
  const pipelines = useQuery({
    queryKey: ['palette', 'setting-pipeline', uuid],
    queryFn: async ({ signal }) => {
      const params = { query: isUuid(uuid) ? { ids: uuid } : query };
      const { pipelines: found } = await api.get('/api/v1/pipelines', { params, signal });
      return found.find(({ is_default }) => is_default) ?? found[0] ?? null;
    },
    enabled: isWanted,
    staleTime: freshness,
    retry: false,
  });
  return pipelines.data ?? null;
}

/** The matches, the best first. @param isSure whether the server says that all of them match */
export function best<Kind extends Found & { more?: string }>(
  all: readonly Kind[],
  text: string,
  isSure: boolean,
): (Kind & Ranked)[] {
  return all
    .flatMap((one) => {
      const id = isUuid(text.trim()) && one.id === text.trim().toLowerCase() ? ranks.exact : null;
      const rank =
        id ?? matchRank(text, one.name, `${one.hint ?? ''} ${one.more ?? ''}`) ?? (isSure ? ranks.other : null);
      return rank === null ? [] : [{ ...one, rank }];
    })
    .sort((one, other) => one.rank - other.rank);
}

/** A text after a pause in typing. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), text === '' ? 0 : pause);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
