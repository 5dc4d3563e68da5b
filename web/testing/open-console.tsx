import type { QueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { render, waitFor } from '@testing-library/react';
import { expect, onTestFinished } from 'vitest';
import { session } from '../src/lib/session.ts';
import { createConsoleRouter } from '../src/router.tsx';
import { fakeEventSources } from './fake-event-sources.ts';
import type { FakeServer } from './fake-server.ts';
import { createQueries, withQueries } from './render.tsx';

interface ConsoleOptions {
  /** Default: `admin`. */
  role?: 'admin' | 'member';
  /** Default: true. */
  isSignedIn?: boolean;
  queries?: QueryClient;
}

/** Opens a page of the console. @param path for example `/bots` */
export async function openConsole(path: string, server: FakeServer, options: ConsoleOptions = {}) {
  const { role = 'admin', isSignedIn = true, queries = createQueries() } = options;
  server.on('get', '/api/v1/user/check-token', { token: 'renewed' });
  server.on('get', '/api/v1/user/info', {
    user: 'ada',
    role,
    account_type: 'local',
    has_password: true,
    recovery_key_created_at: null,
  });
  fakeEventSources();
  if (isSignedIn) session.begin();
  history.replaceState({}, '', path);
  const router = createConsoleRouter(queries);
  onTestFinished(() => {
    router.history.destroy();
    history.replaceState({}, '', '/');
  });
  const Wrapper = withQueries(queries);
  const view = render(
    <Wrapper>
      <RouterProvider router={router} />
    </Wrapper>,
  );
  await waitFor(() => expect(router.state.status).toBe('idle'));
  return { ...view, queries, router };
}
