import { Secret, TOTP } from 'otpauth';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestService } from '../factories/start-test-service.ts';
import { testSetupToken } from '../factories/test-setup-token.ts';
import { ReferenceClient } from './reference-client.ts';

const service = await startTestService({ account: false, listen: false });
const client = new ReferenceClient(service);
const user = 'admin@example.com';
const passwords = ['correct horse battery staple', 'another horse altogether', 'a third horse', 'the last horse'];
let recoveryKey = '';
let oldToken = '';

afterAll(() => service.stop());

const signIn = async (password: string | undefined) => {
  client.token = (await client.post('/api/v1/user/auth', { user, password })).token;
};

describe('the first visit', () => {
  it('GET /api/v1/user/account-info: sends to the registration while there is no account', async () => {
    expect(await client.get('/api/v1/user/account-info')).toEqual({ initialized: false });
  });

  it('GET /api/v1/user/init: says whether there is an account', async () => {
    expect(await client.get('/api/v1/user/init')).toMatchObject({ initialized: false });
  });

  it('without the set-up token, the registration shows a text that says what to do', async () => {
    const refused = await client.refused('POST', '/api/v1/user/init', { user, password: passwords[0] });
    expect(refused).toMatchObject({ status: 403, code: -1, reason: 'setup_token_required' });
    expect(refused.msg).toMatch(/Open the link .*\.\/parley user create <name> and sign in/);
    expect(client.reloads).toBe(0);
  });

  it('POST /api/v1/user/init: makes one account, also when two people try', async () => {
    const tries = await Promise.all(
      ['a', 'b'].map((name) =>
        client.send('POST', '/api/v1/user/init', {
          user: name === 'a' ? user : 'b@example.com',
          password: passwords[0],
          setup_token: testSetupToken,
        }),
      ),
    );
    const made = tries.filter(({ status }) => status === 200);
    expect(made).toHaveLength(1);
    const again = await client.refused('POST', '/api/v1/user/init', { user, password: passwords[0] });
    expect(again).toMatchObject({ status: 409, msg: 'System already initialized' });
    expect(again.code).not.toBe(0);
    expect(await client.get('/api/v1/user/init')).toMatchObject({ initialized: true });
    recoveryKey = made[0]?.body.data.recovery_key;
    expect(recoveryKey).toMatch(/^rk_[\w-]{43}$/);
    await service.database.updateTable('accounts').set({ user }).execute();
  });
});

describe('signing in', () => {
  it('GET /api/v1/user/check-token: is 401 on the sign-in page, and a fresh token later', async () => {
    for (const token of [null, 'test-token']) {
      client.token = token;
      expect(await client.refused('GET', '/api/v1/user/check-token')).toMatchObject({ status: 401, code: -1 });
    }
    expect(client.reloads).toBe(0);
    await signIn(passwords[0]);
    const { token } = await client.get('/api/v1/user/check-token');
    expect(token.split('.')).toHaveLength(3);
    client.token = token;
  });

  it('POST /api/v1/user/auth: is 400 for a wrong password or name, alike, so that the page stays and says so', async () => {
    const password = 'wrong password';
    const wrongPassword = await client.refused('POST', '/api/v1/user/auth', { user, password });
    const wrongName = await client.refused('POST', '/api/v1/user/auth', { user: 'unknown@example.com', password });
    expect(wrongPassword).toMatchObject({ status: 400, code: -1, reason: 'invalid_credentials' });
    expect(wrongName).toEqual(wrongPassword);
    expect((await client.refused('POST', '/api/v1/user/auth', { user })).msg).toContain('password');
    expect(client.token).not.toBeNull();
    await signIn(passwords[0]);
  });

  it('an account with a second factor is refused with 400, so that the page stays and says so', async () => {
    const { secret } = await client.post('/api/v1/user/second-factor', { password: passwords[0] });
    const generator = new TOTP({ secret: Secret.fromBase32(secret) });
    await client.post('/api/v1/user/second-factor/enable', { code: generator.generate() });
    const refused = await client.refused('POST', '/api/v1/user/auth', { user, password: passwords[0] });
    expect(refused).toMatchObject({ status: 400, code: -1, reason: 'second_factor_required' });
    expect(client.reloads).toBe(0);
    const code = generator.generate({ timestamp: Date.now() + 30_000 });
    await client.post('/api/v1/user/second-factor/disable', { password: passwords[0], code });
    await signIn(passwords[0]);
  });

  it('GET /api/v1/user/info: says who is signed in', async () => {
    const info = { user, role: 'admin', account_type: 'local', has_password: true };
    expect(await client.get('/api/v1/user/info')).toEqual({ ...info, recovery_key_created_at: expect.any(String) });
    const { user: _name, role: _role, ...shown } = info;
    expect(await client.get('/api/v1/user/account-info')).toEqual({ initialized: true, ...shown });
  });
});

