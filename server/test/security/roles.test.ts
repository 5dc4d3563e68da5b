import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { Role } from '../../src/core/accounts/role.ts';
import { startTestService, type TestRequest, type TestService } from '../factories/start-test-service.ts';

const privateAddress = 'http://10.1.2.3:11434/v1';
const url = '/api/v1/accounts';

let service: TestService;
let admin: string;
beforeEach(async () => {
  service = await startTestService();
  admin = service.account.token;
});
afterEach(() => service.stop());

type Account = Awaited<ReturnType<TestService['createAccount']>>;

const setRole = (account: Pick<Account, 'uuid'>, role: Role, bearer = admin) =>
  service.request({ method: 'PUT', url: `${url}/${account.uuid}`, bearer, json: { role } });
const list = async () => (await service.request({ url, bearer: admin })).body.data.accounts;
const reasonOf = async (request: TestRequest) => {
  const { status, body } = await service.request(request);
  return status === 200 ? 200 : body.reason;
};

describe('a member', () => {
  it('reads, and manages knowledge, feedback and its own account', async () => {
    const { token: bearer, user, password } = await service.createAccount('member');
    const { body } = await service.request({ url: '/api/v1/user/info', bearer });
    expect(body.data).toEqual({
      user,
      role: 'member',
      account_type: 'local',
      has_password: true,
      recovery_key_created_at: expect.any(String),
    });
    for (const path of ['pipelines', 'platform/bots', 'provider/providers', 'mcp/servers', 'monitoring/messages']) {
      expect(await reasonOf({ url: `/api/v1/${path}`, bearer }), path).toBe(200);
    }
    const json = { name: 'Handbook', knowledge_engine_plugin_id: 'parley/built-in' };
    const made = await service.request({ method: 'POST', url: '/api/v1/knowledge/bases', bearer, json });
    expect(made.status, made.text).toBe(200);
    const base = `/api/v1/knowledge/bases/${made.body.data.uuid}`;
    expect(await reasonOf({ method: 'DELETE', url: base, bearer })).toBe(200);
    const passwords = { current_password: password, new_password: 'another good password' };
    expect(await reasonOf({ method: 'POST', url: '/api/v1/user/change-password', bearer, json: passwords })).toBe(200);
  });

  it('changes no keys, providers, bots, accounts, MCP servers and settings', async () => {
    const account = await service.createAccount('member');
    const { token: bearer } = account;
    const changes: [method: string, path: string][] = [
      ['POST', 'apikeys'],
      ['GET', 'apikeys'],
      ['POST', 'provider/providers'],
      ['POST', 'platform/bots'],
      ['POST', 'pipelines'],
      ['GET', 'accounts'],
      ['POST', 'accounts'],
      ['PUT', `accounts/${account.uuid}`],
      ['DELETE', `accounts/${account.uuid}`],
      ['POST', 'mcp/servers'],
      ['POST', 'webhooks'],
      ['GET', 'audit'],
      ['GET', 'system/replicas'],
      ['GET', 'system/status'],
      ['PUT', 'safety/sensitive-words'],
    ];
    for (const [method, path] of changes) {
      expect(await reasonOf({ method, url: `/api/v1/${path}`, bearer }), `${method} ${path}`).toBe('role_required');
    }
    expect(await list()).toHaveLength(2);
  });

  it('is no admin to the rule about private addresses', async () => {
    const demoted = await service.createAccount('admin');
    const json = { name: 'key', scopes: ['read', 'write', 'admin'] };
    const made = await service.request({ method: 'POST', url: '/api/v1/apikeys', bearer: demoted.token, json });
    const apiKey = made.body.data.key.key;
    const provider = { name: 'local', requester: 'openai-chat-completions', base_url: privateAddress, api_keys: [] };
    const save = { method: 'POST', url: '/api/v1/provider/providers', json: provider };
    expect(await reasonOf({ ...save, apiKey })).toBe(200);
    await setRole(demoted, 'member');
    for (const credential of [{ apiKey }, { bearer: demoted.token }]) {
      expect(await reasonOf({ ...save, ...credential })).toBe('role_required');
    }
  });
});

