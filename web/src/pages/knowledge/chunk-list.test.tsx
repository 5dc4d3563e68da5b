import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { fakeLayout } from '../../../testing/fake-layout.ts';
import { type FakeServer, refusal, startFakeServer, unreachable } from '../../../testing/fake-server.ts';
import { renderInConsole } from '../../../testing/render.tsx';
import { english } from '../../../testing/texts.ts';
import { ChunkList } from './chunk-list.tsx';

const path = '/api/v1/knowledge/bases/{knowledge_base_uuid}/files/{file_uuid}/chunks';
const places = { page: null, page_end: null, heading_path: [], start: 0, end: 1 };
let server: FakeServer;

beforeEach(() => {
  server = startFakeServer();
  // All rows of a page are seen.
  fakeLayout({ row: 10, box: 5000 });
});

function page(name: string, next_cursor: string | null) {
  return { chunks: [{ ...places, id: name, position: 0, text: name }], total: 2, next_cursor };
}

it('loads the next page when the end is seen', async () => {
  server.on('get', path, ({ query }) => (query.cursor === 'c2' ? page('second', null) : page('first', 'c2')));
  await renderInConsole(<ChunkList base="b1" file="f1" />);
  expect(await screen.findByText('second')).toBeTruthy();
  expect(screen.getByText('first')).toBeTruthy();
  expect(server.calls).toHaveLength(2);
});

it('retries a page that failed only on request', async () => {
  server.on('get', path, ({ query }) => (query.cursor === 'c2' ? unreachable : page('first', 'c2')));
  await renderInConsole(<ChunkList base="b1" file="f1" />);
  const retry = await screen.findByRole('button', { name: english.common.retry });
  expect(screen.getByRole('alert').textContent).toContain(english.errors.unreachable);
  expect(server.calls).toHaveLength(2);
  server.on('get', path, () => page('second', null));
  await userEvent.click(retry);
  expect(await screen.findByText('second')).toBeTruthy();
  expect(screen.getByText('first')).toBeTruthy();
});

it('says why there is nothing', async () => {
  server.on('get', path, refusal(404, 'not_found'));
  await renderInConsole(<ChunkList base="b1" file="f1" />);
  expect(await screen.findByText(english.common.notFound)).toBeTruthy();
});

it('says that there is nothing', async () => {
  server.on('get', path, { chunks: [], total: 0, next_cursor: null });
  await renderInConsole(<ChunkList base="b1" file="f1" />);
  await waitFor(() => expect(screen.getByText(english.knowledge.noChunks)).toBeTruthy());
});
