import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { onTestFinished } from 'vitest';

/** A new cache. Failed requests are not repeated, unless a test is about that. */
export function createQueries({ retry = 0 } = {}): QueryClient {
  const queries = new QueryClient({ defaultOptions: { queries: { retry, refetchOnWindowFocus: false } } });
  onTestFinished(() => queries.clear());
  return queries;
}

/** For `renderHook` and `render`: what hooks need that read data. */
export function withQueries(queries = createQueries()) {
  return ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  );
}

/** Renders an element with all that pages have around them. Every path shows it. */
export async function renderInConsole(element: ReactNode, queries = createQueries()) {
  const root = createRootRoute({ component: () => element });
  const any = createRoute({ getParentRoute: () => root, path: '$' });
  const router = createRouter({ routeTree: root.addChildren([any]) });
  onTestFinished(() => {
    router.history.destroy();
    history.replaceState({}, '', '/');
  });
  await act(() => router.load());
  const Wrapper = withQueries(queries);
  const view = render(
    <Wrapper>
      <RouterProvider router={router as never} />
    </Wrapper>,
  );
  return { ...view, queries, router };
}
