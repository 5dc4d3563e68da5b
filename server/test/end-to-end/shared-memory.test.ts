import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestReplicas, testReplicas } from '../factories/start-replicas.ts';
import type { TestService } from '../factories/start-test-service.ts';

let replicas: TestReplicas;
let first: TestService;
let second: TestService;

beforeAll(async () => {
  replicas = await testReplicas();
  first = await replicas.start();
  second = await replicas.start();
  await replicas.met();
});
afterAll(() => replicas.stop());

/** A request to one of the replicas, as the admin who signed in at the first. */
const call = (at: TestService, method: string, url: string, json?: unknown) =>
  at.request({ method, url: `/api/v1${url}`, bearer: first.account.token, ...(json === undefined ? {} : { json }) });

/** Opens an event stream. @returns how long after a call it ended, milliseconds */
async function follow(at: TestService, headers: Record<string, string>) {
  const { body, status } = await fetch(`${at.address}/api/v1/events`, { headers });
  expect(status).toBe(200);
  const ended = (async () => {
    for await (const _ of body ?? []);
  })().catch(() => {});
  return async () => {
    const begun = performance.now();
    await ended;
    return performance.now() - begun;
  };
}

it('each replica accepts the same set-up token, until there is an account', async () => {
  const fresh = await testReplicas();
  try {
    const config = { setupToken: null };
    const [one, other] = [await fresh.start({ account: false, config }), await fresh.start({ account: false, config })];
    const token = one.service.setUp()?.token;
    expect(token).toMatch(/^[\w-]{32}$/);
    expect(other.service.setUp()?.token).toBe(token);
    const init = (at: TestService, setup_token: string | undefined) =>
      at.request({
        method: 'POST',
        url: '/api/v1/user/init',
        json: { user: 'admin@example.com', password: 'correct horse battery staple', setup_token },
      });
    expect((await init(other, 'another')).body.reason).toBe('setup_token_required');
    const stored = () => one.database.selectFrom('metadata').select('value').where('key', '=', 'setup_token').execute();
    expect(JSON.stringify(await stored())).not.toContain(token);
    expect((await init(other, token)).status).toBe(200);
    expect(await stored()).toEqual([]);
    expect((await init(one, token)).body.reason).toBe('already_initialized');
  } finally {
    await fresh.stop();
  }
});

describe('what one replica changes', () => {
  it('holds for the next request to another: MCP servers', async () => {
    const server = { name: 'tools', enable: true, mode: 'http', extra_args: { url: 'http://127.0.0.1:9/mcp' } };
    expect(await call(first, 'POST', '/mcp/servers', server)).toMatchObject({ status: 200 });
    const info = async (at: TestService) =>
      (await call(at, 'GET', '/mcp/servers/tools')).body.data?.server.runtime_info;
    expect(await info(second)).toMatchObject({ tools: [] });
    await call(second, 'PUT', '/mcp/servers/tools', { enable: false });
    expect(await info(first)).toBeNull();
    await call(second, 'DELETE', '/mcp/servers/tools');
    expect((await call(first, 'GET', '/mcp/servers/tools')).status).toBe(404);
  });

  it('holds for the next request to another: the end of API keys and sessions', async () => {
    const key = await first.createApiKey();
    const list = (at: TestService) => at.request({ url: '/api/v1/pipelines', apiKey: key.key });
    expect((await list(second)).status).toBe(200);
    await call(first, 'DELETE', `/apikeys/${key.id}`);
    expect((await list(second)).status).toBe(401);
    const member = await first.createAccount('member');
    const named = () => second.request({ url: '/api/v1/user/sessions', bearer: member.token });
    const { sessions } = (await named()).body.data;
    const url = `/api/v1/user/sessions/${sessions[0].uuid}`;
    expect((await first.request({ method: 'DELETE', url, bearer: member.token })).status).toBe(200);
    expect((await named()).status).toBe(401);
  });

  it('ends connections of a credential within 2 s', async () => {
    const key = await first.createApiKey();
    const member = await first.createAccount('member');
    const streams = [
      await follow(second, { 'x-api-key': key.key }),
      await follow(second, { authorization: `Bearer ${member.token}` }),
    ];
    const stays = await follow(second, { authorization: `Bearer ${first.account.token}` });
    await call(first, 'DELETE', `/apikeys/${key.id}`);
    const [session] = (await first.request({ url: '/api/v1/user/sessions', bearer: member.token })).body.data.sessions;
    const url = `/api/v1/user/sessions/${session.uuid}`;
    expect((await first.request({ method: 'DELETE', url, bearer: member.token })).status).toBe(200);
    for (const ended of streams) expect(await ended()).toBeLessThan(2000);
    expect(await Promise.race([stays(), delay(100).then(() => 'open')])).toBe('open');
  });
});
