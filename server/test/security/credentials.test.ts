import { afterAll, describe, expect, it } from 'vitest';
import { startTestService } from '../factories/start-test-service.ts';

const service = await startTestService({ listen: false });
const fresh = await startTestService({ listen: false, account: false });
afterAll(() => Promise.all([service.stop(), fresh.stop()]));

const { user, token } = service.account;
const info = '/api/v1/user/info';
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a fresh installation', () => {
  it('has no account, no password that everybody knows, and no key', async () => {
    expect(await fresh.database.selectFrom('accounts').selectAll().execute()).toEqual([]);
    expect(await fresh.database.selectFrom('api_keys').selectAll().execute()).toEqual([]);
    for (const name of ['admin', 'root', 'parley', 'astrbot', 'admin@example.com']) {
      const json = { user: name, password: name };
      const answer = await fresh.request({ method: 'POST', url: '/api/v1/user/auth', json });
      expect([answer.status, answer.body.reason]).toEqual([400, 'invalid_credentials']);
    }
  });

  it('takes no token that another installation signed', async () => {
    expect((await service.request({ url: info, bearer: token })).status).toBe(200);
    expect((await fresh.request({ url: info, bearer: token })).status).toBe(401);
  });
});

it('a token that is not signed, or signed as its bearer likes, is worth nothing', async () => {
  const [, payload = '', signature = ''] = token.split('.');
  for (const alg of ['none', 'None', 'NONE', 'HS256', 'RS256', 'ES256']) {
    for (const end of ['', 'AAAA', signature]) {
      const forged = `${encode({ alg, jwk: { kty: 'oct', k: 'AAAA' } })}.${payload}.${end}`;
      expect([forged, (await service.request({ url: info, bearer: forged })).status]).toEqual([forged, 401]);
    }
  }
});

it.each([null, '', ' ', [], [null], {}, true, 0, 'rk_', 'null', 'undefined'])(
  'no password is reset with the recovery key %j',
  async (recovery_key) => {
    const json = { user, recovery_key, new_password: 'a password of the attacker' };
    const answer = await service.request({ method: 'POST', url: '/api/v1/user/reset-password', json });
    expect([400, 429]).toContain(answer.status);
    const signIn = { user, password: 'a password of the attacker' };
    const tried = await service.request({ method: 'POST', url: '/api/v1/user/auth', json: signIn });
    expect(tried.status).not.toBe(200);
    expect((await service.request({ url: info, bearer: token })).status).toBe(200);
  },
);

it.each(['/api/v1/user/auth', '/api/v1/user/reset-password'])('%s does not say who has an account', async (url) => {
  const answers = [];
  for (const [index, name] of [user, 'unknown@example.com'].entries()) {
    const secret = url.endsWith('auth')
      ? { password: 'a wrong password' }
      : { recovery_key: 'rk_wrong', new_password: 'long enough' };
    const remoteAddress = `198.51.100.${index}`;
    const answer = await service.request({ method: 'POST', url, json: { user: name, ...secret }, remoteAddress });
    answers.push([answer.status, { ...answer.body, request_id: '' }, Object.keys(answer.headers).sort()]);
  }
  expect(answers[0]).toEqual(answers[1]);
  expect(answers[0]?.[0]).toBe(400);
});
