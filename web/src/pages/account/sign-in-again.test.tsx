import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type FakeServer, refusal, startFakeServer } from '../../../testing/fake-server.ts';
import { openConsole } from '../../../testing/open-console.tsx';
import { english } from '../../../testing/texts.ts';
import { session } from '../../lib/session.ts';

const texts = english.signIn;
const created = '/api/v1/webhooks';
let server: FakeServer;
/** Whether the server accepts requests. */
let isSignedIn = true;

beforeEach(() => {
  session.end();
  isSignedIn = true;
  server = startFakeServer()
    .on('get', '/api/v1/user/oidc', refusal(404, 'not_found'))
    .on('get', created, { webhooks: [] })
    .on('post', created, () => (isSignedIn ? refusal(400, 'invalid_request') : refusal(401, 'unauthorized')))
    .on('post', '/api/v1/user/auth', () => {
      isSignedIn = true;
      return {} as never;
    });
});

/** Fills in the form of a new webhook, and sends it when the session has ended. */
async function saveAfterEnd() {
  const { router, queries } = await openConsole('/webhooks/new', server);
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText(english.common.name), 'typed for long');
  isSignedIn = false;
  await user.click(screen.getByRole('button', { name: english.webhooks.create }));
  await screen.findByRole('dialog', { name: texts.againTitle });
  return { router, queries, user };
}

const typed = () => screen.getByLabelText<HTMLInputElement>(english.common.name).value;
const isAsked = () => screen.queryByRole('dialog', { name: texts.againTitle }) !== null;

describe('when the session ends while the user works', () => {
  it('signing in again over the page repeats the request, and keeps what was typed', async () => {
    const { router, user } = await saveAfterEnd();
    expect(router.state.location.pathname).toBe('/webhooks/new');
    expect(screen.getByLabelText<HTMLInputElement>(english.account.user).value).toBe('ada');
    expect(document.activeElement).toBe(screen.getByLabelText(english.account.password));
    await user.type(screen.getByLabelText(english.account.password), 'secret');
    await user.click(screen.getByRole('button', { name: texts.submit }));
    await waitFor(() => expect(isAsked()).toBe(false));
    expect(server.callsTo('post', '/api/v1/user/auth')[0]?.body).toEqual({ user: 'ada', password: 'secret' });
    await waitFor(() => expect(server.callsTo('post', created)).toHaveLength(2));
    const [first, second] = server.callsTo('post', created).map(({ body }) => body);
    expect(second).toEqual(first);
    expect(typed()).toBe('typed for long');
  });

  it('a wrong password is said, and asks again', async () => {
    const { user } = await saveAfterEnd();
    server.on('post', '/api/v1/user/auth', refusal(401, 'invalid_credentials'));
    await user.type(screen.getByLabelText(english.account.password), 'wrong');
    await user.click(screen.getByRole('button', { name: texts.submit }));
    expect(await screen.findByText(english.reasons.invalid_credentials)).toBeTruthy();
    expect(isAsked()).toBe(true);
    expect(typed()).toBe('typed for long');
  });

  it('signing in in another tab is enough', async () => {
    await saveAfterEnd();
    isSignedIn = true;
    act(() => {
      localStorage.setItem('signed-in', 'in another tab');
      window.dispatchEvent(new StorageEvent('storage', { key: 'signed-in' }));
    });
    await waitFor(() => expect(isAsked()).toBe(false));
    expect(server.callsTo('post', created)).toHaveLength(2);
  });

  it('another account gets nothing of the page', async () => {
    await saveAfterEnd();
    server.on('get', '/api/v1/user/info', {
      user: 'eve',
      role: 'admin',
      account_type: 'local',
      has_password: true,
      recovery_key_created_at: null,
    } as never);
    const assign = vi.fn();
    vi.stubGlobal('location', { ...window.location, assign });
    act(() => {
      localStorage.setItem('signed-in', 'as another');
      window.dispatchEvent(new StorageEvent('storage', { key: 'signed-in' }));
    });
    await waitFor(() => expect(assign).toHaveBeenCalledWith('/'));
    expect(server.callsTo('post', created)).toHaveLength(1);
    vi.unstubAllGlobals();
  });

  it('the user may sign out instead, which leads to the sign-in page', async () => {
    server.on('get', '/api/v1/user/init', { initialized: true, signed_in: false } as never);
    const { user } = await saveAfterEnd();
    await user.click(screen.getByRole('button', { name: texts.discard }));
    await waitFor(() => expect(session.current()).toBeNull());
    expect(session.isInterrupted()).toBe(false);
  });
});
