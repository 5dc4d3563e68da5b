import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeServer, refusal, startFakeServer, unreachable } from '../../testing/fake-server.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { english, moreActions } from '../../testing/texts.ts';
import type { Bot } from '../components/bots/bot-queries.ts';

const texts = english.common;

/** All lists are empty. */
function answerNothing(server: FakeServer) {
  const none = { total: 0, limit: 50, offset: 0 };
  server
    .on('get', '/api/v1/platform/bots', { bots: [] })
    .on('get', '/api/v1/platform/adapters', { adapters: [] })
    .on('get', '/api/v1/pipelines', { pipelines: [] })
    .on('get', '/api/v1/knowledge/bases', { bases: [] })
    .on('get', '/api/v1/apikeys', { keys: [] })
    .on('get', '/api/v1/apikeys/usage', { usage: [] })
    .on('get', '/api/v1/provider/price-currency', { currency: null, usd_rate: null })
    .on('get', '/api/v1/webhooks', { webhooks: [] })
    .on('get', '/api/v1/mcp/servers', { servers: [] })
    .on('get', '/api/v1/plugins', { plugins: [] })
    .on('get', '/api/v1/plugins/isolation', { setting: 'best', isolation: 'landlock', without_plugins: false })
    .on('get', '/api/v1/provider/providers', { providers: [] })
    .on('get', '/api/v1/provider/model-prices', { model_prices: [] })
    .on('get', '/api/v1/audit', { entries: [], next_cursor: null })
    .on('get', '/api/v1/system/tasks', { tasks: [], id_index: 1, next_cursor: null })
    .on('get', '/api/v1/messages', { messages: [], next_cursor: null })
    .on('get', '/api/v1/monitoring/sessions', { sessions: [], ...none })
    .on('get', '/api/v1/monitoring/errors', { errors: [], ...none })
    .on('get', '/api/v1/monitoring/feedback', { feedback: [], ...none });
}

interface List {
  page: string;
  /** The route that it is fetched from. */
  source: string;
  /** The empty state. */
  title: string;
}

/** For all users. */
const open: List[] = [
  { page: '/bots', source: '/api/v1/platform/bots', title: english.bots.empty },
  { page: '/pipelines', source: '/api/v1/pipelines', title: english.pipelines.empty },
  { page: '/knowledge', source: '/api/v1/knowledge/bases', title: english.knowledge.empty },
  { page: '/plugins', source: '/api/v1/plugins', title: english.plugins.empty },
  { page: '/messages', source: '/api/v1/messages', title: english.messages.list.empty },
  { page: '/messages?text=x', source: '/api/v1/messages', title: english.messages.list.nothing },
  {
    page: '/messages?tab=conversations',
    source: '/api/v1/monitoring/sessions',
    title: english.messages.conversations.empty,
  },
  { page: '/messages?tab=errors', source: '/api/v1/monitoring/errors', title: english.messages.errors.empty },
  { page: '/messages?tab=feedback', source: '/api/v1/monitoring/feedback', title: english.messages.feedback.empty },
];

/** For admins. */
const restricted: List[] = [
  { page: '/api-keys', source: '/api/v1/apikeys', title: english.apiKeys.empty },
  { page: '/webhooks', source: '/api/v1/webhooks', title: english.webhooks.empty },
  { page: '/tools', source: '/api/v1/mcp/servers', title: english.tools.empty },
  { page: '/models', source: '/api/v1/provider/providers', title: english.models.empty },
  { page: '/models?tab=prices', source: '/api/v1/provider/model-prices', title: english.models.noPrices },
  { page: '/audit', source: '/api/v1/audit', title: english.audit.empty },
  { page: '/system?tab=tasks', source: '/api/v1/system/tasks', title: english.tasks.empty },
];

let server: FakeServer;

beforeEach(() => {
  server = startFakeServer();
  answerNothing(server);
  for (const kind of ['llm', 'embedding', 'rerank'] as const) {
    server.on('get', `/api/v1/provider/models/${kind}`, { models: [] });
  }
  server.on('get', '/api/v1/system/info', refusal(503, 'not_ready'));
  server.on('get', '/api/v1/pipelines/_/metadata', refusal(503, 'not_ready'));
});

