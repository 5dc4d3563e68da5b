import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loading } from './loading.tsx';
import { Failure } from './page-failure.tsx';

interface LoadedProps<Data> {
  query: UseQueryResult<Data>;
  /** How many rows to expect. */
  rows?: number;
  children: (data: Data) => ReactNode;
}

/** Shows what a query gave, or that it is on its way, or why it failed. What is there stays while it is read anew. */
export function Loaded<Data>({ query, rows, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  return <Loading {...(rows === undefined ? {} : { rows })} />;
}
