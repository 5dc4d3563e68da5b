import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loading } from './loading.tsx';
import { Failure } from './page-failure.tsx';

interface LoadedProps<Data> {
  query: UseQueryResult<Data>;
  /** Expected number of rows. */
  rows?: number;
  children: (data: Data) => ReactNode;
}

/** Shows the data of a query, a loading state, or its error. Data stays visible while it is refetched. */
export function Loaded<Data>({ query, rows, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  return <Loading {...(rows === undefined ? {} : { rows })} />;
}