describe('the account dialog', () => {
  const change = (verb: string, current_password: string | undefined, new_password: string | undefined) => {
    oldToken = client.token ?? '';
    return client.post(`/api/v1/user/${verb}-password`, { current_password, new_password });
  };
  const expectOldTokenEnded = async () => {
    const stranger = new ReferenceClient(service, oldToken);
    expect((await stranger.refused('GET', '/api/v1/user/info')).status).toBe(401);
  };

  it('POST /api/v1/user/change-password: needs the current one, and ends every session', async () => {
    const wrong = { current_password: 'wrong', new_password: passwords[1] };
    const refusal = await client.refused('POST', '/api/v1/user/change-password', wrong);
    expect(refusal).toMatchObject({ status: 400, code: -1 });
    const short = { current_password: passwords[0], new_password: 'short' };
    expect((await client.refused('POST', '/api/v1/user/change-password', short)).status).toBe(400);
    expect(await change('change', passwords[0], passwords[1])).toEqual({ user });
    await expectOldTokenEnded();
    await signIn(passwords[1]);
  });

  it('POST /api/v1/user/set-password: needs the current one too', async () => {
    const refusal = await client.refused('POST', '/api/v1/user/set-password', { new_password: passwords[2] });
    expect(refusal).toMatchObject({ status: 400, msg: expect.stringContaining('current_password') });
    expect(await change('set', passwords[1], passwords[2])).toEqual({ user });
    await expectOldTokenEnded();
    await signIn(passwords[2]);
  });

  it('POST /api/v1/user/reset-password: works once with the recovery key', async () => {
    const url = '/api/v1/user/reset-password';
    const form = { user, recovery_key: recoveryKey, new_password: passwords[3] };
    const refusal = await client.refused('POST', url, { ...form, recovery_key: 'A1B2C3' });
    expect(refusal.status).toBe(400);
    oldToken = client.token ?? '';
    expect(await client.post(url, form)).toMatchObject({ user });
    await expectOldTokenEnded();
    expect((await client.refused('POST', url, form)).status).toBe(400);
    await signIn(passwords[3]);
  });

  it('GET /api/v1/user/space-credits: has none', async () => {
    expect(await client.get('/api/v1/user/space-credits')).toEqual({ credits: null });
  });
});

describe('accounts of the cloud service', () => {
  const absent = async (method: string, url: string, json?: object) => {
    const refusal = await client.refused(method, url, json);
    expect(refusal).toMatchObject({ status: 404, code: -1, reason: 'not_found' });
    expect((await new ReferenceClient(service, null).refused(method, url, json)).status).toBe(404);
  };

  it('GET /api/v1/user/space/authorize-url: is not there', () =>
    absent('GET', '/api/v1/user/space/authorize-url?redirect_uri=http://127.0.0.1/callback'));

  it('POST /api/v1/user/space/callback: is not there', () =>
    absent('POST', '/api/v1/user/space/callback', { code: 'code' }));

  it('POST /api/v1/user/bind-space: is not there', () =>
    absent('POST', '/api/v1/user/bind-space', { code: 'code', state: client.token }));
});

describe('the dialog of API keys', () => {
  const list = '/api/v1/apikeys';
  const only = async () => (await client.get(list)).keys[0];

  it('POST /api/v1/apikeys: shows the key in full this once', async () => {
    const { key } = await client.post(list, { name: 'program', description: '' });
    expect(key).toMatchObject({
      id: expect.any(Number),
      name: 'program',
      key: expect.stringMatching(/^lbk_[\w-]{43}$/),
    });
    expect((await client.refused('POST', list, { name: '' })).status).toBe(400);
    const program = new ReferenceClient(service, null);
    expect((await program.send('GET', '/api/v1/pipelines', undefined, { apiKey: key.key })).status).toBe(200);
  });

  it('GET /api/v1/apikeys: shows a mask where the key was, never nothing', async () => {
    const { keys } = await client.get(list);
    expect(keys).toHaveLength(1);
    expect(keys[0]).toMatchObject({ name: 'program', key: expect.stringMatching(/^lbk…\S{4}$/) });
  });

  it('GET /api/v1/apikeys/{id}: one of them', async () => {
    const { id } = await only();
    expect((await client.get(`${list}/${id}`)).key).toMatchObject({ id, name: 'program' });
    expect(await client.refused('GET', `${list}/999999`)).toMatchObject({ status: 404, code: -1 });
  });

  it('PUT /api/v1/apikeys/{id}: renames one, and takes back what was read', async () => {
    const key = await only();
    await client.put(`${list}/${key.id}`, { name: 'renamed', description: 'for tests' });
    expect(await only()).toMatchObject({ name: 'renamed', description: 'for tests', key: key.key });
    await client.put(`${list}/${key.id}`, await only());
    expect((await client.refused('PUT', `${list}/999999`, { name: 'x' })).status).toBe(404);
  });

  it('DELETE /api/v1/apikeys/{id}: once', async () => {
    const { id } = await only();
    expect(await client.delete(`${list}/${id}`)).toEqual({});
    expect((await client.refused('DELETE', `${list}/${id}`)).status).toBe(404);
    expect(await client.get(list)).toEqual({ keys: [] });
  });
});

it('never sends the client back to the sign-in page', () => {
  expect(client.reloads).toBe(0);
});
