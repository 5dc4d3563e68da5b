import { afterAll, describe, expect, it } from 'vitest';
import { startTestService, type TestAnswer, type TestRequest } from '../factories/start-test-service.ts';
import { makeStoragePlace } from '../stores/open-test-storage.ts';

const service = await startTestService();
const neighbour = await startTestService();
afterAll(() => Promise.all([service.stop(), neighbour.stop()]));

const { address } = service;
const info = '/api/v1/user/info';
const console = { 'x-parley-console': '1' };
const own = { ...console, origin: address };
const otherPort = neighbour.address;

/** Signs in as a page of the console does. @returns the cookie, as `name=value` */
async function signInAsConsole(): Promise<{ answer: TestAnswer; cookie: string }> {
  const { user, password } = service.account;
  const answer = await call({ method: 'POST', url: '/api/v1/user/auth', headers: own, json: { user, password } });
  return { answer, cookie: answer.headers['set-cookie']?.split(';')[0] ?? '' };
}

/** With the Host header that a browser sends to the service. */
const call = (asked: TestRequest) =>
  service.request({ ...asked, headers: { host: new URL(address).host, ...asked.headers } });

describe('the token of a session', () => {
  it('is in no body that a script of the console can read', async () => {
    const { answer, cookie } = await signInAsConsole();
    const [, token = ''] = cookie.split('=');
    expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(answer.body.data).toEqual({ token: '' });
    const renewed = await call({ url: '/api/v1/user/check-token', headers: { ...own, cookie } });
    expect(renewed.body.data).toEqual({ token: '' });
    const fresh = renewed.headers['set-cookie'] ?? '';
    expect(fresh).toMatch(/; HttpOnly; SameSite=Strict$/);
    for (const url of [info, '/api/v1/user/sessions', '/api/v1/audit', '/api/v1/system/status']) {
      const read = await call({ url, headers: { ...own, cookie } });
      expect([url, read.status]).toEqual([url, 200]);
      for (const secret of [token, fresh.split(/[=;]/)[1] as string]) expect(read.text).not.toContain(secret);
    }
  });

  it('is in the answer for programs and for the client of the reference system, which send no such header', async () => {
    const { user, password } = service.account;
    const answer = await call({ method: 'POST', url: '/api/v1/user/auth', json: { user, password } });
    const { token: bearer } = answer.body.data;
    expect((await call({ url: info, bearer })).status).toBe(200);
    const renewed = await call({ url: '/api/v1/user/check-token', bearer });
    expect((await call({ url: info, bearer: renewed.body.data.token })).status).toBe(200);
    expect((await call({ method: 'POST', url: '/api/v1/user/sign-out', bearer })).body.data).toEqual({});
    expect((await call({ url: '/api/v1/user/check-token', bearer })).status).toBe(401);
    expect((await call({ url: '/api/v1/user/check-token' })).status).toBe(401);
  });
});

