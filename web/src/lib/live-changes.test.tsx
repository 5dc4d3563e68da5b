import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { act, render, renderHook, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type FakeEventSource, fakeEventSources } from '../../testing/fake-event-sources.ts';
import { withQueries } from '../../testing/render.tsx';
import { english } from '../../testing/texts.ts';
import { ConnectionBanner } from '../components/shell/connection-banner.tsx';
import { useLiveChanges } from './live-changes.ts';

let sources: FakeEventSource[];
let queries: QueryClient;

beforeEach(() => {
  vi.useFakeTimers();
  sources = fakeEventSources();
  queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
});

const latest = () => sources.at(-1) as FakeEventSource;
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

/** Pages that show data about these nouns. @returns how often each was fetched */
async function show(...nouns: string[]) {
  const fetches = nouns.map((noun) => {
    const queryFn = vi.fn(async () => 'data');
    const observer = new QueryObserver(queries, { queryKey: [noun, 'list'], queryFn });
    onTestFinished(observer.subscribe(() => undefined));
    return queryFn;
  });
  await pass(0);
  return () => fetches.map((fetch) => fetch.mock.calls.length);
}

function follow() {
  return renderHook(useLiveChanges, { wrapper: withQueries(queries) });
}

describe('live changes', () => {
  it('come from one stream of events', () => {
    follow();
    expect(sources.map(({ url }) => url)).toEqual(['http://localhost:3000/api/v1/events']);
  });

  it.each([
    ['bot', ['bots', 'bot-log', 'dashboard']],
    ['task', ['tasks', 'knowledge']],
    ['message', ['messages', 'bot-log', 'dashboard']],
    ['mcp-server', ['mcp-servers']],
  ])('of the type %s refetch %j and nothing else', async (type, nouns) => {
    const all = ['bots', 'bot-log', 'dashboard', 'tasks', 'knowledge', 'messages', 'mcp-servers', 'accounts'];
    const fetched = await show(...all);
    follow();
    act(() => latest().open());
    latest().send(type);
    await pass(300);
    expect(fetched()).toEqual(all.map((noun) => (nouns.includes(noun) ? 2 : 1)));
  });

  it('that come together are fetched once', async () => {
    const fetched = await show('bots');
    follow();
    for (let count = 0; count < 5; count += 1) {
      latest().send('bot');
      await pass(50);
    }
    await pass(300);
    expect(fetched()).toEqual([2]);
  });

  it('are fetched every 1.5 seconds at most, and the last one is not lost', async () => {
    const fetched = await show('messages');
    follow();
    for (let count = 0; count < 30; count += 1) {
      latest().send('message');
      await pass(100);
    }
    // At 0.3 and 1.8 seconds.
    expect(fetched()).toEqual([1 + 2]);
    await pass(1500);
    expect(fetched()).toEqual([1 + 3]);
    await pass(10_000);
    expect(fetched()).toEqual([1 + 3]);
  });

  it('are all fetched when the server asks for it', async () => {
    const fetched = await show('bots', 'accounts');
    follow();
    act(() => latest().open());
    latest().send('resync');
    await pass(0);
    expect(fetched()).toEqual([2, 2]);
  });

  it('are not fetched when the stream opens for the first time', async () => {
    const fetched = await show('bots');
    follow();
    act(() => latest().open());
    await pass(1000);
    expect(fetched()).toEqual([1]);
  });

  it('end with the page', async () => {
    const fetched = await show('bots');
    const { unmount } = follow();
    act(() => latest().open());
    latest().send('bot');
    unmount();
    await pass(10_000);
    expect(fetched()).toEqual([1]);
    expect(latest().readyState).toBe(2);
    expect(sources).toHaveLength(1);
  });
});

describe('a lost stream', () => {
  it('that is back soon warns of nothing', async () => {
    const { result } = follow();
    act(() => latest().open());
    latest().breakOff();
    await pass(3999);
    expect(result.current).toBe('open');
    act(() => latest().open());
    await pass(10_000);
    expect(result.current).toBe('open');
  });

  it('is reported after 4 seconds, until it is back', async () => {
    const { result } = follow();
    latest().breakOff();
    await pass(2000);
    latest().breakOff();
    await pass(2000);
    expect(result.current).toBe('lost');
    act(() => latest().open());
    expect(result.current).toBe('open');
  });

  it('that is back refetches everything, once', async () => {
    const fetched = await show('bots', 'accounts');
    follow();
    act(() => latest().open());
    latest().breakOff();
    latest().breakOff();
    act(() => latest().open());
    act(() => latest().open());
    await pass(0);
    expect(fetched()).toEqual([2, 2]);
  });

  it('is left to the browser while it reconnects', async () => {
    follow();
    latest().breakOff();
    await pass(60_000);
    expect(sources).toHaveLength(1);
  });

  it('that the browser gave up is opened again every 4 seconds, and refetches when it is open', async () => {
    const fetched = await show('bots');
    const { result } = follow();
    latest().refuse();
    await pass(4000);
    latest().refuse();
    await pass(4000);
    expect(sources).toHaveLength(3);
    expect(result.current).toBe('lost');
    act(() => latest().open());
    await pass(0);
    expect(result.current).toBe('open');
    expect(fetched()).toEqual([2]);
  });

  it('still passes on changes after it was opened again', async () => {
    const fetched = await show('mcp-servers');
    follow();
    latest().refuse();
    await pass(4000);
    act(() => latest().open());
    await pass(0);
    latest().send('mcp-server');
    await pass(300);
    expect(fetched()).toEqual([3]);
  });

  it('is not opened again when the page is gone', async () => {
    const { unmount } = follow();
    latest().refuse();
    unmount();
    await pass(60_000);
    expect(sources).toHaveLength(1);
  });
});

it.each([
  ['lost', english.common.lost],
  ['open', ''],
] as const)('the banner of a connection that is %s says %j', (connection, text) => {
  render(<ConnectionBanner connection={connection} />);
  expect(screen.getByRole('status').textContent).toBe(text);
});
