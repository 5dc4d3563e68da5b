import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { type FakeServer, startFakeServer } from '../../../testing/fake-server.ts';
import { createQueries, renderInConsole } from '../../../testing/render.tsx';
import { english, fill } from '../../../testing/texts.ts';
import { accountQuery } from '../../lib/account.ts';
import StartChecklist from './start-checklist.tsx';

const texts = english.startCard;
const count = Object.keys(texts.steps).length;
/** What the tasks read of the answers. */
const fresh = {
  '/api/v1/messages': { messages: [] as object[] },
  '/api/v1/provider/models/llm': { models: [{ provider: { requester: 'demo' } }] },
  '/api/v1/platform/bots': { bots: [{ adapter: 'websocket' }] },
  '/api/v1/knowledge/bases': { bases: [{ document_count: 0 }] },
  '/api/v1/accounts': { accounts: [{}] },
  '/api/v1/provider/model-prices': { model_prices: [] as object[] },
};
let server: FakeServer;

function answer(part: Partial<typeof fresh>) {
  for (const [path, data] of Object.entries({ ...fresh, ...part })) {
    server.on('get', path as keyof typeof fresh, data as never);
  }
}

beforeEach(() => {
  localStorage.clear();
  server = startFakeServer();
  server.on('get', '/api/v1/system/info', { wizard_status: 'none' } as never);
  answer({});
});

async function open(user = 'ada') {
  const queries = createQueries();
  queries.setQueryData(accountQuery.queryKey, {
    user,
    role: 'admin',
    account_type: 'local',
    has_password: true,
    recovery_key_created_at: null,
  });
  return renderInConsole(<StartChecklist />, queries);
}

const list = async () => within(await screen.findByRole('region', { name: texts.title }));
const isShown = () => screen.queryByRole('region', { name: texts.title }) !== null;

it('lists what a new installation needs, with links', async () => {
  await open();
  const shown = await list();
  shown.getByText(fill(texts.progress, { done: 0, count }));
  for (const step of Object.values(texts.steps)) shown.getByRole('link', { name: step });
  expect((await shown.findByRole('link', { name: texts.label })).getAttribute('href')).toBe('/start');
  expect(server.calls.length).toBeLessThanOrEqual(7);
});

it('ticks what is there', async () => {
  answer({
    '/api/v1/provider/models/llm': { models: [{ provider: { requester: 'openai-chat-completions' } }] },
    '/api/v1/knowledge/bases': { bases: [{ document_count: 3 }] },
  });
  await open();
  const shown = await list();
  shown.getByText(fill(texts.progress, { done: 2, count }));
  expect(shown.queryByRole('link', { name: texts.steps.model })).toBeNull();
  expect(shown.getByText(texts.steps.model).textContent).toBe(`${texts.steps.model}, ${texts.done}`);
  shown.getByRole('link', { name: texts.steps.platform });
});

it('is gone once all is done', async () => {
  answer({
    '/api/v1/messages': { messages: [{}] },
    '/api/v1/provider/models/llm': { models: [{ provider: { requester: 'openai-chat-completions' } }] },
    '/api/v1/platform/bots': { bots: [{ adapter: 'websocket' }, { adapter: 'telegram' }] },
    '/api/v1/knowledge/bases': { bases: [{ document_count: 3 }] },
    '/api/v1/accounts': { accounts: [{}, {}] },
    '/api/v1/provider/model-prices': { model_prices: [{}] },
  });
  const { queries } = await open();
  await waitFor(() => expect(queries.getQueryData(['dashboard', 'start-tasks'])).toBeDefined());
  expect(isShown()).toBe(false);
});

it('stays dismissed for this account only, and requests nothing more', async () => {
  const first = await open();
  await userEvent.click((await list()).getByRole('button', { name: texts.dismiss }));
  expect(isShown()).toBe(false);
  first.unmount();
  const before = server.callsTo('get', '/api/v1/accounts').length;
  const second = await open();
  await waitFor(() => expect(second.queries.isFetching()).toBe(0));
  expect(isShown()).toBe(false);
  expect(server.callsTo('get', '/api/v1/accounts')).toHaveLength(before);
  second.unmount();
  await open('bob');
  await list();
});
