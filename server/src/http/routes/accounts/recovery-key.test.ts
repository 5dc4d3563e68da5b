import { describe, expect, it, onTestFinished } from 'vitest';
import {
  startTestService,
  type TestRequest,
  type TestService,
  type TestServiceOptions,
} from '../../../../test/factories/start-test-service.ts';
import { migratedDatabase } from '../../../../test/postgres/test-database.ts';

describe.each(['SQLite', 'PostgreSQL'])('a new recovery key, in %s', (engine) => {
  /** A service that ends with the test. */
  const begin = async (config: TestServiceOptions['config'] = {}) => {
    const options: TestServiceOptions = { listen: false, config };
    if (engine === 'PostgreSQL') {
      const { url, drop } = await migratedDatabase();
      onTestFinished(drop);
      options.databaseUrl = url;
    }
    const service = await startTestService(options);
    onTestFinished(() => service.stop());
    return service;
  };
  const create = ({ account }: TestService, current_password = account.password): TestRequest => ({
    method: 'POST',
    url: '/api/v1/user/recovery-key',
    bearer: account.token,
    json: { current_password },
  });
  const reset = (service: TestService, recovery_key: string) =>
    service.request({
      method: 'POST',
      url: '/api/v1/user/reset-password',
      json: { user: service.account.user, recovery_key, new_password: 'the next password of all' },
    });

  it('takes the place of the one before, and ends no session', async () => {
    const service = await begin();
    const { recoveryKey, token } = service.account;
    const created = await service.request(create(service));
    expect(created.body.data).toEqual({ recovery_key: expect.stringMatching(/^rk_.{43}$/) });
    const { recovery_key } = created.body.data;
    expect(recovery_key).not.toBe(recoveryKey);
    expect((await service.request({ url: '/api/v1/user/info', bearer: token })).status).toBe(200);
    const old = await reset(service, recoveryKey);
    expect([old.status, old.body.reason]).toEqual([400, 'invalid_credentials']);
    expect((await reset(service, recovery_key)).status).toBe(200);
    const stored = JSON.stringify([
      await service.database.selectFrom('accounts').selectAll().execute(),
      await service.database.selectFrom('audit_entries').selectAll().execute(),
    ]);
    expect(stored).toContain('account.create-recovery-key');
    expect(stored).not.toContain(recovery_key);
  });

  it('needs the present password, and leaves the key as it is without it', async () => {
    const service = await begin();
    const refused = await service.request(create(service, 'another password'));
    expect([refused.status, refused.body.reason]).toEqual([400, 'invalid_credentials']);
    const without = await service.request({ ...create(service), json: {} });
    expect([without.status, without.body.details[0].path]).toEqual([400, 'current_password']);
    expect((await reset(service, service.account.recoveryKey)).status).toBe(200);
  });

  it('is for signed-in accounts', async () => {
    const service = await begin();
    const { bearer: _, ...anonymous } = create(service);
    expect((await service.request(anonymous)).status).toBe(401);
  });

  it('shares the limit of attempts with changing the password', async () => {
    const service = await begin();
    const guess = create(service, 'another password');
    const answers = await Promise.all(Array.from({ length: 10 }, () => service.request(guess)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(5).fill(400), ...Array(5).fill(429)]);
    const json = { current_password: service.account.password, new_password: 'the next password of all' };
    const change = await service.request({ ...guess, url: '/api/v1/user/change-password', json });
    expect(change.status).toBe(429);
  });

  it('is one, when several are created at the same time', async () => {
    const service = await begin();
    const answers = await Promise.all(Array.from({ length: 4 }, () => service.request(create(service))));
    const keys = answers.filter(({ status }) => status === 200).map(({ body }) => body.data.recovery_key);
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const statuses: number[] = [];
    for (const key of keys) statuses.push((await reset(service, key)).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  });

  it('can be switched off with changes of the password', async () => {
    const service = await begin({ allowModifyLoginInfo: false });
    const answer = await service.request(create(service));
    expect([answer.status, answer.body.reason]).toEqual([403, 'forbidden']);
    expect((await reset(service, service.account.recoveryKey)).status).toBe(200);
  });
});
