import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../../src/storage/engine.ts';
import { createExampleRecords, type ExampleRecords, pathOf } from '../factories/example-records.ts';
import { createFakePlatform } from '../factories/fake-platform.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../fakes/openai-server.ts';
import type { FreshDatabase } from '../postgres/fresh-database.ts';
import { migratedDatabase } from '../postgres/test-database.ts';
import { engines } from '../stores/each-engine.ts';

type Change = (number: number) => object;

/** What changes a record, by its route; by default its name. */
const changes: Record<string, Change> = {
  '/api/v1/plugins/:author/:name/config': (number) => ({ units: [`unit ${number}`] }),
  '/api/v1/mcp/servers/:name': (number) => ({ extra_args: { url: `http://127.0.0.1:9/${number}` }, mode: 'http' }),
  '/api/v1/knowledge/bases/:knowledge_base_uuid/questions/:question_uuid': (number) => ({ question: `q${number}` }),
  '/api/v1/safety/sensitive-words': (number) => ({ words: [`word-${number}`] }),
  '/api/v1/provider/price-currency': (number) => ({ currency: 'EUR', usd_rate: number + 1 }),
  '/api/v1/pipelines/:pipeline_uuid/draft': (number) => ({ description: `draft ${number}` }),
  '/api/v1/pipelines/:pipeline_uuid/extensions': (number) => ({
    enable_all_plugins: false,
    bound_plugins: [{ author: 'a', name: `n${number}` }],
  }),
};
const changeOf = (url: string): Change => changes[url] ?? ((number) => ({ name: `record ${number}` }));

