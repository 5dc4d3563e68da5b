import type { components } from '@parley/client';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { startFakeServer } from '../../../testing/fake-server.ts';
import { renderInConsole } from '../../../testing/render.tsx';
import { english } from '../../../testing/texts.ts';
import type { Adapter } from './bot-queries.ts';
import { PlatformSignIn } from './platform-sign-in.tsx';

type Login = components['schemas']['AdapterLogin'];

const texts = english.bots;
const adapter: Adapter = {
  name: 'fake',
  label: { en_US: 'Fake' },
  description: { en_US: 'Fake' },
  icon: 'fake.svg',
  spec: {
    categories: [],
    help_links: {},
    setup_steps: [],
    config: [],
    login: { label: { en_US: 'Scan a code' }, description: { en_US: 'Makes a bot of yours.' } },
    testable: false,
  },
};
const nothing: Login = {
  id: 'login-1',
  state: 'starting',
  url: null,
  expires_at: null,
  message: null,
  adapter_config: null,
  account_id: null,
  account_name: null,
};

async function started(...states: Partial<Login>[]) {
  const server = startFakeServer();
  const [first = {}, ...later] = states;
  server.on('post', '/api/v1/platform/adapters/{adapter_name}/login', { ...nothing, ...first });
  server.on('get', '/api/v1/platform/adapters/{adapter_name}/login/{login_id}', () => ({
    ...nothing,
    ...(later.length > 1 ? later.shift() : later[0]),
  }));
  server.on('delete', '/api/v1/platform/adapters/{adapter_name}/login/{login_id}', {});
  const onDone = vi.fn();
  await renderInConsole(<PlatformSignIn adapter={adapter} config={{ domain: 'a' }} onDone={onDone} />);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Scan a code' }));
  return { server, onDone, user };
}

it('shows the code and the link, and tells what was filled in', async () => {
  const url = 'https://example.com/q';
  const filled = { state: 'done', adapter_config: { token: 'abc…wxyz' } } as const;
  const { server, onDone } = await started({ state: 'waiting', url }, { state: 'confirming' }, filled);
  expect((await screen.findByRole('img', { name: texts.signInCode })).querySelector('path')).not.toBeNull();
  expect(screen.getByRole('link', { name: texts.signInLink }).getAttribute('href')).toBe(url);
  await screen.findByText(texts.signInStates.confirming, {}, { timeout: 5000 });
  await screen.findByText(texts.signInStates.done, {}, { timeout: 5000 });
  expect(onDone.mock.calls).toEqual([[{ token: 'abc…wxyz' }, 'login-1']]);
  expect(server.callsTo('post', '/api/v1/platform/adapters/fake/login')[0]?.body).toEqual({
    adapter_config: { domain: 'a' },
  });
  expect(screen.queryByRole('button')).toBeNull();
});

it('links only to web pages, and can be cancelled', async () => {
  const waiting = { state: 'waiting', url: 'javascript:alert(1)' } as const;
  const { server, user } = await started(waiting, waiting);
  await screen.findByRole('img', { name: texts.signInCode });
  expect(screen.queryByRole('link')).toBeNull();
  await user.click(screen.getByRole('button', { name: english.common.cancel }));
  await screen.findByRole('button', { name: 'Scan a code' });
  expect(server.callsTo('delete', '/api/v1/platform/adapters/fake/login/login-1')).toHaveLength(1);
});

it('says why it was refused, and can be started again', async () => {
  const { user, onDone } = await started({ state: 'refused', message: 'Not allowed by your company' });
  await screen.findByText('Not allowed by your company');
  await user.click(screen.getByRole('button', { name: texts.signInAgain }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Scan a code' })).toBeDefined());
  expect(onDone).not.toHaveBeenCalled();
});

it('is not there for platforms without one', async () => {
  const { login: _, ...spec } = adapter.spec;
  await renderInConsole(<PlatformSignIn adapter={{ ...adapter, spec }} config={{}} onDone={() => {}} />);
  expect(screen.queryByRole('button')).toBeNull();
});
