import { afterEach, describe, expect, it, vi } from 'vitest';
import { startIdentityProvider, type TestIdentityProvider } from '../factories/identity-provider.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';

const base = '/api/v1/user/oidc';

const stops: (() => Promise<void>)[] = [];
let provider: TestIdentityProvider;
let service: TestService;
afterEach(async () => {
  vi.useRealTimers();
  for (const stop of stops.splice(0).reverse()) await stop();
});

interface Options {
  createsAccounts?: boolean;
  account?: boolean;
  publicUrl?: string | null;
  basePath?: string;
}

async function begin({
  createsAccounts = false,
  account = true,
  publicUrl = null,
  basePath = '',
}: Options = {}): Promise<void> {
  const address = publicUrl ?? `http://localhost${basePath}`;
  provider = await startIdentityProvider([`${address}/sign-in/oidc`]);
  stops.push(provider.stop);
  service = await startTestService({
    listen: false,
    account: account && basePath === '',
    config: {
      oidcIssuer: provider.issuer,
      oidcClientId: provider.clientId,
      oidcClientSecret: provider.clientSecret,
      oidcCreateAccounts: createsAccounts,
      publicUrl,
      basePath,
    },
  });
  stops.push(() => service.stop());
}

/** Starts a sign-in in a separate browser. @returns the query of the response, and the cookie of the browser */
async function ask(path = '/begin', bearer?: string, prefix = '') {
  const answer = await service.request({
    method: 'POST',
    url: `${prefix}${base}${path}`,
    ...(bearer && { bearer }),
    headers: { host: 'localhost:80' },
  });
  expect(answer.status, answer.text).toBe(200);
  const setCookie = String(answer.headers['set-cookie']);
  const back = await provider.visit(answer.body.data.url);
  return { back, query: back.search.slice(1), setCookie, cookie: setCookie.split(';')[0] ?? '' };
}

const finish = (path: string, { query, cookie }: { query: string; cookie: string }, bearer?: string) =>
  service.request({
    method: 'POST',
    url: `${base}${path}`,
    json: { query },
    ...(bearer && { bearer }),
    headers: { cookie },
  });
const signIn = async () => finish('/sign-in', await ask());
const info = async (bearer: string) => (await service.request({ url: '/api/v1/user/info', bearer })).body.data;
const link = async () => {
  const { token } = service.account;
  return finish('/link', await ask('/link/begin', token), token);
};
const linkedAt = async () =>
  (await service.request({ url: `${base}/link`, bearer: service.account.token })).body.data.linked_at;

