import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../factories/start-test-service.ts';
import { migratedDatabase } from '../postgres/test-database.ts';

/** Texts that end a text in SQL, or mean something in a pattern or a full-text query. */
const hostile = [
  `' OR '1'='1`,
  `'; DROP TABLE accounts; --`,
  `" OR ""="`,
  `') UNION SELECT key_hash FROM api_keys --`,
  `\\'; DELETE FROM messages; --`,
  '%',
  '_',
  '*',
  'NEAR("a" "b", 5)',
  '"unbalanced',
  '{{text}} AND sleep(5)',
  `$1; select pg_sleep(5)`,
];

describe.each(['SQLite', 'PostgreSQL'])('a text that is written like a query, on %s', (engine) => {
  let service: TestService;
  let drop: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const database = engine === 'SQLite' ? null : await migratedDatabase();
    drop = database?.drop;
    service = await startTestService({ listen: false, ...(database && { databaseUrl: database.url }) });
  });
  afterAll(async () => {
    await service.stop();
    await drop?.();
  });

  const counts = async () => ({
    accounts: (await service.database.selectFrom('accounts').select('uuid').execute()).length,
    keys: (await service.database.selectFrom('api_keys').select('id').execute()).length,
  });

  it.each(hostile)('is a text as any other: %s', async (text) => {
    const before = await counts();
    const accounts = await service.database.selectFrom('accounts').select(['password_hash', 'recovery_hash']).execute();
    const hashes = accounts.flatMap((account) => [account.password_hash, account.recovery_hash]);
    expect(hashes).toHaveLength(2);
    const bearer = service.account.token;
    const value = encodeURIComponent(text);
    for (const apiKey of [text, `lbk_${text}`]) {
      expect((await service.request({ url: '/api/v1/pipelines', apiKey: encodeURI(apiKey) })).status).toBe(401);
      expect((await service.request({ url: '/api/v1/pipelines', bearer: encodeURI(apiKey) })).status).toBe(401);
    }
    const signIn = { user: text, password: 'a wrong password' };
    const tried = await service.request({ method: 'POST', url: '/api/v1/user/auth', json: signIn });
    expect([400, 429]).toContain(tried.status);
    for (const url of [
      `/api/v1/messages?text=${value}`,
      `/api/v1/messages?session_id=${value}`,
      `/api/v1/messages?cursor=${value}`,
      `/api/v1/audit?actor=${value}`,
      `/api/v1/monitoring/messages?sessionId=${value}`,
      `/api/v1/pipelines?sort_by=${value}`,
      `/api/v1/pipelines/${value}`,
      `/bots/${value}`,
    ]) {
      const answer = await service.request({ url, bearer });
      expect([url, answer.status]).toEqual([url, expect.toSatisfy((status: number) => status < 500)]);
      for (const hash of hashes) expect(answer.text).not.toContain(hash);
    }
    const json = { name: text, description: text };
    const made = await service.request({ method: 'POST', url: '/api/v1/pipelines', bearer, json });
    expect(made.status).toBe(200);
    const read = await service.request({ url: `/api/v1/pipelines/${made.body.data.uuid}`, bearer });
    expect(read.body.data.pipeline).toMatchObject(json);
    expect(await counts()).toEqual(before);
  });

  it('is no name of a column either', async () => {
    const reads = service.service.inventory.filter(
      ({ method, url, access }) =>
        method === 'GET' && !url.includes(':') && access !== 'open' && access.cookie !== true,
    );
    expect(reads.map(({ url }) => url)).toContain('/api/v1/audit');
    const names = ['password_hash', 'actor_name', 'id', `id" or "1"="1`, 'constructor', '__proto__'];
    const query = names.map((name) => `${encodeURIComponent(name)}=x`).join('&');
    for (const { url } of reads) {
      const [plain, odd] = [
        await service.request({ url, bearer: service.account.token }),
        await service.request({ url: `${url}?${query}`, bearer: service.account.token }),
      ];
      expect([url, [plain.status, 400]]).toEqual([url, expect.arrayContaining([odd.status])]);
    }
  });
});
