import { once } from 'node:events';
import { existsSync, lstatSync, readFileSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signedIn } from '../end-to-end/api-client.ts';
import { runParley } from '../factories/run-parley.ts';
import { type ServiceProcess, startInVain, startServiceProcess } from '../factories/start-service-process.ts';
import { freePort } from '../shared/free-port.ts';
import { looksClosely } from '../shared/looks-closely.ts';
import { sharedResource } from '../shared/shared-resource.ts';
import { engines } from '../stores/each-engine.ts';
import { makeMigratedPlace, makeStoragePlace, type StoragePlace } from '../stores/open-test-storage.ts';
import { proxies } from './proxies.ts';

const attacker = { user: 'attacker@evil.example', password: 'attacker-pass-1' };
const ends: (() => Promise<unknown>)[] = [];
let place: StoragePlace;
beforeEach(async () => {
  place = await makeMigratedPlace('sqlite');
  ends.push(place.remove);
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** As a fresh start without any set-up token configured. */
const start = async (environment: Record<string, string> = {}, where = place): Promise<ServiceProcess> => {
  const service = await startServiceProcess({ ...where, environment: { PARLEY_SETUP_TOKEN: '', ...environment } });
  ends.push(service.stop);
  return service;
};
const tokenFile = () => join(place.dataDir, 'setup-token');
const tokenOf = () => readFileSync(tokenFile(), 'utf8').trim();
const printedLink = (service: ServiceProcess) =>
  /^Create the first account: (\S+)$/m.exec(service.output().stdout)?.[1] ?? '';

/** With headers that `fetch` would not send. */
async function call(address: string, method: string, headers: Record<string, string>, body?: object) {
  const sent = request(`${address}/api/v1/user/init`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    agent: false,
  });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: (await json(response)) as { reason?: string; data?: object } };
}

describe.each(Object.entries(proxies))('behind %s, a fresh server', (name, startProxy) => {
  const publicUrl = 'https://bot.company.example';
  // Where the proxy passes the host of the client on, the server answers for that of its public address.
  const host = name === 'a TCP forwarder' ? 'localhost' : 'bot.company.example';
  const known: Record<string, string> = name === 'Caddy' ? { PARLEY_PUBLIC_URL: publicUrl } : {};

  it.runIf(looksClosely || name === 'nginx').each<[string, Record<string, string>]>([
    ['as it comes', known],
    ['with a public address and trusted proxies', { PARLEY_PUBLIC_URL: publicUrl, PARLEY_TRUSTED_PROXIES: 'loopback' }],
  ])('makes no account without the token, %s', async (_settings, environment) => {
    const port = await freePort();
    await start({ PARLEY_PORT: String(port), ...environment });
    const proxy = await startProxy(`http://127.0.0.1:${port}`);
    ends.push(proxy.close);
    const state = await call(proxy.address, 'GET', { host });
    expect(state).toMatchObject({ status: 200, body: { data: { initialized: false, setup_token_required: true } } });
    for (const token of [{}, { setup_token: '' }, { setup_token: 'a guessed token' }]) {
      const refused = await call(proxy.address, 'POST', { host }, { ...attacker, ...token });
      expect(refused).toMatchObject({ status: 403, body: { reason: 'setup_token_required' } });
    }
    expect((await call(proxy.address, 'GET', { host })).body.data).toMatchObject({ initialized: false });
    const owner = { user: 'ada@example.org', password: 'correct horse battery', setup_token: tokenOf() };
    expect((await call(proxy.address, 'POST', { host }, owner)).status).toBe(200);
  });
});