describe('signing in with an identity provider', () => {
  it('is not there until one is configured', async () => {
    service = await startTestService({ listen: false });
    stops.push(() => service.stop());
    expect((await service.request({ url: base })).body.data).toEqual({ name: null });
    expect((await service.request({ method: 'POST', url: `${base}/begin` })).status).toBe(404);
    expect((await finish('/sign-in', { query: 'code=c&state=s', cookie: '' })).status).toBe(404);
  });

  it('refuses who is linked with no account', async () => {
    await begin();
    expect((await service.request({ url: base })).body.data).toEqual({ name: 'single sign-on' });
    const answer = await signIn();
    expect([answer.status, answer.body.reason]).toEqual([403, 'identity_unknown']);
    expect(await service.database.selectFrom('accounts').selectAll().execute()).toHaveLength(1);
  });

  it('gives the same session as a password, to the account that its owner linked', async () => {
    await begin();
    expect(await linkedAt()).toBeNull();
    expect((await link()).status).toBe(200);
    expect(await linkedAt()).toEqual(expect.any(String));
    const answer = await signIn();
    expect(answer.body.data).toEqual({ token: expect.any(String) });
    expect(answer.headers['set-cookie']).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^parley_session_[\w-]+=.*; Path=\/;.* HttpOnly; SameSite=Strict$/),
      ]),
    );
    expect(await info(answer.body.data.token)).toMatchObject({ user: service.account.user, role: 'admin' });
    const { body } = await service.request({ url: '/api/v1/audit?limit=2', bearer: service.account.token });
    expect(body.data.entries).toMatchObject([
      { action: 'session.sign-in', actor_name: service.account.user },
      { action: 'account.link-identity' },
    ]);
  });

  it('makes members of the unknown if that is configured, once each', async () => {
    await begin({ createsAccounts: true });
    provider.person = { sub: '1', preferred_username: 'mel' };
    const first = await signIn();
    expect(await info(first.body.data.token)).toEqual({
      user: 'mel',
      role: 'member',
      account_type: 'local',
      has_password: false,
      recovery_key_created_at: null,
    });
    const again = await signIn();
    expect(await info(again.body.data.token)).toMatchObject({ user: 'mel' });
    expect(await service.database.selectFrom('accounts').selectAll().execute()).toHaveLength(2);
    const { body } = await service.request({ url: '/api/v1/audit?limit=5', bearer: service.account.token });
    const actions = body.data.entries.map(({ action }: { action: string }) => action);
    expect(actions.filter((action: string) => action === 'account.create')).toHaveLength(1);
  });

  it('makes no account before the first, which is an admin', async () => {
    await begin({ createsAccounts: true, account: false });
    const answer = await signIn();
    expect([answer.status, answer.body.reason]).toEqual([403, 'identity_unknown']);
    const set_up = await service.request({ url: '/api/v1/user/init' });
    expect(set_up.body.data).toMatchObject({ initialized: false });
  });

  it('does not identify accounts by name or e-mail address', async () => {
    await begin({ createsAccounts: true });
    const { user } = service.account;
    provider.person = { sub: 'mallory', preferred_username: user, email: user };
    const { token } = (await signIn()).body.data;
    const account = await info(token);
    expect(account).toMatchObject({ role: 'member' });
    expect(account.user).not.toBe(user);
    expect(account.user).toContain(user);
  });

  it('leaves no password by which such an account could be opened', async () => {
    await begin({ createsAccounts: true });
    provider.person = { sub: '1', preferred_username: 'mel' };
    const { token } = (await signIn()).body.data;
    for (const password of ['mel', 'null', '$argon2id$']) {
      const json = { user: 'mel', password };
      const answer = await service.request({ method: 'POST', url: '/api/v1/user/auth', json });
      expect(answer.body.reason).toBe('invalid_credentials');
    }
    const unlinked = await service.request({ method: 'DELETE', url: `${base}/link`, bearer: token });
    expect([unlinked.status, unlinked.body.reason]).toEqual([409, 'conflict']);
  });

  it('keeps the question in a cookie of ten minutes that scripts cannot read, and no secret in the address', async () => {
    await begin();
    const { setCookie } = await ask();
    expect(setCookie).toMatch(/^parley_oidc=[^;]+; Max-Age=600; Path=\/api\/v1\/user\/oidc; HttpOnly; SameSite=Lax$/);
    const { url } = (await service.request({ method: 'POST', url: `${base}/begin` })).body.data;
    const { searchParams } = new URL(url);
    expect(searchParams.get('code_challenge_method')).toBe('S256');
    for (const name of ['state', 'nonce', 'code_challenge']) expect(searchParams.get(name)).toMatch(/^[\w-]{43}$/);
    expect(setCookie).not.toContain(searchParams.get('state'));
  });

  it.each<[string, (asked: Awaited<ReturnType<typeof ask>>) => { query: string; cookie: string }]>([
    ['of another browser', ({ query }) => ({ query, cookie: '' })],
    ['with a made-up cookie', ({ query }) => ({ query, cookie: 'parley_oidc=v1.AAAA' })],
    ['with another state', ({ query, cookie }) => ({ query: query.replace(/state=[^&]+/, 'state=other'), cookie })],
    ['without a state', ({ query, cookie }) => ({ query: query.replace(/state=[^&]+/, ''), cookie })],
    ['with another code', ({ query, cookie }) => ({ query: query.replace(/code=[^&]+/, 'code=other'), cookie })],
    [
      'of another issuer',
      ({ query, cookie }) => ({ query: query.replace(/iss=[^&]+/, 'iss=http://evil.test'), cookie }),
    ],
    ['that is garbage', ({ cookie }) => ({ query: '%%%&&&===', cookie })],
  ])('refuses an answer %s', async (_name, change) => {
    await begin({ createsAccounts: true });
    const answer = await finish('/sign-in', change(await ask()));
    expect(['invalid_request', 'identity_provider_failed']).toContain(answer.body.reason);
    expect(await service.database.selectFrom('accounts').selectAll().execute()).toHaveLength(1);
  });

  it('takes an answer once, and only within ten minutes', async () => {
    await begin({ createsAccounts: true });
    const asked = await ask();
    expect((await finish('/sign-in', asked)).status).toBe(200);
    expect((await finish('/sign-in', asked)).body.reason).toBe('invalid_request');
    const late = await ask();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 });
    expect((await finish('/sign-in', late)).body.reason).toBe('invalid_request');
  });

  it('does not mix up signing in and linking, nor the accounts that link', async () => {
    await begin({ createsAccounts: true });
    const { token } = service.account;
    const other = await service.createAccount('member');
    expect((await finish('/sign-in', await ask('/link/begin', token))).body.reason).toBe('invalid_request');
    expect((await finish('/link', await ask(), token)).body.reason).toBe('invalid_request');
    const asked = await ask('/link/begin', other.token);
    expect((await finish('/link', asked, token)).body.reason).toBe('invalid_request');
    expect(await linkedAt()).toBeNull();
  });

  it('links an identity with one account, and an account with one identity', async () => {
    await begin();
    expect((await link()).status).toBe(200);
    provider.person = { sub: 'another' };
    expect((await link()).body.reason).toBe('conflict');
    provider.person = { sub: 'ada' };
    const { token } = await service.createAccount('member');
    expect((await finish('/link', await ask('/link/begin', token), token)).body.reason).toBe('conflict');
    const unlink = { method: 'DELETE', url: `${base}/link`, bearer: service.account.token };
    expect((await service.request(unlink)).status).toBe(200);
    expect((await service.request(unlink)).status).toBe(404);
    expect((await signIn()).body.reason).toBe('identity_unknown');
  });

  it('ends with the account', async () => {
    await begin({ createsAccounts: true });
    provider.person = { sub: '1', preferred_username: 'mel' };
    await signIn();
    const { token } = service.account;
    const { accounts } = (await service.request({ url: '/api/v1/accounts', bearer: token })).body.data;
    const { uuid } = accounts.find(({ user }: { user: string }) => user === 'mel');
    await service.request({ method: 'DELETE', url: `/api/v1/accounts/${uuid}`, bearer: token });
    expect(await service.database.selectFrom('identities').selectAll().execute()).toEqual([]);
  });

  it('says when the provider refused, is away or is another one', async () => {
    await begin();
    provider.person = null;
    const refused = await signIn();
    expect([refused.status, refused.body.reason]).toEqual([502, 'identity_provider_failed']);
    const asked = await ask();
    await provider.stop();
    stops.shift();
    expect((await finish('/sign-in', asked)).body.reason).toBe('identity_provider_failed');
  });

  it('comes back to the public URL, below the base path', async () => {
    await begin({ createsAccounts: true, publicUrl: 'https://bots.example.com/parley', basePath: '/parley' });
    const { back, setCookie } = await ask('/begin', undefined, '/parley');
    expect(back.href).toMatch(/^https:\/\/bots\.example\.com\/parley\/sign-in\/oidc\?code=/);
    expect(setCookie).toMatch(/; Path=\/parley\/api\/v1\/user\/oidc; HttpOnly; Secure; SameSite=Lax$/);
  });
});
