import { Secret, TOTP } from 'otpauth';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestService, type TestRequest, type TestService } from '../factories/start-test-service.ts';
import { migratedDatabase } from '../postgres/test-database.ts';

const url = '/api/v1/user/second-factor';
const period = 30_000;
const engines = ['SQLite', 'PostgreSQL'];

const stops: (() => Promise<void>)[] = [];
let service: TestService;
let codes: string[];
let generator: TOTP;
beforeEach(() => {
  // In the middle of a time step.
  vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / period) * period + period / 2 });
});
afterEach(async () => {
  vi.useRealTimers();
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** A service whose first account has a second factor. */
async function begin(engine = 'SQLite'): Promise<void> {
  let databaseUrl: { databaseUrl?: string } = {};
  if (engine !== 'SQLite') {
    const { url: fresh, drop } = await migratedDatabase();
    stops.push(drop);
    databaseUrl = { databaseUrl: fresh };
  }
  service = await startTestService({ listen: false, ...databaseUrl });
  stops.push(() => service.stop());
  const { secret } = (await own('', { password: service.account.password })).body.data;
  generator = new TOTP({ secret: Secret.fromBase32(secret) });
  codes = (await own('/enable', { code: codeAt(0) })).body.data.recovery_codes;
  pass(1);
}

const pass = (steps: number) => vi.setSystemTime(Date.now() + steps * period);
/** The code of a time step, counted from the present one. */
const codeAt = (steps: number) => generator.generate({ timestamp: Date.now() + steps * period });
const own = (path: string, json: object, more: Partial<TestRequest> = {}) =>
  service.request({ method: 'POST', url: `${url}${path}`, bearer: service.account.token, json, ...more });
const signIn = (code?: string, more: object = {}) => {
  const { user, password } = service.account;
  const json = { user, password, ...(code !== undefined && { code }), ...more };
  return service.request({ method: 'POST', url: '/api/v1/user/auth', json });
};
const outcome = async (code?: string, more: object = {}) => {
  const { status, body } = await signIn(code, more);
  return status === 200 ? 200 : body.reason;
};
const status = async () => (await service.request({ url, bearer: service.account.token })).body.data;

describe('an account with a second factor', () => {
  it('is asked for the code with 400, never 401, and gets nothing before', async () => {
    await begin();
    const answer = await signIn();
    expect([answer.status, answer.body.reason]).toEqual([400, 'second_factor_required']);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(await service.database.selectFrom('sessions').selectAll().execute()).toHaveLength(1);
    const signedIn = await signIn(codeAt(0));
    expect(signedIn.body.data).toEqual({ token: expect.any(String) });
    expect(signedIn.headers['set-cookie']).toMatch(/^parley_session_[\w-]+=/);
  });

  it('is asked for nothing but the password until a code proved that the app works', async () => {
    service = await startTestService({ listen: false });
    stops.push(() => service.stop());
    expect(await status()).toEqual({ enabled: false, enabled_at: null, recovery_codes_left: 0 });
    expect((await own('/enable', { code: '123456' })).body.reason).toBe('conflict');
    const { password } = service.account;
    const first = (await own('', { password })).body.data;
    expect(first.uri).toBe(
      `otpauth://totp/Parley:${encodeURIComponent(service.account.user)}?issuer=Parley&secret=${first.secret}` +
        '&algorithm=SHA1&digits=6&period=30',
    );
    const second = (await own('', { password })).body.data;
    expect(await outcome()).toBe(200);
    generator = new TOTP({ secret: Secret.fromBase32(first.secret) });
    expect((await own('/enable', { code: codeAt(0) })).body.reason).toBe('invalid_code');
    generator = new TOTP({ secret: Secret.fromBase32(second.secret) });
    const { recovery_codes } = (await own('/enable', { code: codeAt(0) })).body.data;
    expect(new Set(recovery_codes).size).toBe(10);
    for (const code of recovery_codes) expect(code).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
    expect(await status()).toEqual({ enabled: true, enabled_at: expect.any(String), recovery_codes_left: 10 });
    expect((await own('/enable', { code: codeAt(1) })).status).toBe(409);
    expect((await own('', { password })).status).toBe(409);
  });

  it('takes no code of a time step twice, not even the one that enabled it', async () => {
    await begin();
    pass(-1);
    expect(await outcome(codeAt(0))).toBe('invalid_code');
    pass(1);
    const code = codeAt(0);
    expect(await outcome(code)).toBe(200);
    expect(await outcome(code)).toBe('invalid_code');
    expect(await outcome(codeAt(-1))).toBe('invalid_code');
    pass(1);
    expect(await outcome(code)).toBe('invalid_code');
    expect(await outcome(codeAt(0))).toBe(200);
  });

  it.each(engines)('lets one of several in that come with one code at the same time, in %s', async (engine) => {
    await begin(engine);
    for (const code of [codeAt(0), codes[0]]) {
      const outcomes = await Promise.all(Array.from({ length: 4 }, () => outcome(code)));
      expect(outcomes.filter((one) => one === 200)).toHaveLength(1);
      vi.setSystemTime(Date.now() + 3_600_000);
    }
  });

  it('takes codes of clocks that are one step off, and no further', async () => {
    await begin();
    pass(2);
    expect(await outcome(codeAt(-2))).toBe('invalid_code');
    expect(await outcome(codeAt(2))).toBe('invalid_code');
    expect(await outcome(codeAt(-1))).toBe(200);
    expect(await outcome(codeAt(1))).toBe(200);
  });

  it('takes each recovery code once, however it is typed', async () => {
    await begin();
    const [first = '', second = ''] = codes;
    expect(await outcome(first)).toBe(200);
    expect(await outcome(first)).toBe('invalid_code');
    expect(await outcome(` ${second.toLowerCase().replaceAll('-', ' ')} `)).toBe(200);
    expect((await status()).recovery_codes_left).toBe(8);
  });

  it('counts wrong codes as failed attempts to sign in, which the right password does not clear', async () => {
    await begin();
    for (const code of ['000000', undefined, 'AAAA-AAAA-AAAA-AAAA', undefined, '12']) {
      expect(await outcome(code)).toBe(code === undefined ? 'second_factor_required' : 'invalid_code');
    }
    expect(await outcome(codeAt(0))).toBe('too_many_requests');
    expect((await own('/disable', { password: service.account.password, code: codeAt(0) })).status).toBe(429);
  });

  it('says nothing about the second factor to who does not know the password, and uses up no code', async () => {
    await begin();
    const code = codeAt(0);
    expect(await outcome(code, { password: 'another password' })).toBe('invalid_credentials');
    expect(await outcome(undefined, { password: 'another password' })).toBe('invalid_credentials');
    expect(await outcome(code, { user: 'unknown@example.com' })).toBe('invalid_credentials');
    expect(await outcome(code)).toBe(200);
  });

  it.each(['', ' ', '12345', '1234567', '٠١٢٣٤٥', '-123456', '1e5', 'x'.repeat(65), 123456, null, ['1']])(
    'refuses the code %j',
    async (code) => {
      await begin();
      expect(['invalid_code', 'invalid_request']).toContain(await outcome(code as string));
    },
  );

  it('is stored encrypted, and its recovery codes as hashes; neither is in the audit log', async () => {
    await begin();
    const { database, account } = service;
    const stored = JSON.stringify([
      await database.selectFrom('second_factors').selectAll().execute(),
      await database.selectFrom('recovery_codes').selectAll().execute(),
      await database.selectFrom('audit_entries').selectAll().execute(),
    ]);
    for (const secret of [generator.secret.base32, ...codes, ...codes.map((code) => code.replaceAll('-', ''))]) {
      expect(stored).not.toContain(secret);
    }
    const { body } = await service.request({ url: '/api/v1/audit?limit=10', bearer: account.token });
    const actions = body.data.entries.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(expect.arrayContaining(['account.enable-second-factor', 'account.begin-second-factor']));
  });

  it('is disabled with the password and a code, and every refusal is audited', async () => {
    await begin();
    const { password } = service.account;
    const code = codeAt(0);
    expect((await own('/disable', { code })).body.reason).toBe('invalid_credentials');
    expect((await own('/disable', { password: 'another password', code })).body.reason).toBe('invalid_credentials');
    expect((await own('/disable', { password, code: '000000' })).body.reason).toBe('invalid_code');
    expect(await outcome('000000')).toBe('invalid_code');
    const { body } = await service.request({ url: '/api/v1/audit?limit=4', bearer: service.account.token });
    expect(body.data.entries.map(({ action }: { action: string }) => action)).toEqual([
      'session.sign-in-failed',
      ...Array.from({ length: 3 }, () => 'account.disable-second-factor-failed'),
    ]);
    expect((await own('/disable', { password, code })).body.data).toEqual({});
    expect(await outcome()).toBe(200);
    expect((await own('/disable', { password, code: codeAt(1) })).status).toBe(409);
  });

  it('is not proposed without the password', async () => {
    service = await startTestService({ listen: false });
    stops.push(() => service.stop());
    expect((await own('', {})).body.reason).toBe('invalid_credentials');
    expect((await own('', { password: 'another password' })).body.reason).toBe('invalid_credentials');
    expect(await service.database.selectFrom('second_factors').selectAll().execute()).toEqual([]);
  });

  it('is asked for after the password was reset with the recovery key, too', async () => {
    await begin();
    const { user, recoveryKey } = service.account;
    const json = { user, recovery_key: recoveryKey, new_password: 'another good password' };
    await service.request({ method: 'POST', url: '/api/v1/user/reset-password', json });
    const password = { password: 'another good password' };
    expect(await outcome(undefined, password)).toBe('second_factor_required');
    expect(await outcome(codeAt(0), password)).toBe(200);
  });
});
