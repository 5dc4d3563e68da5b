import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { refusal, startFakeServer, unreachable } from '../../testing/fake-server.ts';
import { accountStorage } from './account-storage.ts';
import { consoleFetch } from './console-fetch.ts';
import { session } from './session.ts';
import { signOut } from './sign-out.ts';

const address = 'http://localhost:3000/api/v1/user/info';

beforeEach(() => session.end());

function start({ hasContent = false } = {}): void {
  session.begin();
  if (hasContent) session.show();
}

/** Counts the changes that pages hear of. */
function listen() {
  const listener = vi.fn();
  onTestFinished(session.subscribe(listener));
  return listener;
}

describe('the session', () => {
  it('begins and ends, which pages hear of', () => {
    const listener = listen();
    session.begin();
    expect(session.current()).not.toBeNull();
    session.end();
    expect(session.current()).toBeNull();
    expect(listener).toHaveBeenCalledTimes(2);
  });

  it('is not announced to listeners that were removed', () => {
    const listener = vi.fn();
    session.subscribe(listener)();
    session.begin();
    expect(listener).not.toHaveBeenCalled();
  });

  it('has expired only if the server rejected it, until the next begins', async () => {
    start();
    expect(await session.reject()).toBe(false);
    expect(session.hasExpired()).toBe(true);
    expect(session.current()).toBeNull();
    session.begin();
    expect(session.hasExpired()).toBe(false);
    session.end();
    expect(session.hasExpired()).toBe(false);
  });

  it.each([
    ['signing out', 'signed-in', 1],
    ['clearing the storage', null, 1],
    ['choosing a language', 'language', 0],
  ])('of another tab: %s is heard of %3$d times', (_, key, times) => {
    const listener = listen();
    window.dispatchEvent(new StorageEvent('storage', { key }));
    expect(listener).toHaveBeenCalledTimes(times);
  });
});

describe('a session with content on the screen', () => {
  it('that the server rejects is interrupted, and continues after signing in again', async () => {
    const listener = listen();
    start({ hasContent: true });
    const rejected = [session.reject(), session.reject()];
    expect(session.isInterrupted()).toBe(true);
    expect(session.hasExpired()).toBe(false);
    session.begin();
    expect(session.isInterrupted()).toBe(true);
    session.resume();
    expect(await Promise.all(rejected)).toEqual([true, true]);
    expect(session.isInterrupted()).toBe(false);
    expect(listener).toHaveBeenCalled();
  });

  it('keeps it when another tab begins a new one, which ends later', () => {
    start({ hasContent: true });
    localStorage.setItem('signed-in', 'with a new password');
    window.dispatchEvent(new StorageEvent('storage', { key: 'signed-in' }));
    void session.reject();
    expect(session.isInterrupted()).toBe(true);
    expect(session.hasExpired()).toBe(false);
  });

  it('is interrupted again when the new one ends, too', async () => {
    start({ hasContent: true });
    const first = session.reject();
    session.begin();
    session.resume();
    await first;
    void session.reject();
    expect(session.isInterrupted()).toBe(true);
  });

  it.each([
    ['here', () => session.end()],
    [
      'in another tab',
      () => {
        localStorage.removeItem('signed-in');
        window.dispatchEvent(new StorageEvent('storage', { key: 'signed-in' }));
      },
    ],
  ])('is over when the user signs out %s', async (_, signOutThere) => {
    start({ hasContent: true });
    const rejected = session.reject();
    signOutThere();
    expect(await rejected).toBe(false);
    expect(session.isInterrupted()).toBe(false);
    expect(session.current()).toBeNull();
  });

  it('waits while another tab signs in, until it is known as whom', () => {
    start({ hasContent: true });
    void session.reject();
    localStorage.setItem('signed-in', 'new');
    window.dispatchEvent(new StorageEvent('storage', { key: 'signed-in' }));
    expect(session.current()).toBe('new');
    expect(session.isInterrupted()).toBe(true);
  });
});

