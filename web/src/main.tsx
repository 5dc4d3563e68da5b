import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './index.css';
import './lib/i18n.ts';
import { session } from './lib/session.ts';
// Before the router rewrites the address; the page that needs it is loaded later.
import './pages/account/provider-answer.ts';
import { createConsoleRouter, isPublic } from './router.tsx';

const queries = new QueryClient({ defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: false } } });
const router = createConsoleRouter(queries);

// When the session ends, anywhere, its data is removed from the screen and the memory.
session.subscribe(() => {
  if (session.current() !== null) return;
  queries.clear();
  const { pathname, href } = router.state.location;
  if (isPublic(pathname)) return;
  // After an involuntary sign-out, users return to their page. Nothing can be saved any more, so none is asked.
  void router.navigate({ to: '/sign-in', search: session.hasExpired() ? { to: href } : {}, ignoreBlocker: true });
});

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
