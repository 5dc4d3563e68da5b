import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { refusal, startFakeServer, unreachable } from '../../testing/fake-server.ts';
import { accountStorage } from './account-storage.ts';
import { consoleFetch } from './console-fetch.ts';
import { session } from './session.ts';
import { signOut } from './sign-out.ts';

const address = 'http://localhost:3000/api/v1/user/info';

beforeEach(() => session.end());

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

  it('has expired only if the server ended it, until the next begins', () => {
    session.begin();
    session.end({ byServer: true });
    expect(session.hasExpired()).toBe(true);
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

describe('a request of the console', () => {
  it('is marked, so that the session cookie counts', async () => {
    const server = startFakeServer().on('get', '/api/v1/user/info', {} as never);
    await consoleFetch(new Request(address));
    expect(server.calls[0]?.headers.get('x-parley-console')).toBe('1');
  });

  it('that the server rejects ends the session', async () => {
    startFakeServer().on('get', '/api/v1/user/info', refusal(401, 'unauthorized'));
    session.begin();
    expect((await consoleFetch(new Request(address))).status).toBe(401);
    expect(session.current()).toBeNull();
    expect(session.hasExpired()).toBe(true);
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

  it('of an older session does not end the new one', async () => {
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof refusal>>();
    startFakeServer().on('get', '/api/v1/user/info', () => promise);
    vi.useFakeTimers({ toFake: ['Date'] });
    session.begin();
    const late = consoleFetch(new Request(address));
    session.end();
    vi.setSystemTime(Date.now() + 1);
    session.begin();
    resolve(refusal(401, 'unauthorized'));
    await late;
    expect(session.current()).not.toBeNull();
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
