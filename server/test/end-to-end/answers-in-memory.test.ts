import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { KyselyAccountStore } from '../../src/storage/accounts/kysely-account-store.ts';
import { KyselyApiKeyStore } from '../../src/storage/accounts/kysely-api-key-store.ts';
import type { Engine } from '../../src/storage/engine.ts';
import { NodeSqlite } from '../../src/storage/node-sqlite.ts';
import { createFakePlatform } from '../factories/fake-platform.ts';
import { startTestService, type TestRequest, type TestService } from '../factories/start-test-service.ts';
import type { FreshDatabase } from '../postgres/fresh-database.ts';
import { migratedDatabase } from '../postgres/test-database.ts';
import { enginesInTurns } from '../shared/looks-closely.ts';
import { seededNumbers } from '../shared/seeded-numbers.ts';

type Credential = Pick<TestRequest, 'apiKey' | 'bearer'>;

describe.each(enginesInTurns)('answers in memory on %s', (engine: Engine) => {
  const fake = createFakePlatform();
  let account: string | null = null;
  fake.accountId = () => account;
  let fresh: FreshDatabase | undefined;
  let service: TestService;
  let paths: string[];
  let uuids: { pipeline: string; provider: string; model: string; bot: string };

  const call = async (method: string, url: string, json?: unknown) => {
    const bearer = service.account.token;
    const { status, text, body } = await service.request({ method, url, bearer, ...(json !== undefined && { json }) });
    if (status !== 200) throw new Error(`${method} ${url}: ${text}`);
    return body.data;
  };
  let spellings = 0;
  /** The same address, which was never asked for in this way, so that its answer is not in memory. */
  const respelled = (path: string) => {
    spellings += 1;
    return `${path}${path.includes('?') ? '' : '?'}${'&'.repeat(spellings)}`;
  };
  const read = async (path: string, credential: Credential) => {
    const { status, text, headers } = await service.request({ url: path, ...credential });
    const { date: _, ...others } = headers;
    return { status, text, headers: others };
  };
  const admin = (): Credential => ({ bearer: service.account.token });

  beforeAll(async () => {
    if (engine === 'postgres') fresh = await migratedDatabase();
    service = await startTestService({
      ...(fresh && { databaseUrl: fresh.url }),
      extensions: { platforms: [fake.platform] },
    });
    const provider = (
      await call('POST', '/api/v1/provider/providers', {
        name: 'Provider',
        requester: 'openai-chat-completions',
        base_url: 'https://example.com/v1',
        api_keys: ['sk-0123456789abcdefghijkl'],
      })
    ).uuid;
    const model = (await call('POST', '/api/v1/provider/models/llm', { name: 'model', provider_uuid: provider })).uuid;
    const pipeline = (await call('POST', '/api/v1/pipelines', { name: 'Pipeline' })).uuid;
    const adapter_config = { token: 'a secret of the platform' };
    const record = { name: 'Bot', adapter: 'fake', adapter_config, enable: true, use_pipeline_uuid: pipeline };
    const bot = (await call('POST', '/api/v1/platform/bots', record)).uuid;
    uuids = { pipeline, provider, model, bot };
    paths = [
      '/api/v1/pipelines',
      '/api/v1/pipelines?sort_order=ASC',
      `/api/v1/pipelines/${pipeline}`,
      '/api/v1/provider/providers',
      `/api/v1/provider/providers/${provider}`,
      '/api/v1/provider/models/llm',
      `/api/v1/provider/models/llm/${model}`,
      '/api/v1/provider/model-prices',
      '/api/v1/platform/bots',
      `/api/v1/platform/bots/${bot}`,
    ];
  }, 60_000);
  afterEach(() => void vi.restoreAllMocks());
  afterAll(async () => {
    await service.stop();
    await fresh?.drop();
  });

  /** Each changes what some answer says; `number` makes values distinct. */
  const changes: Record<string, (number: number) => Promise<unknown>> = {
    'pipeline by api': (number) => call('PUT', `/api/v1/pipelines/${uuids.pipeline}`, { name: `p${number}` }),
    'pipeline by another process': (number) =>
      service.database
        .updateTable('pipelines')
        .set({ name: `P${number}` })
        .where('uuid', '=', uuids.pipeline)
        .execute(),
    'provider by api': (number) =>
      call('PUT', `/api/v1/provider/providers/${uuids.provider}`, { api_keys: [`sk-0123456789abcdefgh${number}`] }),
    'provider by another process': (number) =>
      service.database
        .updateTable('providers')
        .set({ name: `r${number}` })
        .execute(),
    'model by api': (number) => call('PUT', `/api/v1/provider/models/llm/${uuids.model}`, { name: `m${number}` }),
    'model by another process': (number) =>
      service.database
        .updateTable('models')
        .set({ name: `M${number}` })
        .where('uuid', '=', uuids.model)
        .execute(),
    'price by api': (number) =>
      call('PUT', '/api/v1/provider/model-prices/m', { input_price: number, output_price: 0 }),
    'price by another process': () => service.database.deleteFrom('model_prices').execute(),
    'bot by api': (number) => call('PUT', `/api/v1/platform/bots/${uuids.bot}`, { name: `b${number}` }),
    'bot by another process': (number) =>
      service.database
        .updateTable('bots')
        .set({ name: `B${number}` })
        .execute(),
    'connection of the bot': (number) =>
      call('PUT', `/api/v1/platform/bots/${uuids.bot}`, { enable: number % 2 === 0 }),
    'account of the bot': async (number) => {
      account = `account-${number}`;
    },
    'lost connection of the bot': async (number) =>
      fake
        .up()[0]
        ?.context.reportConnection(
          number % 2 === 0
            ? { state: 'connected' }
            : { state: 'reconnecting', reason: 'platform_failed', message: `e${number}` },
        ),
    'nothing, repeatedly': async () => undefined,
  };

  it('are those of the records, also after changes by another process, for every caller', {
    timeout: 120_000,
  }, async () => {
    const member = await service.createAccount('member');
    const { key } = await service.createApiKey(['read']);
    const credentials: Credential[] = [admin(), { bearer: member.token }, { apiKey: key }];
    const seed = Date.now() % 1_000_000;
    const below = seededNumbers(seed);
    const names = Object.keys(changes);
    const done: string[] = [];
    for (let step = 1; step <= 80; step += 1) {
      const name = names[below(names.length)] ?? '';
      await changes[name]?.(below(1000));
      done.push(name);
      // Another process has its own turns.
      await nextTurn();
      for (const path of paths) {
        const [one, other] = [credentials[below(3)] ?? {}, credentials[below(3)] ?? {}];
        const known = await read(path, one);
        const made = await read(respelled(path), other);
        expect(known, `${path}, seed ${seed}, after ${done.join(', ')}`).toEqual(made);
        expect(known.status).toBe(200);
      }
    }
  });

  /** The event log of bots is written in the background, after it has looked for them, and on PostgreSQL locked them. */
  const ofEventLog = /^select "uuid" from "bots" where "uuid" in \([^)]*\) order by "uuid"( for no key update)?$/;

  /** Once a beat has seen another version of the records. */
  const ofBeat = /^select "uuid", "adapter", "enable", "updated_at" from "bots"/;
  const isOther = (sql: string) => ofEventLog.test(sql) || ofBeat.test(sql);

  it('are not made again: one statement reads the versions, and no other is run', async () => {
    const { key } = await service.createApiKey(['read']);
    for (const path of paths) await read(path, { apiKey: key });
    const statements: string[] = [];
    const run = NodeSqlite.prototype.run;
    vi.spyOn(NodeSqlite.prototype, 'run').mockImplementation(function (this: NodeSqlite, sql, parameters) {
      if (!/^(begin|commit)$/.test(sql) && !isOther(sql)) statements.push(sql);
      return run.call(this, sql, parameters);
    });
    const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;
    vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...given: unknown[]) {
      const sql = typeof given[0] === 'string' ? given[0] : (given[0] as { text: string }).text;
      if (!isOther(sql)) statements.push(sql);
      return query.apply(this, given);
    } as never);
    for (const path of paths) {
      // On SQLite, requests in the same turn of the event loop share the versions.
      await nextTurn();
      expect((await read(path, { apiKey: key })).status).toBe(200);
    }
    vi.restoreAllMocks();
    const others = statements.filter(
      (sql) => !/from "record_version", "access_version", "extension_version"/.test(sql),
    );
    expect(others.filter((sql) => /api_keys|accounts|pipelines|providers|models|prices|bots/.test(sql))).toEqual([]);
    expect(statements.length - others.length).toBe(paths.length);
  });

  it('end with the access of their caller, at once', { timeout: 60_000 }, async () => {
    const { database } = service;
    const path = `/api/v1/pipelines/${uuids.pipeline}`;
    const member = await service.createAccount('member');
    const stores = { keys: new KyselyApiKeyStore(database, engine), accounts: new KyselyAccountStore(database) };
    const keyOf = async (bearer: string, scopes: string[]) => {
      const json = { name: 'key', scopes };
      const made = await service.request({ method: 'POST', url: '/api/v1/apikeys', bearer, json });
      expect(made.status).toBe(200);
      return made.body.data.key as { id: number; key: string };
    };
    const expires = (id: number, expires_at: string) =>
      database.updateTable('api_keys').set({ expires_at }).where('id', '=', id).execute();
    const ends: Record<string, (id: number) => Promise<unknown>> = {
      'revoked by the api': (id) => call('DELETE', `/api/v1/apikeys/${id}`),
      'revoked by another process': (id) => stores.keys.delete(id),
      'expired by another process': (id) => expires(id, '2026-01-01T00:00:00.000Z'),
      'of another scope': (id) =>
        database.updateTable('api_keys').set({ scopes: '["send"]' }).where('id', '=', id).execute(),
    };
    for (const [name, end] of Object.entries(ends)) {
      const { id, key } = await keyOf(service.account.token, ['read']);
      for (let count = 0; count < 3; count += 1) expect((await read(path, { apiKey: key })).status, name).toBe(200);
      await end(id);
      await nextTurn();
      expect((await read(path, { apiKey: key })).status, name).toBe(name === 'of another scope' ? 403 : 401);
    }
    // Time passes without a write.
    const brief = await keyOf(service.account.token, ['read']);
    await expires(brief.id, new Date(Date.now() + 500).toISOString());
    expect((await read(path, { apiKey: brief.key })).status).toBe(200);
    await wait(600);
    expect((await read(path, { apiKey: brief.key })).status).toBe(401);
    // A role counts for what it allows, and the account takes its keys along.
    await stores.accounts.setRole(member.uuid, 'admin');
    const raised = await keyOf(service.account.token, ['read', 'write']);
    await database.updateTable('api_keys').set({ account_uuid: member.uuid }).where('id', '=', raised.id).execute();
    await nextTurn();
    const rename = async () => {
      const json = { name: 'renamed' };
      return (await service.request({ method: 'PUT', url: path, apiKey: raised.key, json })).status;
    };
    expect(await rename()).toBe(200);
    await stores.accounts.setRole(member.uuid, 'member');
    await nextTurn();
    expect(await rename()).toBe(403);
    expect((await read(path, { apiKey: raised.key })).status).toBe(200);
    await stores.accounts.remove(member.uuid, null);
    await nextTurn();
    expect((await read(path, { apiKey: raised.key })).status).toBe(401);
  });

  it('are of a key that is created after it was refused', async () => {
    const { id, key } = await service.createApiKey(['read']);
    const row = await service.database
      .selectFrom('api_keys')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await service.database.deleteFrom('api_keys').where('id', '=', id).execute();
    await nextTurn();
    const path = `/api/v1/pipelines/${uuids.pipeline}`;
    expect((await read(path, { apiKey: key })).status).toBe(401);
    const { id: _, ...columns } = row;
    await service.database.insertInto('api_keys').values(columns).execute();
    await nextTurn();
    expect((await read(path, { apiKey: key })).status).toBe(200);
  });

  it('are of no record that does not exist, and of one that appears', async () => {
    const path = `/api/v1/pipelines/${uuids.pipeline}`;
    const copy = (await call('POST', `${path}/copy`)).uuid;
    expect((await read(`/api/v1/pipelines/${copy}`, admin())).status).toBe(200);
    await service.database.deleteFrom('pipelines').where('uuid', '=', copy).execute();
    await nextTurn();
    const gone = await read(`/api/v1/pipelines/${copy}`, admin());
    expect(gone.status).toBe(404);
    // An error is made for each request: it names it.
    expect(gone.text).not.toBe((await read(`/api/v1/pipelines/${copy}`, admin())).text);
  });

  it('of HEAD have no content', async () => {
    const path = `/api/v1/pipelines/${uuids.pipeline}`;
    const known = await read(path, admin());
    const head = await service.request({ method: 'HEAD', url: path, ...admin() });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(known.text)));
    expect(await read(path, admin())).toEqual(known);
  });
});
