import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  startTestService,
  type TestRequest,
  type TestService,
  type TestServiceOptions,
} from '../../../../test/factories/start-test-service.ts';
import { testSetupToken } from '../../../../test/factories/test-setup-token.ts';
import { migratedDatabase } from '../../../../test/postgres/test-database.ts';

const user = 'admin@example.com';
const password = 'a password that is hard to guess';
const setup_token = testSetupToken;

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const stop of stops.splice(0).reverse()) await stop();
});

const engines = ['SQLite', 'PostgreSQL'];

/** Where a service of an engine keeps its data; a database ends with the test. */
async function storedIn(engine: string): Promise<TestServiceOptions> {
  if (engine === 'SQLite') return {};
  const { url, drop } = await migratedDatabase();
  stops.push(drop);
  return { databaseUrl: url };
}

/** A service that ends with the test. */
async function begin(options: TestServiceOptions = {}): Promise<TestService> {
  const service = await startTestService({ listen: false, ...options });
  stops.push(() => service.stop());
  return service;
}

const init = (json: object = { user, password, setup_token }): TestRequest => ({
  method: 'POST',
  url: '/api/v1/user/init',
  json,
});
const auth = (json: object): TestRequest => ({ method: 'POST', url: '/api/v1/user/auth', json });

describe('the first account', () => {
  it('is made once', async () => {
    const service = await begin({ account: false });
    const state = { url: '/api/v1/user/init' };
    expect((await service.request(state)).body.data).toEqual({
      initialized: false,
      setup_token_required: true,
      signed_in: false,
    });
    expect((await service.request({ url: '/api/v1/user/account-info' })).body.data).toEqual({ initialized: false });
    const made = await service.request(init());
    expect(made.body).toEqual({ code: 0, msg: 'ok', data: { recovery_key: expect.stringMatching(/^rk_.{43}$/) } });
    const again = await service.request(init({ user: 'other@example.com', password, setup_token }));
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({ code: -1, msg: 'System already initialized', reason: 'already_initialized' });
    expect((await service.request(state)).body.data).toEqual({
      initialized: true,
      setup_token_required: false,
      signed_in: false,
    });
    expect((await service.request({ url: '/api/v1/user/account-info' })).body.data).toEqual({
      initialized: true,
      account_type: 'local',
      has_password: true,
    });
  });

  it.each(engines)('is one, however many try at the same time, in %s', async (engine) => {
    const service = await begin({ account: false, ...(await storedIn(engine)) });
    const racing = Array.from({ length: 20 }, (_, index) =>
      service.request(init({ user: `racer-${index}@example.com`, password, setup_token })),
    );
    const statuses = (await Promise.all(racing)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    expect(await service.database.selectFrom('accounts').selectAll().execute()).toHaveLength(1);
  });

  it.each<[string, TestServiceOptions, Record<string, string>]>([
    ['comes from this machine', {}, {}],
    ['comes through a proxy', {}, { 'x-forwarded-for': '203.0.113.7' }],
    ['comes through another kind of proxy', {}, { forwarded: 'for=203.0.113.7' }],
    ['was made for another host', { config: { publicUrl: 'https://bots.example.com' } }, { host: 'bots.example.com' }],
    ['reaches a server that listens everywhere', { config: { host: '0.0.0.0' } }, {}],
  ])('needs the set-up token when the request %s', async (_name, options, headers) => {
    const service = await begin({ account: false, ...options });
    const state = await service.request({ url: '/api/v1/user/init', headers });
    expect(state.body.data).toEqual({ initialized: false, setup_token_required: true, signed_in: false });
    for (const given of [{}, { setup_token: '' }, { setup_token: 'an invalid set-up token' }]) {
      const refused = await service.request({ ...init({ user, password, ...given }), headers });
      expect(refused.status).toBe(403);
      expect(refused.body).toMatchObject({
        reason: 'setup_token_required',
        msg: expect.stringMatching(/\.\/parley set-up-link .* \.\/parley user create <name>/),
      });
    }
    expect(await service.database.selectFrom('accounts').selectAll().execute()).toEqual([]);
    const made = await service.request({ ...init(), headers });
    expect(made.status).toBe(200);
  });

  it.each<[string, Partial<TestRequest>]>([
    ['another machine', { remoteAddress: '203.0.113.7' }],
    ['a proxy', { headers: { 'x-forwarded-for': '127.0.0.1' } }],
    ['a page of another name', { headers: { host: 'localhost.example.com' } }],
  ])('needs no set-up token on a test machine, except from %s', async (_name, more) => {
    const config = { setupWithoutToken: true, publicUrl: 'http://localhost.example.com' };
    const service = await begin({ account: false, config });
    const without = init({ user, password });
    expect((await service.request({ ...without, ...more })).body.reason).toBe('setup_token_required');
    const state = await service.request({ url: '/api/v1/user/init' });
    expect(state.body.data).toEqual({ initialized: false, setup_token_required: false, signed_in: false });
    expect((await service.request(without)).status).toBe(200);
  });

  it.each([
    ['127.0.0.1', null, '', /^http:\/\/127\.0\.0\.1:\d+\/set-up#token=([\w-]{32})$/],
    ['127.0.0.1', null, '/parley', /^http:\/\/127\.0\.0\.1:\d+\/parley\/set-up#token=([\w-]{32})$/],
    ['0.0.0.0', null, '', /^http:\/\/localhost:\d+\/set-up#token=([\w-]{32})$/],
    ['0.0.0.0', 'https://bots.example.com/x', '/x', /^https:\/\/bots\.example\.com\/x\/set-up#token=([\w-]{32})$/],
  ])('takes the token of the link, on %s for %s below "%s"', async (host, publicUrl, basePath, expected) => {
    const config = { setupToken: null, host, publicUrl, basePath };
    const service = await begin({ listen: true, account: false, config });
    const { token, link } = service.service.setUp() ?? {};
    expect(expected.exec(link ?? '')?.[1]).toBe(token);
    const url = `${basePath}/api/v1/user/init`;
    expect((await service.request({ ...init({ user, password, setup_token: token }), url })).status).toBe(200);
  });

  it('has a link that carries any configured token whole', async () => {
    const setupToken = 'a token: 100 % "good" + #1 & ünïque';
    const service = await begin({ listen: true, account: false, config: { setupToken } });
    const [, fragment] = service.service.setUp()?.link.split('#') ?? [];
    expect(new URLSearchParams(fragment).get('token')).toBe(setupToken);
    expect((await service.request(init({ user, password, setup_token: setupToken }))).status).toBe(200);
  });

  it.each([
    ['user', { user: '', password }],
    ['user', { user: ' \n', password }],
    ['user', { user: 'x'.repeat(256), password }],
    ['user', { user: 7, password }],
    ['user', { password }],
    ['password', { user, password: 'seven77' }],
    ['password', { user, password: 'x'.repeat(257) }],
    ['password', { user, password: null }],
    ['password', { user }],
    ['role', { user, password, role: 'admin' }],
    ['setup_token', { user, password, setup_token: 1 }],
  ])('is refused with a wrong %s', async (path, json) => {
    const service = await begin({ account: false });
    const answer = await service.request(init(json));
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: -1, reason: 'invalid_request' });
    expect(answer.body.details.map((detail: { path: string }) => detail.path)).toContain(path);
    expect((await service.request({ url: '/api/v1/user/init' })).body.data.initialized).toBe(false);
  });

  it('takes the shortest, the longest and the strangest password', async () => {
    for (const strange of ['eight888', 'x'.repeat(256), '密碼🔑 \u0000 ünïcode', `${'a'.repeat(7)}🔑`]) {
      const service = await begin({ account: false });
      expect((await service.request(init({ user, password: strange, setup_token }))).status).toBe(200);
      expect((await service.request(auth({ user, password: strange }))).status).toBe(200);
    }
  });
});

describe('signing in', () => {
  it('gives a token that works and a cookie that scripts cannot read', async () => {
    const service = await begin();
    const answer = await service.request(
      auth({ user: ` ${service.account.user} `, password: service.account.password }),
    );
    expect(answer.body).toEqual({ code: 0, msg: 'ok', data: { token: expect.any(String) } });
    const { token } = answer.body.data;
    expect(answer.headers['set-cookie']).toMatch(
      new RegExp(`^parley_session_[\\w-]{11}=${token}; Path=/; Expires=[^;]+ GMT; HttpOnly; SameSite=Strict$`),
    );
    expect(answer.headers['cache-control']).toBe('no-store');
    const info = await service.request({ url: '/api/v1/user/info', bearer: token });
    expect(info.body.data).toEqual({
      user: service.account.user,
      role: 'admin',
      account_type: 'local',
      has_password: true,
      recovery_key_created_at: expect.any(String),
    });
  });

  it('gives a cookie for https and the base path where the service lives there', async () => {
    const config = { publicUrl: 'https://example.com/parley', basePath: '/parley' };
    const service = await begin({ config });
    const { user, password } = service.account;
    const answer = await service.request({ ...auth({ user, password }), url: '/parley/api/v1/user/auth' });
    expect(answer.headers['set-cookie']).toMatch(
      /; Path=\/parley\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/,
    );
  });

  it('says the same about a wrong password and a person that does not exist', async () => {
    const service = await begin();
    const wrong = await service.request(auth({ user: service.account.user, password: 'another password' }));
    const unknown = await service.request(auth({ user: 'unknown@example.com', password: 'another password' }));
    expect([wrong.status, unknown.status]).toEqual([400, 400]);
    const expected = { code: -1, msg: 'Invalid username or password', reason: 'invalid_credentials' };
    expect(wrong.body).toEqual({ ...expected, request_id: expect.any(String) });
    expect(unknown.body).toEqual({ ...expected, request_id: expect.any(String) });
    expect(wrong.headers['set-cookie']).toBeUndefined();
  });

  it('is throttled after five failures, and a success before that forgets them', async () => {
    const service = await begin();
    const { user, password } = service.account;
    const attempt = (guess: string) => service.request(auth({ user, password: guess }));
    for (let round = 0; round < 2; round += 1) {
      for (let failure = 0; failure < 4; failure += 1) expect((await attempt('another password')).status).toBe(400);
      expect((await attempt(password)).status).toBe(200);
    }
    for (let failure = 0; failure < 5; failure += 1) expect((await attempt('another password')).status).toBe(400);
    const blocked = await attempt(password);
    expect(blocked.status).toBe(429);
    expect(blocked.body).toMatchObject({ code: -1, reason: 'too_many_requests' });
    const seconds = Number(blocked.headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(30);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
    expect((await attempt(password)).status).toBe(200);
  });

  it.each(engines)('lets no more attempts through when they come at the same time, in %s', async (engine) => {
    const service = await begin(await storedIn(engine));
    const attempts = Array.from({ length: 40 }, () =>
      service.request(auth({ user: service.account.user, password: 'another password' })),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(35);
  });

  it('is throttled by address and by person as well', async () => {
    const service = await begin();
    const remoteAddress = '203.0.113.7';
    const guess = 'another password';
    for (let index = 0; index < 20; index += 1) {
      const answer = await service.request({ ...auth({ user: `person-${index}`, password: guess }), remoteAddress });
      expect(answer.status).toBe(400);
    }
    const { user, password } = service.account;
    expect((await service.request({ ...auth({ user, password }), remoteAddress })).status).toBe(429);
    expect((await service.request(auth({ user, password }))).status).toBe(200);
  });
});

describe('a user token', () => {
  it('is exchanged for a fresh one with a full life', async () => {
    const service = await begin();
    const { tokenLifetimeSeconds } = service.config;
    const halfway = Date.now() + (tokenLifetimeSeconds / 2) * 1000;
    vi.useFakeTimers({ toFake: ['Date'], now: halfway });
    const answer = await service.request({ url: '/api/v1/user/check-token', bearer: service.account.token });
    const { token } = answer.body.data;
    expect(token).not.toBe(service.account.token);
    expect(answer.headers['set-cookie']).toContain(`=${token};`);
    vi.setSystemTime(halfway + (tokenLifetimeSeconds - 5) * 1000);
    expect((await service.request({ url: '/api/v1/user/info', bearer: token })).status).toBe(200);
    expect((await service.request({ url: '/api/v1/user/info', bearer: service.account.token })).status).toBe(401);
  });

  it('ends with signing out, as does every other of its session and none of another', async () => {
    const service = await begin();
    const { user, password, token: bearer } = service.account;
    const fresh = await service.request({ url: '/api/v1/user/check-token', bearer });
    const other = await service.request(auth({ user, password }));
    const answer = await service.request({ method: 'POST', url: '/api/v1/user/sign-out', bearer });
    expect(answer.body).toEqual({ code: 0, msg: 'ok', data: {} });
    expect(answer.headers['set-cookie']).toMatch(/^parley_session_[\w-]{11}=; .*Expires=Thu, 01 Jan 1970/);
    expect((await service.request({ url: '/api/v1/user/info', bearer })).status).toBe(401);
    expect((await service.request({ url: '/api/v1/user/info', bearer: fresh.body.data.token })).status).toBe(401);
    expect((await service.request({ url: '/api/v1/user/info', bearer: other.body.data.token })).status).toBe(200);
  });

  it('ends with the account', async () => {
    const service = await begin();
    await service.database.deleteFrom('accounts').execute();
    const answer = await service.request({ url: '/api/v1/user/info', bearer: service.account.token });
    expect(answer.status).toBe(401);
    expect(answer.body.msg).toBe('Invalid authentication credentials');
  });
});

describe.each(['change', 'set'])('with %s-password, changing the password', (verb) => {
  const next = 'the next password of all';
  const change = (service: TestService, json: object): TestRequest => ({
    method: 'POST',
    url: `/api/v1/user/${verb}-password`,
    bearer: service.account.token,
    json,
  });

  it('ends every token of before', async () => {
    const service = await begin();
    const { user, password, token } = service.account;
    const changed = await service.request(change(service, { current_password: password, new_password: next }));
    expect(changed.body.data).toEqual({ user });
    expect((await service.request({ url: '/api/v1/user/info', bearer: token })).status).toBe(401);
    expect((await service.request(auth({ user, password }))).status).toBe(400);
    const again = await service.request(auth({ user, password: next }));
    expect((await service.request({ url: '/api/v1/user/info', bearer: again.body.data.token })).status).toBe(200);
  });

  it('asks for the present password, and answers 400 rather than 401, which would sign people out', async () => {
    const service = await begin();
    const answer = await service.request(change(service, { current_password: 'another password', new_password: next }));
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ msg: 'Current password is incorrect', reason: 'invalid_credentials' });
  });

  it('needs the present password', async () => {
    const service = await begin();
    const answer = await service.request(change(service, { new_password: next }));
    expect(answer.status).toBe(400);
    expect(answer.body.details[0].path).toBe('current_password');
  });

  it('is throttled', async () => {
    const service = await begin();
    const guess = change(service, { current_password: 'another password', new_password: next });
    const answers = await Promise.all(Array.from({ length: 10 }, () => service.request(guess)));
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
  });

  it('refuses a short one', async () => {
    const service = await begin();
    const { password } = service.account;
    const answer = await service.request(change(service, { current_password: password, new_password: 'seven77' }));
    expect(answer.status).toBe(400);
    expect(answer.body.details[0].path).toBe('new_password');
  });

  it('happens once when two try at the same time', async () => {
    const service = await begin();
    const { password } = service.account;
    const racing = ['the first of two', 'the other of two'].map((new_password) =>
      service.request(change(service, { current_password: password, new_password })),
    );
    const statuses = (await Promise.all(racing)).map(({ status }) => status).sort();
    expect(statuses[0]).toBe(200);
    // The slower one is refused for the token that ended, the password that is old, or the change in between.
    expect([400, 401, 409]).toContain(statuses[1]);
  });

  it('can be switched off', async () => {
    const service = await begin({ config: { allowModifyLoginInfo: false } });
    const { password } = service.account;
    const answer = await service.request(change(service, { current_password: password, new_password: next }));
    expect(answer.status).toBe(403);
    expect(answer.body.msg).toBe('Modifying login info is disabled');
  });
});

describe('resetting the password', () => {
  const next = 'the next password of all';
  const reset = (json: object): TestRequest => ({ method: 'POST', url: '/api/v1/user/reset-password', json });

  it('takes the recovery key once and gives the next one', async () => {
    const service = await begin();
    const { user, recoveryKey, token } = service.account;
    const first = await service.request(reset({ user, recovery_key: ` ${recoveryKey}\n`, new_password: next }));
    expect(first.body.data).toEqual({ user, recovery_key: expect.stringMatching(/^rk_.{43}$/) });
    expect((await service.request({ url: '/api/v1/user/info', bearer: token })).status).toBe(401);
    expect((await service.request(auth({ user, password: next }))).status).toBe(200);
    const again = await service.request(reset({ user, recovery_key: recoveryKey, new_password: 'another password' }));
    expect(again.status).toBe(400);
    expect(again.body).toMatchObject({ msg: 'Invalid user or recovery key', reason: 'invalid_credentials' });
    const { recovery_key } = first.body.data;
    const second = await service.request(reset({ user, recovery_key, new_password: 'yet another password' }));
    expect(second.status).toBe(200);
    expect((await service.request(auth({ user, password: 'yet another password' }))).status).toBe(200);
  });

  it.each(engines)('happens once when two use the same key, in %s', async (engine) => {
    const service = await begin(await storedIn(engine));
    const { user, recoveryKey } = service.account;
    const racing = ['the first of two', 'the other of two'].map((new_password) =>
      service.request(reset({ user, recovery_key: recoveryKey, new_password })),
    );
    expect((await Promise.all(racing)).map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('says the same about a wrong key and a person that does not exist', async () => {
    const service = await begin();
    const guess = { recovery_key: 'rk_not-a-valid-key', new_password: next };
    const wrong = await service.request(reset({ user: service.account.user, ...guess }));
    const unknown = await service.request(reset({ user: 'unknown@example.com', ...guess }));
    expect([wrong.status, wrong.body.msg]).toEqual([unknown.status, unknown.body.msg]);
    expect(wrong.status).toBe(400);
  });

  it('is throttled', async () => {
    const service = await begin();
    const guess = reset({ user: service.account.user, recovery_key: 'rk_not-a-valid-key', new_password: next });
    const answers = await Promise.all(Array.from({ length: 10 }, () => service.request(guess)));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
    expect(Number(answers.find(({ status }) => status === 429)?.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('works before there is an account only as a refusal', async () => {
    const service = await begin({ account: false });
    const answer = await service.request(reset({ user, recovery_key: 'rk_not-a-valid-key', new_password: next }));
    expect(answer.body.reason).toBe('invalid_credentials');
  });
});

describe('what the reference system offers for accounts elsewhere', () => {
  it('does not exist, and requesting it ends no session', async () => {
    const service = await begin();
    const bearer = service.account.token;
    const credits = await service.request({ url: '/api/v1/user/space-credits', bearer });
    expect(credits.body.data).toEqual({ credits: null });
    for (const [method, path] of [
      ['GET', 'space/authorize-url?redirect_uri=x'],
      ['POST', 'space/callback'],
      ['POST', 'bind-space'],
    ] as const) {
      const answer = await service.request({ method, url: `/api/v1/user/${path}` });
      expect([answer.status, answer.body.reason]).toEqual([404, 'not_found']);
    }
  });
});

describe('the stored account', () => {
  it('tells neither password nor recovery key', async () => {
    const service = await begin();
    const [row] = await service.database.selectFrom('accounts').selectAll().execute();
    expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$/);
    const text = JSON.stringify(row);
    expect(text).not.toContain(service.account.password);
    expect(text).not.toContain(service.account.recoveryKey);
  });
});
