import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type FakeServer, refusal, startFakeServer, unreachable } from '../../../testing/fake-server.ts';
import { openConsole } from '../../../testing/open-console.tsx';
import { counted, english } from '../../../testing/texts.ts';
import { session } from '../../lib/session.ts';

const texts = english.signIn;
let server: FakeServer;

beforeEach(() => {
  server = startFakeServer();
  session.end();
  answerInit({});
  server.on('get', '/api/v1/user/oidc', refusal(404, 'not_found'));
  server.on('get', '/api/v1/knowledge/bases', { bases: [] });
  // What the dashboard asks for.
  server
    .on('get', '/api/v1/provider/models/llm', { models: [] })
    .on('get', '/api/v1/platform/bots', { bots: [] })
    .on('get', '/api/v1/accounts', { accounts: [] })
    .on('get', '/api/v1/provider/model-prices', { model_prices: [] });
});

function answerInit(state: { initialized?: boolean; signed_in?: boolean }) {
  server.on('get', '/api/v1/user/init', { initialized: true, signed_in: false, ...state } as never);
}

const open = (path: string) => openConsole(path, server, { isSignedIn: false });

async function signIn(password = 'secret') {
  await userEvent.type(await screen.findByLabelText(english.account.user), 'ada');
  await userEvent.type(screen.getByLabelText(english.account.password), password);
  await userEvent.click(screen.getByRole('button', { name: texts.submit }));
}

describe('without a session', () => {
  it('a page leads to the sign-in page, and back afterwards', async () => {
    server.on('post', '/api/v1/user/auth', {} as never);
    const { router } = await open('/knowledge');
    expect(router.state.location.pathname).toBe('/sign-in');
    await signIn();
    expect(await screen.findByText(english.knowledge.empty)).toBeTruthy();
    expect(router.state.location.pathname).toBe('/knowledge');
    expect(session.current()).not.toBeNull();
  });

  describe.each(['https://evil.example/', '//evil.example', '/\\evil.example', 'evil', 'javascript:alert(1)'])(
    'it does not lead to %s, which is no page,',
    (to) => {
      const address = `/sign-in?to=${encodeURIComponent(to)}`;
      beforeEach(() => {
        for (const path of ['stats/{kind}', 'monitoring/{kind}', 'system/info', 'messages']) {
          server.refuse('get', `/api/v1/${path}`, refusal(503, 'not_ready'));
        }
      });

      it('after the sign-in', async () => {
        server.on('post', '/api/v1/user/auth', {} as never);
        const { router } = await open(address);
        expect(router.state.location.searchStr).toBe('');
        await signIn();
        await waitFor(() => expect(router.state.location.pathname).toBe('/'));
        expect(location.href).toBe('http://localhost:3000/');
      });

      it('without one', async () => {
        answerInit({ signed_in: true });
        const { router } = await open(address);
        await waitFor(() => expect(router.state.location.pathname).toBe('/'));
        expect(location.href).toBe('http://localhost:3000/');
      });
    },
  );

  it('the first visit leads to the set-up', async () => {
    answerInit({ initialized: false });
    const { router } = await open('/sign-in');
    expect(router.state.location.pathname).toBe('/set-up');
  });

  it('that the browser lost, but not the server, begins again', async () => {
    answerInit({ signed_in: true });
    await open('/sign-in?to=%2Fknowledge');
    expect(await screen.findByText(english.knowledge.empty)).toBeTruthy();
    expect(session.current()).not.toBeNull();
  });
});

describe('the sign-in page', () => {
  it('says that the last session has expired, until the next attempt', async () => {
    session.begin();
    await session.reject();
    server.on('post', '/api/v1/user/auth', refusal(401, 'invalid_credentials'));
    await open('/sign-in');
    expect(await screen.findByText(texts.expired)).toBeTruthy();
    await signIn('wrong');
    expect(await screen.findByText(english.reasons.invalid_credentials)).toBeTruthy();
    expect(screen.queryByText(texts.expired)).toBeNull();
    expect(session.current()).toBeNull();
  });

  it('says nothing of that after signing out', async () => {
    session.begin();
    session.end();
    await open('/sign-in');
    await screen.findByRole('button', { name: texts.submit });
    expect(screen.queryByText(texts.expired)).toBeNull();
  });

  it('keeps the input while the server cannot be reached', async () => {
    server.on('post', '/api/v1/user/auth', unreachable);
    await open('/sign-in');
    await signIn();
    expect(await screen.findByText(english.errors.unreachable)).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>(english.account.password).value).toBe('secret');
  });

  it('counts down after too many attempts, and then offers another', async () => {
    server.on('post', '/api/v1/user/auth', refusal(429, 'too_many_requests', { headers: { 'retry-after': '2' } }));
    await open('/sign-in');
    await signIn();
    const button = screen.getByRole<HTMLButtonElement>('button', { name: texts.submit });
    expect(await screen.findByText(counted(texts, 'wait', 2))).toBeTruthy();
    expect(button.disabled).toBe(true);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2000 });
    await waitFor(() => expect(button.disabled).toBe(false));
    expect(screen.queryByText(counted(texts, 'wait', 2))).toBeNull();
  });

  it('asks for the code of a second factor, with the password that is known', async () => {
    server.on('post', '/api/v1/user/auth', ({ body }) =>
      (body as { code?: string }).code === '123456' ? ({} as never) : refusal(401, 'second_factor_required'),
    );
    await open('/sign-in?to=%2Fknowledge');
    await signIn();
    expect(await screen.findByText(english.secondFactor.signCode)).toBeTruthy();
    expect(screen.queryByText(english.reasons.second_factor_required)).toBeNull();
    await userEvent.type(screen.getByRole('textbox'), '123456');
    await userEvent.click(screen.getByRole('button', { name: texts.submit }));
    await waitFor(() => expect(session.current()).not.toBeNull());
    const body = { user: 'ada', password: 'secret', code: '123456' };
    expect(server.callsTo('post', '/api/v1/user/auth').at(-1)?.body).toEqual(body);
  });
});