describe.each(engines)('tags of records on %s', (engine: Engine) => {
  const fake = createFakePlatform();
  let fresh: FreshDatabase | undefined;
  let service: TestService;
  let models: FakeOpenAi;
  let records: ExampleRecords;
  /** Every route where a record can be read and changed, as its template and the address of an example. */
  let routes: { url: string; path: string; change: Change }[];

  beforeAll(async () => {
    models = await startFakeOpenAi();
    if (engine === 'postgres') fresh = await migratedDatabase();
    service = await startTestService({
      ...(fresh && { databaseUrl: fresh.url }),
      extensions: { platforms: [fake.platform] },
    });
    await service.createApiKey();
    records = await createExampleRecords(service, models.base_url);
    const json = { name: 'w', url: 'http://127.0.0.1:9/hook', enabled: false };
    await service.request({ method: 'POST', url: '/api/v1/webhooks', bearer: service.account.token, json });
    const { inventory } = service.service;
    const read = new Set(inventory.filter(({ method }) => method === 'GET').map(({ url }) => url));
    routes = inventory
      .filter(({ method, url }) => ['PUT', 'PATCH'].includes(method) && read.has(url))
      .map(({ url }) => ({ url, path: pathOf(url, records), change: changeOf(url) }));
  }, 60_000);
  afterAll(async () => {
    await service.stop();
    await fresh?.drop();
    await models.close();
  });

  const read = async (path: string) => {
    const answer = await service.request({ url: path, bearer: service.account.token });
    expect([path, answer.status, answer.text]).toEqual([path, 200, expect.anything()]);
    return { ...answer, etag: answer.headers.etag ?? '' };
  };
  const put = (path: string, json: object, tags?: string) =>
    service.request({
      method: 'PUT',
      url: path,
      bearer: service.account.token,
      json,
      headers: tags === undefined ? {} : { 'if-match': tags },
    });
  const auditEntries = async () =>
    (await service.database.selectFrom('audit_entries').select('id').execute()).map(({ id }) => id);

  it('are sent by every route where a record can be changed, and checked by the change', {
    timeout: 60_000,
  }, async () => {
    expect(routes.length).toBeGreaterThan(10);
    for (const { url, path, change } of routes) {
      const first = await read(path);
      expect(first.etag, url).toMatch(/^"[0-9a-f]{32}"$/);
      // Now perhaps from memory.
      expect((await read(path)).etag, url).toBe(first.etag);

      const changed = await put(path, change(1), first.etag);
      expect([url, changed.status, changed.text]).toEqual([url, 200, expect.anything()]);
      const second = await read(path);
      expect(second.etag, url).not.toBe(first.etag);
      // The response to a change has a tag only where it shows the record.
      if (changed.headers.etag !== undefined) expect([url, changed.headers.etag]).toEqual([url, second.etag]);

      const entries = await auditEntries();
      const outdated = await put(path, change(2), first.etag);
      expect([url, outdated.status, outdated.body.reason]).toEqual([url, 412, 'record_changed']);
      expect((await read(path)).text, url).toBe(second.text);
      expect(await auditEntries(), url).toEqual(entries);
    }
  });

  it('are given in any form of HTTP, or not at all', { timeout: 60_000 }, async () => {
    for (const { url, path, change } of routes) {
      for (const form of [
        (tag: string) => tag,
        (tag: string) => ` "other", ,${tag} ,"a,b"`,
        () => '*',
        () => undefined,
        // As proxies return the tags of answers that they compress.
        (tag: string) => `W/${tag}`,
        (tag: string) => tag.replace(/"$/, '-gzip"'),
      ]) {
        const answer = await put(path, change(3), form((await read(path)).etag));
        expect([url, String(form), answer.status]).toEqual([url, String(form), 200]);
      }
      for (const malformed of ['', ',', 'a', '"', '"a" "b"', '"a""b"', '"a", b', '*, "a"', 'w/"a"', '"a b"']) {
        const answer = await put(path, change(4), malformed);
        expect([url, malformed, answer.status, answer.body.details]).toEqual([
          url,
          malformed,
          400,
          [{ path: 'if-match', message: expect.stringContaining('double quotes') }],
        ]);
      }
      const many = `"a"${', "a"'.repeat(3000)}`;
      expect((await put(path, change(5), many)).status, url).toBe(412);
    }
  });

  it('let one of several changes of the same state win', { timeout: 60_000 }, async () => {
    for (const { url, path, change } of routes) {
      const { etag } = await read(path);
      const numbers = [10, 11, 12, 13, 14, 15];
      const answers = await Promise.all(numbers.map((number) => put(path, change(number), etag)));
      const statuses = answers.map(({ status }) => status);
      expect([url, statuses.toSorted()]).toEqual([url, [200, 412, 412, 412, 412, 412]]);
      const won = await read(path);
      expect(won.etag, url).not.toBe(etag);
      // What the winner wrote stands: the same again makes no difference.
      expect((await put(path, change(numbers[statuses.indexOf(200)] as number))).status, url).toBe(200);
      expect((await read(path)).etag, url).toBe(won.etag);
    }
  });

  it('let one of several changes of a knowledge base win, and start no rebuild for the others', {
    timeout: 60_000,
  }, async () => {
    const json = { name: 'base', knowledge_engine_plugin_id: 'parley/built-in', creation_settings: {} };
    const bearer = service.account.token;
    const { body } = await service.request({ method: 'POST', url: '/api/v1/knowledge/bases', bearer, json });
    const path = `/api/v1/knowledge/bases/${body.data.uuid}`;
    const base = async () => (await read(path)).body.data.base;
    const settled = async () => (await base()).collections.every(({ state }: { state: string }) => state === 'active');
    const winners: string[] = [];
    for (let round = 0; round < 6; round += 1) {
      const { etag } = await read(path);
      const { creation_settings: before } = await base();
      const rename = { name: `renamed ${round}` };
      const rebuilds = [0, 1].map((index) => {
        const size = 400 + 10 * round + index;
        return { name: `base ${size}`, creation_settings: { chunk_size: size } };
      });
      // Those that start a rebuild take longer until they write.
      const sent: { name: string; creation_settings?: object }[] = round % 2 === 0 ? rebuilds : [rename, ...rebuilds];
      const answers = await Promise.all(sent.map((json) => put(path, json, etag)));
      const [winner, ...others] = sent.filter((_, index) => answers[index]?.status === 200);
      expect(others).toEqual([]);
      expect(answers.filter(({ status }) => ![200, 409, 412].includes(status))).toEqual([]);
      await expect.poll(settled, { timeout: 10_000 }).toBe(true);
      expect(await base()).toMatchObject({
        name: winner?.name,
        creation_settings: { ...before, ...winner?.creation_settings },
      });
      winners.push(winner?.name ?? '');
    }
    expect(winners).toContainEqual(expect.stringContaining('renamed'));
    const outdated = await put(path, { creation_settings: { chunk_size: 900 } }, `"${'0'.repeat(32)}"`);
    expect(outdated.status).toBe(412);
    expect((await base()).collections).toHaveLength(1);
  });

  it('stay while a bot connects and disconnects, and change with its secret', { timeout: 60_000 }, async () => {
    const bearer = service.account.token;
    const json = { name: 'b', adapter: 'fake', adapter_config: { token: 'secret-0123456789abc-wxyz' }, enable: true };
    const { body } = await service.request({ method: 'POST', url: '/api/v1/platform/bots', bearer, json });
    const path = `/api/v1/platform/bots/${body.data.uuid}`;
    const state = async () => (await read(path)).body.data.bot.adapter_runtime_values.state;
    await expect.poll(state).toBe('running');
    const { etag, text } = await read(path);
    const report = (of: 'connected' | 'reconnecting') =>
      fake
        .up()
        .find(({ context }) => context.bot_uuid === body.data.uuid)
        ?.context.reportConnection(
          of === 'connected' ? { state: of } : { state: of, reason: 'platform_failed', message: 'gone' },
        );
    report('reconnecting');
    await expect.poll(state).toBe('reconnecting');
    const disconnected = await read(path);
    expect(disconnected.text).not.toBe(text);
    expect(disconnected.etag).toBe(etag);
    report('connected');
    await expect.poll(state).toBe('running');
    expect((await read(path)).etag).toBe(etag);

    // The same mask stands for both secrets.
    const masked = (await read(path)).body.data.bot.adapter_config.token;
    const changed = await put(path, { adapter_config: { token: 'secret-9876543210cba-wxyz' } }, etag);
    expect(changed.status).toBe(200);
    const after = await read(path);
    expect(after.body.data.bot.adapter_config.token).toBe(masked);
    expect(after.etag).not.toBe(etag);
  });

  it('stay while an API key is used, and while another pipeline becomes the default', async () => {
    const { id, key } = await service.createApiKey(['admin']);
    const path = `/api/v1/apikeys/${id}`;
    const { etag } = await read(path);
    const used = await service.request({ url: path, apiKey: key });
    expect(used.body.data.key.last_used_at).not.toBeNull();
    expect(used.headers.etag).toBe(etag);

    const pipeline = `/api/v1/pipelines/${records.pipeline_uuid}`;
    const before = await read(pipeline);
    expect((await put(`${pipeline}/default`, {})).status).toBe(200);
    const after = await read(pipeline);
    expect(after.body.data.pipeline.is_default).toBe(true);
    expect(after.etag).toBe(before.etag);
  });

  it('are not looked for where there is no record', async () => {
    const path = '/api/v1/pipelines/00000000-0000-7000-8000-000000000000';
    for (const tags of ['*', '"a"']) expect((await put(path, { name: 'x' }, tags)).status).toBe(404);
  });
});
