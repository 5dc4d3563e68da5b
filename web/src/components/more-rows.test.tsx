import { useInfiniteQuery } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { type FakeServer, refusal, startFakeServer, unreachable } from '../../testing/fake-server.ts';
import { renderInConsole } from '../../testing/render.tsx';
import { english } from '../../testing/texts.ts';
import { api } from '../lib/api.ts';
import { MoreRows } from './more-rows.tsx';

const path = '/api/v1/audit';
const texts = english.common;

function Entries({ isAutomatic }: { isAutomatic: boolean }) {
  const query = useInfiniteQuery({
    queryKey: ['entries'],
    queryFn: ({ pageParam: cursor }) =>
      api.get(path, { params: { query: { limit: 1, ...(cursor !== '' && { cursor }) } } }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  return (
    <>
      <p>{`${query.data?.pages.length ?? 0} pages`}</p>
      <MoreRows query={query} isAutomatic={isAutomatic} />
    </>
  );
}

/** Answers with pages: each has the number of the next one as its cursor. */
function answerPages(server: FakeServer, count: number) {
  server.on('get', path, ({ query: { cursor = '1' } }) => ({
    entries: [],
    next_cursor: Number(cursor) < count ? String(Number(cursor) + 1) : null,
  }));
}

async function show(count: number, isAutomatic = false) {
  const server = startFakeServer();
  answerPages(server, count);
  await renderInConsole(<Entries isAutomatic={isAutomatic} />);
  await screen.findByText('1 pages');
  return { server, press: (name: string) => userEvent.click(screen.getByRole('button', { name })) };
}

const buttons = () => screen.queryAllByRole('button').map(({ textContent }) => textContent);

describe('more rows', () => {
  it('are loaded page by page, to the last', async () => {
    const { server, press } = await show(3);
    await press(texts.more);
    await screen.findByText('2 pages');
    await press(texts.more);
    await screen.findByText('3 pages');
    expect(buttons()).toEqual([]);
    expect(server.calls.map(({ query }) => query.cursor)).toEqual([undefined, '2', '3']);
  });

  it('are not offered after the last page', async () => {
    await show(1);
    expect(buttons()).toEqual([]);
  });

  it('are loaded once at a time', async () => {
    const { server, press } = await show(3);
    const { promise, resolve } = Promise.withResolvers<{ entries: []; next_cursor: null }>();
    server.on('get', path, () => promise);
    await press(texts.more);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: texts.loading }).disabled).toBe(true);
    resolve({ entries: [], next_cursor: null });
    await screen.findByText('2 pages');
  });

  it.each([
    ['the server cannot be reached', unreachable, english.errors.unreachable],
    ['the role has changed', refusal(403, 'role_required'), english.reasons.role_required],
    ['the store fails', refusal(503, 'storage_unavailable'), english.reasons.storage_unavailable],
  ])(
    'that could not be loaded since %s are replaced by the reason, and can be asked for again',
    async (_, answer, text) => {
      const { server, press } = await show(2);
      server.on('get', path, answer);
      await press(texts.more);
      expect((await screen.findByRole('alert')).textContent).toBe(`${texts.loadFailed} ${text}`);
      expect(screen.getByText('1 pages')).toBeTruthy();
      answerPages(server, 2);
      await press(texts.retry);
      await screen.findByText('2 pages');
      expect(screen.queryByRole('alert')).toBeNull();
    },
  );
});

it('a list that loads more while it is scrolled only offers to try again', async () => {
  const { server } = await show(2, true);
  expect(buttons()).toEqual([]);
  await waitFor(() => expect(server.calls).toHaveLength(1));
});
