import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeServer, refusal, startFakeServer } from '../../testing/fake-server.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { counted, english, fill } from '../../testing/texts.ts';
import type { Bot } from '../components/bots/bot-queries.ts';

const texts = english.lists;
const list = '/api/v1/platform/bots';
const total = 200;
let server: FakeServer;
/** Those that are there, by uuid. */
let there: string[];

const bot = (uuid: string) =>
  ({
    uuid,
    name: `Parrot ${uuid}`,
    adapter: 'telegram',
    enable: true,
    use_pipeline_name: null,
    created_at: '2026-05-01T00:00:00Z',
    adapter_runtime_values: { state: 'error', error: 'Wrong token', error_reason: 'platform_unauthorized' },
  }) as unknown as Bot;

beforeEach(() => {
  there = Array.from({ length: total }, (_, index) => `b${index}`);
  server = startFakeServer()
    .on('get', list, ({ query }) => {
      const from = Number(query.offset);
      return { bots: there.slice(from, from + Number(query.limit)).map(bot), total: there.length };
    })
    .on('get', '/api/v1/platform/adapters', { adapters: [] })
    .on('get', '/api/v1/messages', { messages: [], next_cursor: null });
  server.on('get', '/api/v1/system/info', refusal(503, 'not_ready'));
  server.on('get', '/api/v1/platform/adapters/{adapter_name}', refusal(404, 'not_found'));
});

const lastQuery = () => server.callsTo('get', list).at(-1)?.query;
const status = (text: string) => screen.findByText(text, { selector: '[role=status]' });
const button = (name: string) => screen.getByRole('button', { name });
const bulkBodies = () => server.callsTo('post', `${list}/bulk`).map(({ body }) => body);

describe('a list of records', () => {
  it('has its state in the address', async () => {
    const { router } = await openConsole('/bots?q=pa&state=error&sort=-name&page=2', server);
    await status(counted(texts, 'matches', total));
    expect(lastQuery()).toEqual({
      search: 'pa',
      state: 'error',
      sort_by: 'name',
      sort_order: 'DESC',
      limit: '25',
      offset: '25',
    });
    await userEvent.click(button(english.lists.pager.next));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ page: 3, state: 'error' }));
    await userEvent.selectOptions(screen.getByRole('combobox', { name: english.common.state }), 'stopped');
    await waitFor(() => expect(router.state.location.search).toEqual({ q: 'pa', state: 'stopped', sort: '-name' }));
    const sort = () =>
      userEvent.click(within(screen.getByRole('columnheader', { name: english.bots.bot })).getByRole('button'));
    await sort();
    await waitFor(() => expect(router.state.location.search).toEqual({ q: 'pa', state: 'stopped' }));
    await sort();
    await waitFor(() => expect(router.state.location.search).toMatchObject({ sort: 'name' }));
    expect(screen.getByRole('columnheader', { name: english.bots.bot }).getAttribute('aria-sort')).toBe('ascending');
    await userEvent.click(button(texts.clear));
    await waitFor(() => expect(router.state.location.search).toEqual({}));
  });

  it('returns to the last page that there is', async () => {
    const { router } = await openConsole('/bots?page=99', server);
    await waitFor(() => expect(router.state.location.search).toEqual({ page: 8 }));
  });

  it('changes all matches, keeps them selected, and asks before it deletes many', async () => {
    server.on('post', `${list}/bulk`, ({ body }) => {
      const changed = [...there];
      if ((body as { action: string }).action === 'delete') there = [];
      return { matched: total, changed, failures: [], next: null };
    });
    await openConsole('/bots?state=error', server);
    await userEvent.click(await screen.findByRole('checkbox', { name: texts.selectPage }));
    await status(counted(texts, 'selected', 25));
    await userEvent.click(button(fill(texts.selectAll, { count: total })));
    await status(counted(texts, 'selected', total));
    await userEvent.click(button(texts.actions.disable));
    await waitFor(() => expect(bulkBodies()).toEqual([{ action: 'disable', matching: { state: 'error' } }]));
    await status(counted(texts, 'selected', total));
    await userEvent.click(button(english.common.delete));
    const dialog = within(await screen.findByRole('dialog', { hidden: true }));
    const confirm = dialog.getByRole<HTMLButtonElement>('button', {
      name: counted(texts, 'deleteConfirm', total),
      hidden: true,
    });
    expect(confirm.disabled).toBe(true);
    await userEvent.type(dialog.getByRole('textbox', { hidden: true }), String(total));
    await userEvent.click(confirm);
    await waitFor(() => expect(bulkBodies()).toHaveLength(2));
    expect(bulkBodies()[1]).toEqual({
      action: 'delete',
      ids: Array.from({ length: total }, (_, index) => `b${index}`),
    });
    await screen.findByRole('heading', { name: texts.nothing });
  });

  it('says which records could not be changed', async () => {
    const problem = { code: 'bot_not_found', parameters: {} };
    server.on('post', `${list}/bulk`, {
      matched: 1,
      changed: [],
      failures: [{ id: 'b0', name: 'Parrot b0', reason: 'not_found', message: 'It is gone', problem }],
      next: null,
    });
    await openConsole('/bots', server);
    await userEvent.click(await screen.findByRole('checkbox', { name: fill(texts.select, { name: 'Parrot b0' }) }));
    await userEvent.click(button(texts.actions.enable));
    expect((await screen.findByRole('alert')).textContent).toContain(`Parrot b0: ${english.problems.bot_not_found}`);
  });

  it('hides few deleted records, and shows them again when that is undone', async () => {
    await openConsole('/bots', server);
    await userEvent.click(await screen.findByRole('checkbox', { name: fill(texts.select, { name: 'Parrot b1' }) }));
    await userEvent.click(button(english.common.delete));
    await waitFor(() => expect(screen.queryByText('Parrot b1')).toBeNull());
    await status(counted(texts, 'matches', total - 1));
    expect(bulkBodies()).toEqual([]);
    await userEvent.click(await screen.findByRole('button', { name: texts.undo }));
    expect(await screen.findByText('Parrot b1')).toBeTruthy();
    await status(counted(texts, 'matches', total));
  });

  it('offers members nothing to select', async () => {
    await openConsole('/bots', server, { role: 'member' });
    await status(counted(texts, 'matches', total));
    expect(screen.queryByRole('checkbox')).toBeNull();
  });
});

it.each([
  ['/bot', '/bots'],
  ['/bot/b1?tab=log', '/bots/b1?tab=log'],
])('the address of an earlier version %s leads to %s', async (before, after) => {
  server.on('get', `${list}/{bot_uuid}`, refusal(404, 'not_found'));
  const { router } = await openConsole(before, server);
  await waitFor(() => expect(router.state.location.href).toBe(after));
});

it('an unknown address has a page of the console, with its menu', async () => {
  await openConsole('/nowhere/at/all', server);
  expect(await screen.findByRole('heading', { name: english.common.notFound })).toBeTruthy();
  expect(screen.getByRole('navigation', { name: english.navigation.label })).toBeTruthy();
});
