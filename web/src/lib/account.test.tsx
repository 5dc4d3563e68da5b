import { useQuery } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeServer, refusal, startFakeServer, unreachable } from '../../testing/fake-server.ts';
import { createQueries, withQueries } from '../../testing/render.tsx';
import { accountQuery, useIsAdmin } from './account.ts';
import { accountStorage } from './account-storage.ts';
import { session } from './session.ts';

let server: FakeServer;

beforeEach(() => {
  server = startFakeServer();
  server.on('get', '/api/v1/user/check-token', { token: '' });
  answerAccount('admin');
  session.end();
  session.begin();
});

function answerAccount(role: 'admin' | 'member') {
  server.on('get', '/api/v1/user/info', {
    user: 'ada',
    account_type: 'local',
    has_password: true,
    recovery_key_created_at: null,
    role,
  });
}

const paths = () => server.calls.map(({ path }) => path.replace('/api/v1/user/', ''));
const renewed = ['check-token', 'info'];

function showAccount() {
  return renderHook(() => useQuery(accountQuery), { wrapper: withQueries() }).result;
}

describe('the account', () => {
  it('is fetched after the session was renewed', async () => {
    const account = showAccount();
    await waitFor(() => expect(account.current.data).toMatchObject({ user: 'ada', role: 'admin' }));
    expect(paths()).toEqual(renewed);
  });

  it('is not fetched when the session cannot be renewed, which ends it', async () => {
    server.on('get', '/api/v1/user/check-token', refusal(401, 'unauthorized'));
    const account = showAccount();
    await waitFor(() => expect(account.current.error).toMatchObject({ status: 401 }));
    expect(paths()).toEqual(['check-token']);
    expect(session.current()).toBeNull();
    expect(session.hasExpired()).toBe(true);
  });

  it.each([
    ['cannot be reached', unreachable],
    ['is not ready', refusal(503, 'not_ready')],
    ['is asked too often', refusal(429, 'too_many_requests')],
  ])('fails to load while the server %s, and the session stays', async (_, answer) => {
    server.on('get', '/api/v1/user/check-token', answer);
    const account = showAccount();
    await waitFor(() => expect(account.current.isError).toBe(true));
    expect(session.current()).not.toBeNull();
  });

  it('opens what the browser keeps for it', async () => {
    accountStorage.use('ada');
    accountStorage.set('note', 'of ada');
    accountStorage.use('ada');
    const account = showAccount();
    await waitFor(() => expect(account.current.isSuccess).toBe(true));
    expect(accountStorage.get('note')).toBe('of ada');
    localStorage.setItem('kept:bob:note', '{"at":1e15,"value":"of bob"}');
    await account.current.refetch();
    expect(localStorage.getItem('kept:bob:note')).toBeNull();
  });

  it('opens nothing if the user signed out meanwhile', async () => {
    const { promise, resolve } = Promise.withResolvers<{ token: string }>();
    server.on('get', '/api/v1/user/check-token', () => promise);
    showAccount();
    await waitFor(() => expect(paths()).toEqual(['check-token']));
    accountStorage.clear();
    session.end();
    resolve({ token: '' });
    await waitFor(() => expect(paths()).toEqual(renewed));
    await new Promise((done) => setTimeout(done, 10));
    expect(accountStorage.set('note', 'late')).toBe(false);
    expect(localStorage.getItem('kept-account')).toBeNull();
  });

  it('is not fetched without a session', async () => {
    session.end();
    const account = showAccount();
    expect(account.current.fetchStatus).toBe('idle');
    expect(server.calls).toEqual([]);
  });

  it('is fetched once by all parts of a page', async () => {
    const wrapper = withQueries(createQueries());
    const one = renderHook(() => useQuery(accountQuery), { wrapper }).result;
    renderHook(useIsAdmin, { wrapper });
    await waitFor(() => expect(one.current.isSuccess).toBe(true));
    renderHook(useIsAdmin, { wrapper });
    expect(paths()).toEqual(renewed);
  });

  it('is fetched again after 10 minutes, which renews the session', async () => {
    const queries = createQueries();
    const fetchedAt = (age: number) => {
      queries.setQueryData(accountQuery.queryKey, { user: 'ada' } as never, { updatedAt: Date.now() - age });
      const { result, unmount } = renderHook(() => useQuery(accountQuery), { wrapper: withQueries(queries) });
      return { result, unmount };
    };
    fetchedAt(9 * 60_000).unmount();
    expect(paths()).toEqual([]);
    fetchedAt(10 * 60_000 + 1);
    await waitFor(() => expect(paths()).toEqual(renewed));
  });
});

it.each([
  ['admin', true],
  ['member', false],
] as const)('a user with the role %s is an admin: %s', async (role, isAdmin) => {
  answerAccount(role);
  const { result } = renderHook(useIsAdmin, { wrapper: withQueries() });
  // Until it is known, nothing is offered that might be refused.
  expect(result.current).toBe(false);
  await waitFor(() => expect(paths()).toEqual(renewed));
  await waitFor(() => expect(result.current).toBe(isAdmin));
});