describe('the cookie', () => {
  it.each<[string, Record<string, string>]>([
    ['a page of this server', own],
    ['a page of this server, as the browser says', { ...own, 'sec-fetch-site': 'same-origin' }],
    ['a reading page over plain HTTP, where browsers name no origin', console],
  ])('counts with the header of the console for %s', async (_name, headers) => {
    const { cookie } = await signInAsConsole();
    const answer = await call({ url: info, headers: { ...headers, cookie } });
    expect([answer.status, answer.body.data?.user]).toEqual([200, service.account.user]);
  });

  it.each<[string, Record<string, string>]>([
    ['another site', { ...console, origin: 'https://evil.example' }],
    ['another port', { ...console, origin: otherPort }],
    ['another site, as the browser says', { ...console, 'sec-fetch-site': 'cross-site' }],
    ['another port, as the browser says', { ...console, 'sec-fetch-site': 'same-site' }],
    ['another site with a header that says otherwise', { ...own, 'sec-fetch-site': 'cross-site' }],
    ['another site that claims to be ours', { ...console, origin: otherPort, 'sec-fetch-site': 'same-origin' }],
    ['a page without an origin', { ...console, origin: 'null' }],
    ['a page that names no origin', console],
  ])('changes nothing for %s', async (_name, headers) => {
    const { cookie } = await signInAsConsole();
    for (const asked of [
      { method: 'POST', url: '/api/v1/user/sign-out' },
      { method: 'POST', url: '/api/v1/apikeys', json: { name: 'planted' } },
      { method: 'DELETE', url: '/api/v1/user/sessions' },
    ]) {
      const refused = await call({ ...asked, headers: { ...headers, cookie } });
      expect([refused.status, refused.body.reason]).toEqual([403, 'foreign_origin']);
    }
    const { keys } = (await call({ url: '/api/v1/apikeys', headers: { ...own, cookie } })).body.data;
    expect(keys).toEqual([]);
  });

  it.each<[string, Record<string, string>]>([
    ['no other header', {}],
    ['the own origin', { origin: address }],
    ['the own origin, as the browser says', { 'sec-fetch-site': 'same-origin' }],
    ['a foreign origin', { origin: otherPort }],
  ])('alone changes nothing, with %s', async (_name, headers) => {
    const { cookie } = await signInAsConsole();
    for (const { method, url, access } of service.service.inventory) {
      if (access === 'open' || access.cookie === true) continue;
      const path = url.replace(/:(\w+)/g, '00000000-0000-7000-8000-000000000000').replace('*', 'x');
      const refused = await call({ method, url: path, headers: { ...headers, cookie } });
      expect([method, url, refused.status]).toEqual([method, url, 401]);
    }
    expect((await call({ url: info, headers: { ...own, cookie } })).status).toBe(200);
  });

  it('is cleared by signing out, and its session ends on the server', async () => {
    const { cookie } = await signInAsConsole();
    const [name] = cookie.split('=');
    const left = await call({ method: 'POST', url: '/api/v1/user/sign-out', headers: { ...own, cookie } });
    expect(left.headers['set-cookie']).toMatch(new RegExp(`^${name}=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970`));
    expect((await call({ url: info, headers: { ...own, cookie } })).status).toBe(401);
    expect((await call({ url: info, bearer: cookie.split('=')[1] as string })).status).toBe(401);
  });

  it('gives way to a credential in a header, good or not', async () => {
    const { cookie } = await signInAsConsole();
    const headers = { ...own, cookie };
    expect((await call({ url: info, bearer: 'wrong', headers })).status).toBe(401);
    expect((await call({ url: info, apiKey: 'lbk_wrong', headers })).status).toBe(401);
  });

  it('is not taken by another installation on the same host, nor does it replace its cookie', async () => {
    const { cookie } = await signInAsConsole();
    const headers = { ...console, origin: neighbour.address, host: new URL(neighbour.address).host };
    expect((await neighbour.request({ url: info, headers: { ...headers, cookie } })).status).toBe(401);
    const [name = '', value = ''] = cookie.split('=');
    const [otherName = ''] = neighbour.account.cookie.split('=');
    expect(otherName).not.toBe(name);
    // Not even under the name that the other one reads.
    const renamed = `${otherName}=${value}`;
    expect((await neighbour.request({ url: info, headers: { ...headers, cookie: renamed } })).status).toBe(401);
    // Browsers send both to both.
    const both = `${cookie}; ${neighbour.account.cookie}`;
    expect((await neighbour.request({ url: info, headers: { ...headers, cookie: both } })).status).toBe(200);
    expect((await call({ url: info, headers: { ...own, cookie: both } })).status).toBe(200);
  });

  it('lasts as long as the session, below the base path, under a name that a restart does not change', async () => {
    const place = await makeStoragePlace('sqlite');
    const config = { dataDir: place.dataDir, basePath: '/parley', publicUrl: 'https://bots.example.com/parley' };
    const names = new Set<string>();
    let json = {};
    for (const account of [true, false]) {
      const https = await startTestService({ config, account });
      if (account) json = { user: https.account.user, password: https.account.password };
      const answer = await https.request({ method: 'POST', url: '/parley/api/v1/user/auth', json });
      await https.stop();
      const cookie = answer.headers['set-cookie'] ?? '';
      expect(cookie).toMatch(/; Path=\/parley\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/);
      const life = Date.parse(/Expires=([^;]+)/.exec(cookie)?.[1] ?? '') - Date.now();
      expect(Math.abs(life / 1000 - https.config.tokenLifetimeSeconds)).toBeLessThan(10);
      names.add(cookie.split('=')[0] as string);
    }
    await place.remove();
    expect([...names]).toEqual([expect.stringMatching(/^parley_session_[\w-]{11}$/)]);
  });
});

describe('behind a proxy that names another host', () => {
  const host = '127.0.0.1:5300';

  it('the origin is that of the public address, by its scheme', async () => {
    const proxied = await startTestService({ config: { publicUrl: 'https://bots.example.com' }, listen: false });
    const { cookie } = proxied.account;
    const signOut = (origin: string) =>
      proxied.request({
        method: 'POST',
        url: '/api/v1/user/sign-out',
        headers: { ...console, cookie, origin, host: 'bots.example.com' },
      });
    for (const origin of ['http://bots.example.com', 'https://bots.example.com:8443', 'https://example.com']) {
      expect([origin, (await signOut(origin)).status]).toEqual([origin, 403]);
    }
    const headers = { ...console, cookie, origin: 'https://bots.example.com', host };
    expect((await proxied.request({ url: info, headers })).status).toBe(200);
    await proxied.stop();
  });

  it('a sign-in is refused with what to configure, before it fails in another way', async () => {
    const proxied = await startTestService({ listen: false });
    const { user, password } = proxied.account;
    const answer = await proxied.request({
      method: 'POST',
      url: '/api/v1/user/auth',
      json: { user, password },
      headers: { ...console, origin: 'http://bots.example.com', host },
    });
    expect([answer.status, answer.body.reason]).toEqual([403, 'foreign_origin']);
    expect(answer.body.msg).toContain('http://bots.example.com');
    expect(answer.body.msg).toContain('PARLEY_PUBLIC_URL');
    expect(answer.headers['set-cookie']).toBeUndefined();
    await proxied.stop();
  });
});