describe('a role', () => {
  it('is admin for the first account, and member for those that the API makes', async () => {
    const json = { user: 'mel@example.com', password: 'a password that is hard to guess' };
    const made = await service.request({ method: 'POST', url, bearer: admin, json });
    expect(made.body.data).toEqual({ uuid: expect.any(String), recovery_key: expect.stringMatching(/^rk_/) });
    expect((await list()).map(({ user, role }: Account & { role: Role }) => [user, role])).toEqual([
      [service.account.user, 'admin'],
      ['mel@example.com', 'member'],
    ]);
    expect((await service.request({ method: 'POST', url, bearer: admin, json })).status).toBe(409);
    for (const role of ['root', '', null, 'ADMIN', ['admin']]) {
      const wrong = { user: 'eve@example.com', password: json.password, role };
      expect((await service.request({ method: 'POST', url, bearer: admin, json: wrong })).status).toBe(400);
    }
    expect(await list()).toHaveLength(2);
  });

  it('takes effect with the next request, both ways', async () => {
    const account = await service.createAccount('admin');
    const words = { method: 'PUT', url: '/api/v1/safety/sensitive-words', bearer: account.token, json: { words: [] } };
    const settings = () => reasonOf(words);
    expect(await settings()).toBe(200);
    expect((await setRole(account, 'member')).status).toBe(200);
    expect(await settings()).toBe('role_required');
    expect(await reasonOf({ url: '/api/v1/pipelines', bearer: account.token })).toBe(200);
    await setRole(account, 'admin');
    expect(await settings()).toBe(200);
  });

  it('is never taken from the last admin', async () => {
    const member = await service.createAccount('member');
    const [first] = await list();
    for (const request of [{ method: 'PUT', json: { role: 'member' } }, { method: 'DELETE' }]) {
      const answer = await service.request({ ...request, url: `${url}/${first.uuid}`, bearer: admin });
      expect([answer.status, answer.body.reason]).toEqual([409, 'last_admin']);
    }
    await setRole(member, 'admin');
    expect((await setRole(first, 'member')).status).toBe(200);
    expect((await setRole(member, 'member', member.token)).status).toBe(409);
  });

  it('is in the audit log with what it was before', async () => {
    const account = await service.createAccount('member');
    await setRole(account, 'admin');
    const { body } = await service.request({ url: '/api/v1/audit?limit=3', bearer: admin });
    expect(body.data.entries).toMatchObject([
      {
        action: 'account.update',
        record_id: account.uuid,
        actor_name: service.account.user,
        changed: ['role'],
        before: { role: 'member' },
        after: { role: 'admin' },
      },
      { action: 'session.sign-in' },
      { action: 'account.create', record_id: account.uuid, after: { user: account.user, role: 'member' } },
    ]);
    expect(JSON.stringify(body)).not.toContain(account.recoveryKey);
  });

  it('can be sent back as it was read', async () => {
    const account = await service.createAccount('member');
    const record = (await list()).find(({ uuid }: Account) => uuid === account.uuid);
    const request = { method: 'PUT', url: `${url}/${account.uuid.toUpperCase()}`, bearer: admin };
    expect((await service.request({ ...request, json: record })).status).toBe(200);
    expect((await service.request({ ...request, json: {} })).status).toBe(200);
    expect((await service.request({ ...request, url: `${url}/unknown`, json: {} })).status).toBe(404);
    expect((await service.request({ ...request, url: `${url}/unknown`, json: { role: 'admin' } })).status).toBe(404);
    expect((await service.request({ ...request, json: { role: 'root' } })).status).toBe(400);
  });
});

it('the socket of a demoted account is closed, and what it writes then is not read', async () => {
  const account = await service.createAccount('admin');
  const { body } = await service.request({ url: '/api/v1/pipelines', bearer: admin });
  const address = `${service.address.replace('http', 'ws')}/api/v1/pipelines/${body.data.pipelines[0].uuid}/ws/connect`;
  const socket = new WebSocket(address, { headers: { authorization: `Bearer ${account.token}` } });
  try {
    const frames: { type: string; reason?: string }[] = [];
    let code = 0;
    socket.on('message', (data) => frames.push(JSON.parse(data.toString())));
    socket.on('close', (given) => {
      code = given;
    });
    await vi.waitFor(() => expect(frames[0]).toMatchObject({ type: 'connected' }), 10_000);
    await setRole(account, 'member');
    socket.send(JSON.stringify({ type: 'message', message: [{ type: 'Plain', text: 'still an admin' }] }));
    await vi.waitFor(() => expect(code).toBe(1008), 10_000);
    expect(frames.at(-1)).toMatchObject({ type: 'error', reason: 'role_changed' });
    const rows = await service.database.selectFrom('messages').select('message_chain').execute();
    expect(JSON.stringify(rows)).not.toContain('still an admin');
  } finally {
    socket.terminate();
  }
});
