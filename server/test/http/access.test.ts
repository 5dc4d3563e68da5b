import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Scope } from '../../src/core/accounts/api-key.ts';
import type { Role } from '../../src/core/accounts/role.ts';
import type { Access } from '../../src/http/access.ts';
import {
  startTestService,
  type TestAnswer,
  type TestRequest,
  type TestService,
} from '../factories/start-test-service.ts';

/** A route with what docs/access.md says of it. */
interface ListedRoute {
  method: string;
  url: string;
  access: Access;
}

type Guarded = ListedRoute & { access: Exclude<Access, 'open'> };
type RouteName = Pick<ListedRoute, 'method' | 'url'>;

const unknownUuid = '00000000-0000-7000-8000-000000000000';
const scopes: Scope[] = ['read', 'write', 'send', 'admin'];
const allMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Every subset of the scopes that a key can have. */
const subsets = Array.from({ length: 2 ** scopes.length - 1 }, (_, index) =>
  scopes.filter((_scope, bit) => (((index + 1) >> bit) & 1) === 1),
);

/** The rows of docs/access.md. */
const listed = readFileSync(new URL('../../../docs/access.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => /^\| [A-Z]+ \|/.test(line))
  .map((line): ListedRoute => {
    const [method = '', url = '', credentials = '', scope, role] = line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', ''));
    if (/^(none|optional: .*)$/.test(credentials)) return { method, url, access: 'open' };
    const kinds = credentials.split(', ');
    const credential = kinds.includes('API key') ? 'either' : 'user';
    const cookie = kinds.includes('cookie') ? ({ cookie: true } as const) : {};
    return { method, url, access: { credential, scope: scope as Scope, role: role as Role, ...cookie } };
  });

const service: TestService = await startTestService();
// HEAD requires the same as GET.
const routes = service.service.inventory.flatMap(({ method, url }): ListedRoute[] => {
  const row = listed.find((one) => one.url === url && one.method === (method === 'HEAD' ? 'GET' : method));
  return row === undefined ? [] : [{ ...row, method }];
});
const guarded = routes.filter((route): route is Guarded => route.access !== 'open');

afterAll(() => service.stop());

/** A request to a route whose body and parameters are all wrong, which a caller without credentials must not learn. */
function garbage({ method, url }: RouteName, more: Partial<TestRequest> = {}): TestRequest {
  const filled = url
    .replace(/:(\w+)/g, 'not an identifier')
    .replace(/ /g, '%20')
    .replace('*', 'some/page');
  const body = method === 'GET' || method === 'HEAD' ? {} : { payload: '{"broken', headers: {} };
  return { method, url: filled, ...body, ...more, headers: { 'content-type': 'text/plain', ...more.headers } };
}

/** A request that the access check lets through when the credential is good, and that nothing else answers 401 or 403. */
function plain({ method, url }: RouteName, more: Partial<TestRequest> = {}): TestRequest {
  const filled = url.replace(':session_type', 'person').replace(':id', '2147483647').replace(/:\w+/g, unknownUuid);
  // An event stream would not end; an invalid query makes it fail.
  return { method, url: filled === '/api/v1/events' ? `${filled}?types=nothing` : filled, ...more };
}

async function answersOf(list: readonly ListedRoute[], request: (route: ListedRoute) => TestRequest) {
  const answers: { route: string; answer: TestAnswer }[] = [];
  for (const route of list) {
    answers.push({ route: `${route.method} ${route.url}`, answer: await service.request(request(route)) });
  }
  return answers;
}

function expectRefused(answers: { route: string; answer: TestAnswer }[], status: number, reason: string): void {
  expect(answers.length).toBeGreaterThan(0);
  for (const { route, answer } of answers) {
    expect(`${route}: ${answer.status}`).toBe(`${route}: ${status}`);
    if (route.startsWith('HEAD ')) continue;
    if (/^\w+ \/v1\//.test(route)) expectModelApiError(answer, reason);
    else expect(answer.body, route).toMatchObject({ code: -1, msg: expect.any(String), reason });
  }
}

/** Programs of the model API know errors of another form, and another word for a bad key. */
function expectModelApiError({ body }: TestAnswer, reason: string): void {
  const code = reason === 'unauthorized' ? 'invalid_api_key' : reason;
  expect(body).toEqual({ error: { message: expect.any(String), type: expect.any(String), param: null, code } });
}

/** Whether a caller gets past the check of access of a route, with a good request. */
async function expectReached(route: ListedRoute, credential: Partial<TestRequest>, who: string): Promise<void> {
  const { status } = await service.request(plain(route, credential));
  expect([401, 403].includes(status), `${route.method} ${route.url} with ${who}: ${status}`).toBe(false);
}

/** Ends the session of its caller, or refuses everybody. */
const oddRoutes = /^\/api\/v1\/(user\/sign-out$|system\/debug\/)/;

describe('docs/access.md', () => {
  it('has a row for every route, and for no other', () => {
    const nameOf = ({ method, url }: RouteName) => `${method} ${url}`;
    const served = service.service.inventory.filter(({ method }) => method !== 'HEAD');
    expect(listed.map(nameOf).sort()).toEqual(served.map(nameOf).sort());
    expect(routes).toHaveLength(service.service.inventory.length);
  });

  it('says of every route that is not open which role it takes, and of those for API keys which scope', () => {
    for (const { url, access } of guarded) {
      expect(['admin', 'member'], url).toContain(access.role);
      expect(access.credential === 'user' ? [''] : scopes, url).toContain(access.scope);
    }
  });
});

describe('the route table', () => {
  it('has open routes that are these and no others', () => {
    const open = routes.filter(({ access, method }) => access === 'open' && method !== 'HEAD');
    expect(open.map(({ method, url }) => `${method} ${url}`).sort()).toEqual([
      'GET /*',
      'GET /api/v1/files/image/:key',
      'GET /api/v1/openapi.json',
      'GET /api/v1/platform/adapters/:adapter_name/icon',
      'GET /api/v1/plugins/:author/:name/assets/:file',
      'GET /api/v1/plugins/:author/:name/icon',
      'GET /api/v1/provider/requesters/:requester_name/icon',
      'GET /api/v1/system/info',
      'GET /api/v1/user/account-info',
      'GET /api/v1/user/init',
      'GET /api/v1/user/oidc',
      'GET /bots/:bot_uuid',
      'GET /bots/:bot_uuid/*',
      'GET /cited/:token',
      'GET /docs',
      'GET /docs/show.js',
      'GET /docs/swagger-ui-bundle.js',
      'GET /docs/swagger-ui.css',
      'GET /healthz',
      'GET /plugin-pages/:token/*',
      'GET /readyz',
      'POST /api/v1/user/auth',
      'POST /api/v1/user/init',
      'POST /api/v1/user/oidc/begin',
      'POST /api/v1/user/oidc/sign-in',
      'POST /api/v1/user/reset-password',
      'POST /bots/:bot_uuid',
      'POST /bots/:bot_uuid/*',
    ]);
  });

  it('asks the same for HEAD as for GET', () => {
    const { inventory } = service.service;
    const heads = inventory.filter(({ method }) => method === 'HEAD');
    expect(heads.length).toBeGreaterThan(0);
    for (const head of heads) {
      expect(inventory.find(({ method, url }) => method === 'GET' && url === head.url)?.access).toEqual(head.access);
    }
  });

  it('takes the cookie where browsers cannot set a header', () => {
    const withCookie = guarded.filter(({ access, method }) => access.cookie === true && method === 'GET');
    expect(withCookie.map(({ url }) => url)).toEqual(['/api/v1/pipelines/:pipeline_uuid/ws/connect', '/api/v1/events']);
  });

  it('has the four operations of the contract for either credential', () => {
    const access = (method: string, url: string) =>
      routes.find((route) => route.method === method && route.url === url)?.access;
    const either = (scope: Scope) => ({ credential: 'either', scope, role: 'member' });
    expect(access('GET', '/api/v1/pipelines/:pipeline_uuid')).toEqual(either('read'));
    expect(access('GET', '/api/v1/provider/providers/:provider_uuid')).toEqual(either('read'));
    expect(access('POST', '/api/v1/files/documents')).toEqual(either('write'));
    expect(access('POST', '/api/v1/platform/bots/:bot_uuid/send_message')).toEqual(either('send'));
  });
});

describe('every route that is not open', () => {
  let revoked: string;

  beforeAll(async () => {
    const { id, key } = await service.createApiKey(scopes);
    await service.request({ url: '/api/v1/apikeys', apiKey: key });
    await service.request({ method: 'DELETE', url: `/api/v1/apikeys/${id}`, bearer: service.account.token });
    revoked = key;
  });

  it('answers 401 without a credential, whatever the request holds', async () => {
    expectRefused(await answersOf(guarded, (route) => garbage(route)), 401, 'unauthorized');
    expectRefused(await answersOf(guarded, (route) => plain(route)), 401, 'unauthorized');
  });

  it('answers 401 to what is no credential', async () => {
    const [header, payload, signature] = service.account.token.split('.') as [string, string, string];
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const malformed = [
      'Bearer',
      'Bearer ',
      'Bearer null',
      'Basic YWRtaW46YWRtaW4=',
      'test-token',
      'Bearer lbk_',
      `Bearer lbk_${'A'.repeat(43)}`,
      `Bearer ${header}.${payload}`,
      `Bearer ${header}.${payload}.`,
      `Bearer ${header}.${payload}.${signature.slice(1)}`,
      `Bearer ${encode({ alg: 'none' })}.${payload}.`,
      `Bearer ${header}.${encode({ sub: unknownUuid, ver: 1 })}.${signature}`,
      'Bearer \u00e9\u00e8',
    ];
    for (const authorization of malformed) {
      const answers = await answersOf(guarded, (route) => garbage(route, { headers: { authorization } }));
      expectRefused(answers, 401, 'unauthorized');
    }
  });

  it('answers 401 to an unknown key in X-API-Key, also with a good token beside it', async () => {
    const apiKey = `lbk_${'A'.repeat(43)}`;
    expectRefused(await answersOf(guarded, (route) => garbage(route, { apiKey })), 401, 'unauthorized');
    const withToken = await answersOf(guarded, (route) => garbage(route, { apiKey, bearer: service.account.token }));
    expectRefused(withToken, 401, 'unauthorized');
  });

  it('answers 401 to a user token in X-API-Key', async () => {
    const answers = await answersOf(guarded, (route) => garbage(route, { apiKey: service.account.token }));
    expectRefused(answers, 401, 'unauthorized');
  });

  it('answers 401 to a revoked key in either header', async () => {
    expectRefused(await answersOf(guarded, (route) => garbage(route, { apiKey: revoked })), 401, 'unauthorized');
    expectRefused(await answersOf(guarded, (route) => garbage(route, { bearer: revoked })), 401, 'unauthorized');
  });

  it('answers 401 to the session cookie alone, except for the websocket and the event stream', async () => {
    const headers = { cookie: service.account.cookie, origin: 'http://localhost:80' };
    const withoutCookie = guarded.filter(({ access }) => access.cookie !== true);
    expectRefused(await answersOf(withoutCookie, (route) => garbage(route, { headers })), 401, 'unauthorized');
  });

  it('answers 401 to a token and to a key that have expired', async () => {
    const { key } = await service.createApiKey(scopes, new Date(Date.now() + 60_000).toISOString());
    expect((await service.request({ url: '/api/v1/apikeys', apiKey: key })).status).toBe(200);
    const soon = Date.now() + 61_000;
    vi.useFakeTimers({ toFake: ['Date'], now: soon });
    try {
      expectRefused(await answersOf(guarded, (route) => garbage(route, { apiKey: key })), 401, 'unauthorized');
      vi.setSystemTime(Date.now() + service.config.tokenLifetimeSeconds * 1000);
      const { token } = service.account;
      expectRefused(await answersOf(guarded, (route) => garbage(route, { bearer: token })), 401, 'unauthorized');
    } finally {
      vi.useRealTimers();
    }
  });

  it('answers 403 to a key whose scopes do not reach it, and is reached by the others', {
    timeout: 120_000,
  }, async () => {
    for (const subset of subsets) {
      const { key } = await service.createApiKey(subset);
      for (const route of guarded.filter(({ access }) => access.credential === 'either')) {
        const reaches = subset.includes(route.access.scope);
        const name = `${route.method} ${route.url} with ${subset}`;
        if (reaches) await expectReached(route, { apiKey: key }, String(subset));
        else {
          const answer = await service.request(garbage(route, { bearer: key }));
          expectRefused([{ route: name, answer }], 403, 'scope_required');
        }
      }
    }
  });

  it('answers 403 to every API key where it acts on the signed-in account', async () => {
    const { key } = await service.createApiKey(scopes);
    const ofUsers = guarded.filter(({ access }) => access.credential === 'user');
    expect(ofUsers.map(({ url }) => url)).toContain('/api/v1/user/check-token');
    expectRefused(await answersOf(ofUsers, (route) => garbage(route, { apiKey: key })), 403, 'user_token_required');
  });

  it('is reached with the user token of an admin', async () => {
    for (const route of guarded.filter(({ url }) => !oddRoutes.test(url))) {
      await expectReached(route, { bearer: service.account.token }, 'an admin');
    }
  });

  it('answers 403 to a member where it takes an admin, and is reached by a member elsewhere', async () => {
    const { token } = await service.createAccount('member');
    const [forMembers, forAdmins] = [guarded.filter(isForMembers), guarded.filter((route) => !isForMembers(route))];
    expect(forMembers.length).toBeGreaterThan(0);
    expectRefused(await answersOf(forAdmins, (route) => garbage(route, { bearer: token })), 403, 'role_required');
    for (const route of forMembers.filter(({ url }) => !oddRoutes.test(url))) {
      await expectReached(route, { bearer: token }, 'a member');
    }
  });

  it('answers 403 to the key of an admin who was made a member, whatever its scopes', async () => {
    const { uuid, token } = await service.createAccount('admin');
    const json = { name: 'of an admin', scopes };
    const made = await service.request({ method: 'POST', url: '/api/v1/apikeys', bearer: token, json });
    const { key } = made.body.data.key;
    const change = { method: 'PUT', url: `/api/v1/accounts/${uuid}`, bearer: service.account.token };
    expect((await service.request({ ...change, json: { role: 'member' } })).status).toBe(200);
    const forKeys = guarded.filter(({ access }) => access.credential === 'either');
    const forAdmins = forKeys.filter((route) => !isForMembers(route));
    expectRefused(await answersOf(forAdmins, (route) => garbage(route, { apiKey: key })), 403, 'role_required');
    for (const route of forKeys.filter(isForMembers))
      await expectReached(route, { apiKey: key }, 'the key of a member');
    await service.request({ ...change, json: { role: 'admin' } });
    for (const route of forAdmins) await expectReached(route, { apiKey: key }, 'the key of an admin');
  });
});

function isForMembers({ access }: Guarded): boolean {
  return access.role === 'member';
}

/** Whether a path is one of a route, which has parameters in some places. */
function isCovered(path: string, route: string): boolean {
  const [places, parts] = [route.split('/'), path.split('/')];
  return places.length === parts.length && places.every((place, at) => place.startsWith(':') || place === parts[at]);
}

describe('paths and methods that are not there', () => {
  it('answers 405 with the methods that are, without asking for a credential or reading the body', async () => {
    const byUrl = Map.groupBy(
      routes.filter(({ url }) => !url.includes('*')),
      ({ url }) => url,
    );
    for (const [url, own] of byUrl) {
      const taken = own.map(({ method }) => method).sort();
      // `PUT /apikeys/export` is one of `/apikeys/:id`.
      const missing = allMethods.filter(
        (candidate) => !routes.some((route) => route.method === candidate && isCovered(url, route.url)),
      );
      for (const method of missing) {
        const answer = await service.request(garbage({ method, url }));
        expectRefused([{ route: `${method} ${url}`, answer }], 405, 'method_not_allowed');
        expect(answer.headers.allow, `${method} ${url}`).toBe(taken.join(', '));
      }
    }
  });

  it.each([
    '/api',
    '/api/',
    '/api/v1',
    '/api/v1/nothing',
    '/api/v1/user',
    '/api/v1/pipelines/_/nothing',
    '/api/v2/pipelines',
    '/bots',
    '/docs/unknown.js',
    '/healthz/more',
    '/metrics',
    '/v1/nothing',
    '/v1/models/a/b',
  ])('answers 404 as JSON under %s', async (url) => {
    for (const method of [...allMethods, 'HEAD', 'OPTIONS']) {
      const answer = await service.request({ method, url });
      expectRefused([{ route: `${method} ${url}`, answer }], 404, 'not_found');
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
    }
  });

  it('answers 404 where an identifier is missing', async () => {
    for (const url of ['/api/v1/pipelines/', '/api/v1/provider/providers/', '/api/v1/apikeys/']) {
      const answer = await service.request({ url, bearer: service.account.token });
      expectRefused([{ route: url, answer }], 404, 'not_found');
    }
  });

  it('says nothing about where a client of the reference system looks for a marketplace', async () => {
    for (const url of ['/api/v1/dist/info/releases', '/api/v1/marketplace/plugins']) {
      expect((await service.request({ url })).status).toBe(404);
    }
  });
});
