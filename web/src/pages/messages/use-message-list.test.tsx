import { act, renderHook, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeServer, refusal, startFakeServer, unreachable } from '../../../testing/fake-server.ts';
import { createQueries, withQueries } from '../../../testing/render.tsx';
import type { Message } from './message-queries.ts';
import { useMessageList } from './use-message-list.ts';

const path = '/api/v1/messages';
const newestSize = 50;

/** Messages of the server, newest first, and pages of them. */
class Store {
  readonly server: FakeServer;
  messages: Message[] = [];
  pageSize = 3;

  constructor(server: FakeServer) {
    this.server = server;
    server.on('get', path, ({ query: { limit, cursor = '0' } }) => {
      // The page that shows changes is longer than those here.
      const size = Number(limit) === newestSize ? newestSize : this.pageSize;
      const end = Number(cursor) + size;
      const messages = this.messages.slice(Number(cursor), end);
      return { messages, next_cursor: end < this.messages.length ? String(end) : null };
    });
  }

  /** Adds newer messages. */
  add(...names: string[]) {
    for (const uuid of names) {
      const second = String(this.messages.length).padStart(2, '0');
      this.messages.unshift({ uuid, created_at: `2026-05-01T00:00:${second}.000Z` } as Message);
    }
  }

  /** The requests for pages, not those for changes. */
  pages() {
    return this.server.calls.filter(({ query }) => Number(query.limit) !== newestSize);
  }
}

let server: FakeServer;
let store: Store;

beforeEach(() => {
  server = startFakeServer();
  store = new Store(server);
});

async function open() {
  const queries = createQueries();
  const { result } = renderHook(() => useMessageList('all', () => ({ text: 'hi' })), {
    wrapper: withQueries(queries),
  });
  const settle = () => waitFor(() => expect(queries.isFetching()).toBe(0));
  await settle();
  return {
    list: () => result.current,
    names: () => result.current.rows?.map(({ uuid }) => uuid),
    settle,
    /** The end is seen. */
    async reachEnd() {
      act(() => result.current.onEnd());
      await settle();
    },
    async loadMore() {
      act(() => result.current.more());
      await settle();
    },
    /** Something has changed. */
    async change() {
      await act(() => queries.invalidateQueries({ queryKey: ['messages'] }));
      await settle();
    },
  };
}

describe('a list of messages', () => {
  it('is loaded page by page as its end is seen', async () => {
    store.add('a', 'b', 'c', 'd', 'e', 'f', 'g');
    const { names, reachEnd, list } = await open();
    expect(store.pages().map(({ query }) => query)).toEqual([{ text: 'hi', limit: '60' }]);
    await reachEnd();
    await reachEnd();
    expect(store.pages().map(({ query }) => query.cursor)).toEqual([undefined, '3', '6']);
    await reachEnd();
    expect(store.pages()).toHaveLength(3);
    expect(names()).toEqual(['g', 'f', 'e', 'd', 'c', 'b', 'a']);
    expect(list().hasMore).toBe(false);
  });

  it('is unknown until it is loaded, and may be empty', async () => {
    const { names, list } = await open();
    expect(names()).toEqual([]);
    expect(list()).toMatchObject({ hasMore: false, mustAsk: false });
  });

  it.each([
    ['refused', refusal(403, 'role_required'), { status: 403 }],
    ['interrupted', unreachable, { reason: 'unreachable' }],
  ])('that is %s has an error and no rows', async (_, answer, error) => {
    server.on('get', path, answer);
    const { list } = await open();
    expect(list().rows).toBeUndefined();
    expect(list().query.error).toMatchObject(error);
  });

  it('goes through pages without results by itself, 15 at most, and then asks', async () => {
    let asked = 0;
    server.on('get', path, ({ query }) => {
      if (Number(query.limit) !== newestSize) asked += 1;
      return { messages: [], next_cursor: `after ${asked}` };
    });
    const { list, loadMore, settle } = await open();
    await waitFor(() => expect(list().mustAsk).toBe(true));
    await settle();
    expect(asked).toBe(15);
    await loadMore();
    await waitFor(() => expect(list().mustAsk).toBe(true));
    expect(asked).toBe(30);
  });
});

describe('a page that fails', () => {
  const openFailing = async () => {
    store.add('a', 'b', 'c', 'd');
    store.pageSize = 2;
    const opened = await open();
    server.on('get', path, refusal(503, 'storage_unavailable'));
    await opened.reachEnd();
    return opened;
  };

  it('keeps what is loaded, and asks', async () => {
    const { list, names } = await openFailing();
    expect(names()).toEqual(['d', 'c']);
    expect(list()).toMatchObject({ mustAsk: true, query: { isFetchNextPageError: true } });
  });

  it('is not asked for again by scrolling', async () => {
    const { reachEnd } = await openFailing();
    const { length } = server.calls;
    await reachEnd();
    expect(server.calls).toHaveLength(length);
  });

  it('is loaded when it is asked for', async () => {
    const { list, loadMore } = await openFailing();
    store = new Store(server);
    store.pageSize = 2;
    store.add('a', 'b', 'c', 'd');
    await loadMore();
    expect(list()).toMatchObject({ mustAsk: false, hasMore: false });
  });
});

describe('a change', () => {
  it('is fetched with one request, however much is loaded', async () => {
    store.add('a', 'b', 'c', 'd', 'e');
    const { names, reachEnd, change } = await open();
    await reachEnd();
    const { length } = server.calls;
    store.add('new');
    await change();
    expect(server.calls).toHaveLength(length + 1);
    expect(names()).toEqual(['new', 'e', 'd', 'c', 'b', 'a']);
  });

  it('of a message that is shown replaces it', async () => {
    store.add('a', 'b');
    const { list, change } = await open();
    store.messages = store.messages.map((one) => (one.uuid === 'a' ? { ...one, state: 'answered' } : one));
    await change();
    expect(list().rows?.map(({ state }) => state)).toEqual([undefined, 'answered']);
  });

  it('that deletes a message takes it out', async () => {
    store.add('a', 'b', 'c');
    const { names, change } = await open();
    store.messages = store.messages.filter(({ uuid }) => uuid !== 'b');
    await change();
    expect(names()).toEqual(['c', 'a']);
  });

  it('that cannot be fetched leaves the list as it is', async () => {
    store.add('a', 'b');
    const { names, change } = await open();
    server.on('get', path, unreachable);
    await change();
    expect(names()).toEqual(['b', 'a']);
  });

  it('with more new messages than one request shows loads the list again', async () => {
    store.add('a', 'b');
    const { names, change, settle } = await open();
    store.pageSize = 100;
    store.add(...Array.from({ length: newestSize + 1 }, (_, index) => `new ${index}`));
    await change();
    await settle();
    await waitFor(() => expect(names()?.slice(-3)).toEqual(['new 0', 'b', 'a']));
    expect(names()).toHaveLength(newestSize + 3);
  });
});
