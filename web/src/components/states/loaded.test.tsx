import { useQuery } from '@tanstack/react-query';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeServer, refusal, startFakeServer, unreachable } from '../../../testing/fake-server.ts';
import { createQueries, renderInConsole } from '../../../testing/render.tsx';
import { english } from '../../../testing/texts.ts';
import { api } from '../../lib/api.ts';
import { Loaded } from './loaded.tsx';

const path = '/api/v1/provider/model-prices';
const texts = english.common;
let server: FakeServer;

beforeEach(() => {
  server = startFakeServer();
});

function Prices() {
  const query = useQuery({ queryKey: ['prices'], queryFn: () => api.get(path) });
  return <Loaded query={query}>{({ model_prices }) => <p>{`${model_prices.length} found`}</p>}</Loaded>;
}

async function show(retry = 0) {
  const queries = createQueries({ retry });
  await renderInConsole(<Prices />, queries);
  return { refetch: () => act(() => queries.refetchQueries()) };
}

const none = { model_prices: [] };

describe('data', () => {
  it('that is loading is announced, and then shown', async () => {
    const { promise, resolve } = Promise.withResolvers<typeof none>();
    server.on('get', path, () => promise);
    await show();
    expect(screen.getByRole('status').textContent).toBe(texts.loading);
    resolve(none);
    expect(await screen.findByText('0 found')).toBeTruthy();
    expect(screen.queryByRole('status')).toBeNull();
  });

  it.each([
    ['the server cannot be reached', unreachable, english.errors.unreachable],
    ['the store fails', refusal(503, 'storage_unavailable'), english.reasons.storage_unavailable],
    ['the server has a fault', refusal(500, 'internal'), english.reasons.internal],
    ['the role does not allow it', refusal(403, 'role_required'), english.reasons.role_required],
    ['the server refuses it', refusal(403, 'forbidden', { msg: 'Only for Ada' }), 'Only for Ada'],
    ['there were too many requests', refusal(429, 'too_many_requests'), english.reasons.too_many_requests],
  ])('that could not be loaded since %s is replaced by the reason', async (_, answer, text) => {
    server.on('get', path, answer);
    await show();
    const alert = await screen.findByRole('alert');
    expect(within(alert).getByText(text)).toBeTruthy();
    expect(alert.textContent).toMatch(new RegExp(`^${texts.loadFailed}.*${texts.retry}$`));
  });

  it('can be asked for again', async () => {
    server.on('get', path, unreachable);
    await show();
    const retry = await screen.findByRole('button', { name: texts.retry });
    server.on('get', path, none);
    await userEvent.click(retry);
    expect(await screen.findByText('0 found')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('that does not exist is not asked for again', async () => {
    server.on('get', path, refusal(404, 'not_found'));
    await show();
    expect(await screen.findByRole('heading', { name: texts.notFound })).toBeTruthy();
    expect(screen.queryByRole('button', { name: texts.retry })).toBeNull();
    expect(screen.getByRole('link', { name: texts.toDashboard }).getAttribute('href')).toBe('/');
  });

  it('stays while it cannot be loaded again', async () => {
    server.on('get', path, none);
    const { refetch } = await show();
    await screen.findByText('0 found');
    server.on('get', path, unreachable);
    await refetch();
    await waitFor(() => expect(server.calls).toHaveLength(2));
    expect(screen.getByText('0 found')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