describe('the token of the first account', () => {
  it.runIf(looksClosely)('is asked for on loopback, too', async () => {
    const { address } = await start();
    expect(await call(address, 'POST', {}, attacker)).toMatchObject({
      status: 403,
      body: { reason: 'setup_token_required' },
    });
  });

  it('lies in a file of its owner alone until there is an account', async () => {
    const service = await start();
    await expect.poll(() => printedLink(service)).toBe(`${service.address}/set-up#token=${tokenOf()}`);
    expect(statSync(tokenFile()).mode & 0o777).toBe(0o600);
    expect(statSync(join(place.dataDir, 'setup-link')).mode & 0o777).toBe(0o600);
    expect((await call(service.address, 'POST', {}, { ...attacker, setup_token: tokenOf() })).status).toBe(200);
    expect(existsSync(tokenFile())).toBe(false);
    expect(existsSync(join(place.dataDir, 'setup-link'))).toBe(false);
  });

  it.runIf(looksClosely)('is another one at each start, unless it is configured', async () => {
    const tokens = new Set<string>();
    for (const PARLEY_SETUP_TOKEN of ['', '', 'a token of the operator', 'a token of the operator']) {
      const service = await start({ PARLEY_SETUP_TOKEN });
      tokens.add(tokenOf());
      await service.stop();
      expect(existsSync(tokenFile())).toBe(false);
    }
    expect([...tokens]).toEqual([
      expect.stringMatching(/^[\w-]{32}$/),
      expect.stringMatching(/^[\w-]{32}$/),
      'a token of the operator',
    ]);
  });

  it.runIf(looksClosely)('replaces the file of a killed process, also a symbolic link', async () => {
    const killed = await start();
    const before = tokenOf();
    await killed.kill('SIGKILL');
    expect(tokenOf()).toBe(before);
    const other = join(place.dataDir, 'other');
    renameSync(tokenFile(), other);
    symlinkSync(other, tokenFile());
    const service = await start();
    expect(readFileSync(other, 'utf8').trim()).toBe(before);
    expect(lstatSync(tokenFile()).isFile()).toBe(true);
    expect(tokenOf()).not.toBe(before);
    const refused = await call(service.address, 'POST', {}, { ...attacker, setup_token: before });
    expect(refused.status).toBe(403);
  });

  it.runIf(looksClosely)('is never logged', async () => {
    const service = await start({ PARLEY_LOG_LEVEL: 'trace' });
    const token = tokenOf();
    await call(service.address, 'POST', {}, { ...attacker, setup_token: `${token}x` });
    const api = await signedIn(service.address, token);
    const logs = JSON.stringify(await api.data('GET', '/logs'));
    const audit = JSON.stringify(await api.data('GET', '/audit'));
    expect(audit).toContain('account.initialize');
    await service.stop();
    for (const text of [service.output().stderr, logs, audit]) expect(text).not.toContain(token);
  });
});

describe.runIf(looksClosely)('on a test machine without a token', () => {
  it('a request of this machine makes the account, and the start warns', async () => {
    const service = await start({ PARLEY_SETUP_WITHOUT_TOKEN: 'true' });
    expect(service.output().stderr).toContain('may make the first account without the token');
    expect((await call(service.address, 'POST', { 'x-forwarded-for': '127.0.0.1' }, attacker)).status).toBe(403);
    expect((await call(service.address, 'POST', {}, attacker)).status).toBe(200);
  });

  it.each([
    { PARLEY_HOST: '0.0.0.0' },
    { PARLEY_PUBLIC_URL: 'https://bot.company.example' },
    { PARLEY_TRUSTED_PROXIES: 'loopback' },
  ])('the start is refused with %j', async (environment) => {
    const settings = { PARLEY_SETUP_WITHOUT_TOKEN: 'true', ...(environment as Record<string, string>) };
    const { code, stderr } = await startInVain({ ...place, environment: settings });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^PARLEY_SETUP_WITHOUT_TOKEN must not be true .*\n$/);
  });
});

describe.runIf(looksClosely).each(engines)('the command line on %s', { timeout: 60_000 }, (engine) => {
  beforeAll(() => sharedResource('commandLine'), 120_000);

  it('prints the link again until there is an account', async () => {
    const where = await makeStoragePlace(engine);
    ends.push(where.remove);
    const parley = (args: string[], input = '') => runParley(args, { place: where, input });
    const missing = await parley(['set-up-link']);
    expect(missing).toMatchObject({ code: 1, stdout: '' });
    expect(missing.stderr).toContain('no server runs with this data folder');

    const service = await start({}, where);
    const token = readFileSync(join(where.dataDir, 'setup-token'), 'utf8').trim();
    const link = `${service.address}/set-up#token=${token}`;
    expect(await parley(['set-up-link'])).toEqual({ code: 0, stdout: `${link}\n`, stderr: '' });
    expect(JSON.parse((await parley(['set-up-link', '--json'])).stdout)).toEqual({ setup_link: link });

    await parley(['user', 'create', 'ada', '--password-stdin'], 'correct horse battery\n');
    expect((await parley(['set-up-link'])).code).toBe(1);
    const late = await call(service.address, 'POST', {}, { ...attacker, setup_token: token });
    expect(late).toMatchObject({ status: 409, body: { reason: 'already_initialized' } });
  });
});