describe('a request of the console', () => {
  it('is marked, so that the session cookie counts', async () => {
    const server = startFakeServer().on('get', '/api/v1/user/info', {} as never);
    await consoleFetch(new Request(address));
    expect(server.calls[0]?.headers.get('x-parley-console')).toBe('1');
  });

  it('that the server rejects at the start ends the session in this tab', async () => {
    startFakeServer().on('get', '/api/v1/user/info', refusal(401, 'unauthorized'));
    start();
    expect((await consoleFetch(new Request(address))).status).toBe(401);
    expect(session.current()).toBeNull();
    expect(session.hasExpired()).toBe(true);
    // Other tabs may have unsaved changes: they find out by themselves.
    expect(localStorage.getItem('signed-in')).not.toBeNull();
  });

  it('is repeated with its body when the user has signed in again', async () => {
    let isSignedIn = false;
    const path = '/api/v1/user/change-password';
    const server = startFakeServer().on('post', path, () =>
      isSignedIn ? ({} as never) : refusal(401, 'unauthorized'),
    );
    start({ hasContent: true });
    const body = JSON.stringify({ typed: 'for long' });
    const headers = { 'content-type': 'application/json' };
    const response = consoleFetch(new Request(`http://localhost:3000${path}`, { method: 'POST', body, headers }));
    await vi.waitFor(() => expect(session.isInterrupted()).toBe(true));
    isSignedIn = true;
    session.begin();
    session.resume();
    expect((await response).status).toBe(200);
    expect(server.callsTo('post', path).map((call) => call.body)).toEqual([
      { typed: 'for long' },
      { typed: 'for long' },
    ]);
  });

  it('fails when the user signs out instead', async () => {
    startFakeServer().on('get', '/api/v1/user/info', refusal(401, 'unauthorized'));
    start({ hasContent: true });
    const response = consoleFetch(new Request(address));
    await vi.waitFor(() => expect(session.isInterrupted()).toBe(true));
    session.end();
    expect((await response).status).toBe(401);
  });

  it.each([
    [403, 'role_required'],
    [404, 'not_found'],
    [429, 'too_many_requests'],
    [503, 'not_ready'],
  ] as const)('with the status %d ends no session', async (status, reason) => {
    startFakeServer().on('get', '/api/v1/user/info', refusal(status, reason));
    session.begin();
    await consoleFetch(new Request(address));
    expect(session.current()).not.toBeNull();
  });

  it('of an older session is repeated with the new one, which does not end', async () => {
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof refusal>>();
    let isFirst = true;
    startFakeServer().on('get', '/api/v1/user/info', () => {
      if (!isFirst) return {} as never;
      isFirst = false;
      return promise;
    });
    vi.useFakeTimers({ toFake: ['Date'] });
    session.begin();
    const late = consoleFetch(new Request(address));
    session.end();
    vi.setSystemTime(Date.now() + 1);
    session.begin();
    resolve(refusal(401, 'unauthorized'));
    expect((await late).status).toBe(200);
    expect(session.current()).not.toBeNull();
    expect(session.isInterrupted()).toBe(false);
  });

  it('without a session has nothing that could expire', async () => {
    startFakeServer().on('get', '/api/v1/user/info', refusal(401, 'unauthorized'));
    const listener = listen();
    await consoleFetch(new Request(address));
    expect(session.hasExpired()).toBe(false);
    expect(listener).not.toHaveBeenCalled();
  });
});

describe('signing out', () => {
  const path = '/api/v1/user/sign-out';

  it('ends the session on the server first', async () => {
    const server = startFakeServer().on('post', path, {} as never);
    session.begin();
    accountStorage.use('ada');
    accountStorage.set('note', 'not saved');
    await signOut();
    expect(Object.keys(localStorage)).toEqual([]);
    expect(server.callsTo('post', path)).toHaveLength(1);
    expect(session.current()).toBeNull();
    expect(session.hasExpired()).toBe(false);
  });

  it('of a session that has ended already is no expiry', async () => {
    startFakeServer().on('post', path, refusal(401, 'unauthorized'));
    session.begin();
    await signOut();
    expect(session.current()).toBeNull();
    expect(session.hasExpired()).toBe(false);
  });

  it.each([
    ['cannot be reached', unreachable],
    ['is not ready', refusal(503, 'not_ready')],
  ])('does nothing while the server %s', async (_, answer) => {
    startFakeServer().on('post', path, answer);
    session.begin();
    accountStorage.use('ada');
    accountStorage.set('note', 'not saved');
    await signOut();
    expect(session.current()).not.toBeNull();
    expect(accountStorage.get('note')).toBe('not saved');
  });
});