describe.each([...open, ...restricted])('the list of $page', ({ page, source, title }) => {
  it('says that it is empty', async () => {
    await openConsole(page, server);
    expect(await screen.findByText(title)).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('shows why it could not be loaded, until it can', async () => {
    server.refuse('get', source, unreachable);
    await openConsole(page, server);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain(english.errors.unreachable);
    expect(screen.queryByText(title)).toBeNull();
    answerNothing(server);
    await userEvent.click(within(alert).getByRole('button', { name: texts.retry }));
    expect(await screen.findByText(title)).toBeTruthy();
  });

  it('shows that it was refused', async () => {
    server.refuse('get', source, refusal(403, 'role_required'));
    await openConsole(page, server);
    expect((await screen.findByRole('alert')).textContent).toContain(english.reasons.role_required);
    expect(screen.queryByText(title)).toBeNull();
  });
});

describe.each([...restricted, { page: '/accounts', source: '/api/v1/accounts' }])('a member on $page', (list) => {
  it('is informed that it is for admins, and nothing is requested', async () => {
    await openConsole(list.page, server, { role: 'member' });
    expect(await screen.findByText(texts.forAdmins)).toBeTruthy();
    expect(server.callsTo('get', list.source)).toEqual([]);
  });
});

describe.each(['admin', 'member'] as const)('for the role %s', (role) => {
  const time = '2026-05-01T00:00:00Z';
  const webhooks = { webhook_url: null, webhook_full_url: null, extra_webhook_full_url: null, uses_webhook: false };
  const problem = { state: 'error', error: 'Wrong token', error_reason: 'platform_unauthorized' } as const;
  const bot: Bot = {
    uuid: 'b1',
    name: 'Parrot',
    description: '',
    adapter: 'telegram',
    adapter_config: {},
    enable: true,
    use_pipeline_name: null,
    use_pipeline_uuid: null,
    pipeline_routing_rules: [],
    uncertain_sends: 'continue',
    created_at: time,
    updated_at: time,
    adapter_runtime_values: {
      ...webhooks,
      ...problem,
      bot_account_id: null,
      bot_account_name: null,
      bot_account_url: null,
      since: time,
    },
  };

  it('a bot has its state and the actions that the role allows', async () => {
    server.on('get', '/api/v1/platform/bots', { bots: [bot] });
    server.on('get', '/api/v1/platform/adapters/{adapter_name}', refusal(404, 'not_found'));
    await openConsole('/bots', server, { role });
    const row = within((await screen.findByText('Parrot')).closest('tr') as HTMLElement);
    expect(row.getByText(english.reasons.platform_unauthorized)).toBeTruthy();
    expect(row.getByText(english.bots.noPipeline)).toBeTruthy();
    await waitFor(() => expect(row.queryByRole('switch') !== null).toBe(role === 'admin'));
    expect(row.queryByRole('button', { name: moreActions('Parrot') }) !== null).toBe(role === 'admin');
  });
});

describe('the accounts', () => {
  const account = (user: string, role: 'admin' | 'member') => ({
    uuid: user,
    user,
    role,
    created_at: '2026-05-01T00:00:00Z',
    last_signed_in_at: null,
    api_key_count: 0,
  });
  const actionsOf = async (user: string) => {
    await userEvent.click(await screen.findByRole('button', { name: moreActions(user) }));
    const items = await screen.findAllByRole('menuitem');
    return items.map((item) => [item.textContent, item.hasAttribute('data-disabled')]);
  };

  it('have an admin who cannot be deleted or made a member if there is no other', async () => {
    server.on('get', '/api/v1/accounts', { accounts: [account('ada', 'admin'), account('ben', 'member')] });
    await openConsole('/accounts', server);
    expect(await actionsOf('ada')).toEqual([
      [english.accounts.makeMember, true],
      [english.accounts.delete, true],
    ]);
  });

  it('have admins of whom one can be', async () => {
    server.on('get', '/api/v1/accounts', { accounts: [account('ada', 'admin'), account('ben', 'admin')] });
    await openConsole('/accounts', server);
    expect(await actionsOf('ben')).toEqual([
      [english.accounts.makeMember, false],
      [english.accounts.delete, false],
    ]);
  });
});

describe('a list of pages', () => {
  const feedback = (offset: number) => ({ feedback: [], total: 120, limit: 50, offset });

  it('asks for the page in the address', async () => {
    server.on('get', '/api/v1/monitoring/errors', { errors: [], total: 120, limit: 50, offset: 100 });
    await openConsole('/messages?tab=errors&page=3', server);
    expect(await screen.findByText(english.messages.list.nothing)).toBeTruthy();
    expect(server.callsTo('get', '/api/v1/monitoring/errors')[0]?.query).toEqual({ limit: '50', offset: '100' });
  });

  it('keeps its filters when it is turned', async () => {
    server.on('get', '/api/v1/monitoring/feedback', ({ query }) => feedback(Number(query.offset)));
    const { router } = await openConsole('/messages?tab=feedback&opinion=like&page=2', server);
    await userEvent.click(await screen.findByRole('button', { name: english.messages.pager.older }));
    await waitFor(() => expect(router.state.location.search).toEqual({ tab: 'feedback', opinion: 'like', page: 3 }));
    await waitFor(() =>
      expect(server.callsTo('get', '/api/v1/monitoring/feedback').at(-1)?.query).toEqual({
        feedbackType: '1',
        limit: '50',
        offset: '100',
      }),
    );
  });
});

it.each([
  ['/messages?range=year&page=-1&state=lost', {}, english.messages.list.empty],
  ['/messages?tab=errors&range=year&from=soon', { tab: 'errors' }, english.messages.errors.empty],
  ['/system?tab=tasks&task=-1&level=LOUD', { tab: 'tasks' }, english.tasks.empty],
  ['/models?tab=nothing&kind=nothing', {}, english.models.empty],
  ['/knowledge?other=1', {}, english.knowledge.empty],
])('the address %s, with what no page knows, is read as %j', async (page, search, title) => {
  const { router } = await openConsole(page, server);
  expect(await screen.findByText(title)).toBeTruthy();
  expect(router.state.location.search).toEqual(search);
  expect(router.state.matches.at(-1)?.search).toEqual(search);
});
