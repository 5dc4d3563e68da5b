import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anyAddress } from '../../../test/factories/any-address.ts';
import { type AnyConfig, builtInSchema } from '../../../test/factories/pipeline-schema.ts';
import { insertModel } from '../../../test/stores/model-records.ts';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import { Patterns } from '../../kit/patterns.ts';
import { SecretBox } from '../../lib/secret-box.ts';
import { isUuid, newUuid } from '../../lib/uuid.ts';
import { KyselyPipelineStore } from '../../storage/pipelines/kysely-pipeline-store.ts';
import type { Storage } from '../../storage/storage.ts';
import { RecordCache } from '../records/record-cache.ts';
import { PipelineService, type PipelineServiceOptions } from './pipeline-service.ts';

describe('pipelines', () => {
  let storage: Storage;
  let service: PipelineService;
  const patterns = new Patterns();
  const serviceWith = (maximumPipelines: number, recordForRun?: PipelineServiceOptions['recordForRun']) =>
    new PipelineService(new KyselyPipelineStore(storage.database, storage.engine), new SecretBox(Buffer.alloc(32, 1)), {
      maximumPipelines,
      addresses: anyAddress,
      checkPattern: (pattern) => patterns.faultOf(pattern),
      schema: () => builtInSchema,
      ...(recordForRun && { recordForRun }),
    });
  beforeEach(async () => {
    storage = await openTestStorage('sqlite');
    service = serviceWith(-1);
  });
  afterEach(() => storage.close());

  const secret = 'app-0123456789abcdefghij';
  const dify = (fields: object) => ({
    ai: { runner: { runner: 'dify-service-api' }, 'dify-service-api': fields },
  });
  const withModel = (model: object) => ({ ai: { 'local-agent': { model } } });
  const runsWith = async (uuid: string) => (await service.configForRun(uuid))?.runner.settings?.['api-key'];
  const storedConfig = async (uuid: string) => (await service.get(uuid)).config as AnyConfig;
  const usedModels = async () => storage.database.selectFrom('pipeline_models').selectAll().execute();
  const configOf = async (uuid: string) => structuredClone(await storedConfig(uuid));
  const bodyOf = (config: AnyConfig) => ({ config });

  it('show their secrets masked, store them sealed and run with them in clear', async () => {
    const uuid = await service.create({ name: 'Support', config: dify({ 'api-key': secret }) });
    const config = await storedConfig(uuid.toUpperCase());
    expect(config.ai['dify-service-api']['api-key']).toBe('app…ghij');
    expect(await runsWith(uuid)).toBe(secret);
    expect(JSON.stringify(await storage.database.selectFrom('pipelines').selectAll().execute())).not.toContain(secret);
    expect(JSON.stringify(await service.list({ sortBy: 'created_at', descending: false }))).not.toContain('sealed');
  });

  it('are created with defaults', async () => {
    const uuid = await service.create(
      { name: 'Support', extensions_preferences: { mcp_servers: ['a'] } },
      { author: 'admin' },
    );
    expect(await service.get(uuid)).toMatchObject({
      uuid,
      description: '',
      emoji: '⚙️',
      for_version: 'v4.9.5',
      is_default: false,
      extensions_preferences: {
        enable_all_plugins: true,
        enable_all_mcp_servers: false,
        plugins: [],
        mcp_servers: ['a'],
        mcp_tool_users: {},
      },
    });
    expect((await service.get(await service.create({ name: 'Plain', emoji: null }))).emoji).toBeNull();
  });

  const lookAhead = '(?=a)b';
  const withPatterns = (ignored: string[], answered: string[] = []) => ({
    trigger: { 'ignore-rules': { regexp: ignored }, 'group-respond-rules': { regexp: answered } },
  });
  /** Has a pattern stored that cannot be used, as an older version might have. */
  const storePatterns = async (uuid: string, ignored: string[], answered: string[] = []) => {
    const config = await configOf(uuid);
    config.trigger['ignore-rules'].regexp = ignored;
    config.trigger['group-respond-rules'].regexp = answered;
    await storage.database
      .updateTable('pipelines')
      .set({ config: JSON.stringify(config) })
      .where('uuid', '=', uuid)
      .execute();
  };

  it('are refused with regular expressions that cannot be used, with the place of each', async () => {
    const config = withPatterns(['fine', lookAhead], ['(a)\\1', '(?P<who>\\w+)', '']);
    const refusal = {
      reason: 'invalid_request',
      details: [
        { path: 'config.trigger.group-respond-rules.regexp[0]', message: expect.stringContaining('\\1') },
        { path: 'config.trigger.ignore-rules.regexp[1]', message: expect.stringContaining('(?=') },
      ],
    };
    await expect(service.create({ name: 'Support', config })).rejects.toMatchObject(refusal);
    const uuid = await service.create({ name: 'Support' });
    await expect(service.update(uuid, { name: 'New', config })).rejects.toMatchObject(refusal);
    expect(await service.get(uuid)).toMatchObject({ name: 'Support' });
    await expect(service.update(newUuid(), { config })).rejects.toMatchObject({ reason: 'not_found' });
  });

  it('name the first faults of very many regular expressions', async () => {
    const config = withPatterns(Array.from({ length: 1000 }, (_, index) => `(${index}`));
    const refused = await service.create({ name: 'Support', config }).catch((error: unknown) => error);
    expect((refused as { details: unknown[] }).details).toHaveLength(20);
  });

  it('keep regular expressions that cannot be used where they are stored already, and take no other', async () => {
    const uuid = await service.create({ name: 'Support' });
    await storePatterns(uuid, [lookAhead, 'fine']);
    await service.update(uuid, bodyOf(await configOf(uuid)));
    // It may move, like one before it may be deleted.
    await service.update(uuid, { config: withPatterns(['fine', lookAhead]) });
    expect((await storedConfig(uuid)).trigger['ignore-rules'].regexp).toEqual(['fine', lookAhead]);
    await expect(service.update(uuid, { config: withPatterns([`${lookAhead}c`, lookAhead]) })).rejects.toMatchObject({
      details: [{ path: 'config.trigger.ignore-rules.regexp[0]' }],
    });
    // The other list does not have it.
    await expect(service.update(uuid, { config: withPatterns([], [lookAhead]) })).rejects.toMatchObject({
      details: [{ path: 'config.trigger.group-respond-rules.regexp[0]' }],
    });
    // Once it is gone, it does not come back.
    await service.update(uuid, { config: withPatterns([]) });
    await expect(service.update(uuid, { config: withPatterns([lookAhead]) })).rejects.toMatchObject({
      reason: 'invalid_request',
    });
  });

  it('are copied with regular expressions that cannot be used', async () => {
    const uuid = await service.create({ name: 'Support' });
    await storePatterns(uuid, [lookAhead]);
    const copy = await storedConfig(await service.copy(uuid));
    expect(copy.trigger['ignore-rules'].regexp).toEqual([lookAhead]);
  });

  it.each([newUuid(), '', 'no uuid'])('are not found under %j', async (uuid) => {
    await expect(service.get(uuid)).rejects.toMatchObject({ reason: 'not_found', message: 'pipeline not found' });
    expect(await service.configForRun(uuid)).toBeNull();
    for (const attempt of [
      () => service.update(uuid, { name: 'Renamed' }),
      () => service.delete(uuid),
      () => service.copy(uuid),
      () => service.makeDefault(uuid),
      () => service.extensions(uuid),
      () => service.bindExtensions(uuid, {}),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ reason: 'not_found', message: 'pipeline not found' });
    }
  });

  it('whose secrets were sealed for another record do not run', async () => {
    const config = { ai: { 'coze-api': { 'api-key': 'a secret of the first one' } } };
    const [first, second] = [
      await service.create({ name: 'First', config }),
      await service.create({ name: 'Second', config }),
    ];
    const rows = storage.database.selectFrom('pipelines').select('sealed_secrets');
    const sealed = await rows.where('uuid', '=', first).executeTakeFirstOrThrow();
    await storage.database.updateTable('pipelines').set(sealed).where('uuid', '=', second).execute();
    await expect(service.configForRun(second)).rejects.toThrow();
  });

  describe('that are changed', () => {
    it('retain omitted fields', async () => {
      const request = { name: 'Support', description: 'Old', config: dify({ 'api-key': secret }) };
      const uuid = await service.create(
        { ...request, extensions_preferences: { mcp_servers: ['a'] } },
        { author: 'admin' },
      );
      const before = await service.get(uuid);
      await service.update(uuid.toUpperCase(), { name: 'Renamed', emoji: null });
      const after = await service.get(uuid);
      expect(after).toEqual({ ...before, name: 'Renamed', emoji: null, version: 2, updated_at: after.updated_at });
      expect(after.updated_at >= before.updated_at).toBe(true);
      expect(await runsWith(uuid)).toBe(secret);
      await service.update(uuid, { extensions_preferences: { enable_all_plugins: false } });
      expect((await service.get(uuid)).extensions_preferences).toEqual({
        enable_all_plugins: false,
        enable_all_mcp_servers: false,
        plugins: [],
        mcp_servers: [],
        mcp_tool_users: {},
      });
    });

    it('get their configuration replaced completely', async () => {
      const uuid = await service.create({
        name: 'Support',
        config: { ...dify({ 'app-type': 'agent' }), output: { misc: { 'failure-hint': 'Sorry.' } } },
      });
      await service.update(uuid, { config: dify({ 'base-prompt': 'Look.' }) });
      const config = await configOf(uuid);
      expect(config.ai['dify-service-api']).toMatchObject({ 'base-prompt': 'Look.', 'app-type': 'chat' });
      expect(config.output.misc['failure-hint']).toBe('Request failed.');
    });

    it('retain a masked secret while its address has the same origin', async () => {
      const uuid = await service.create({
        name: 'Support',
        config: dify({ 'api-key': secret, 'base-url': 'https://dify.example.com/v1' }),
      });
      const config = await configOf(uuid);
      config.ai['dify-service-api']['base-url'] = 'https://dify.example.com/v2';
      await service.update(uuid, bodyOf(config));
      expect(await runsWith(uuid)).toBe(secret);
      config.ai['dify-service-api']['base-url'] = 'https://elsewhere.example.com/v2';
      await expect(service.update(uuid, { name: 'No', ...bodyOf(config) })).rejects.toMatchObject({
        reason: 'secret_required',
        details: [{ path: 'config.ai.dify-service-api.api-key' }],
      });
      expect(await service.get(uuid)).toMatchObject({
        name: 'Support',
        config: { ai: { 'dify-service-api': { 'base-url': 'https://dify.example.com/v2' } } },
      });
      expect(await runsWith(uuid)).toBe(secret);
      config.ai['dify-service-api']['api-key'] = 'app-of-the-other-service';
      await service.update(uuid, bodyOf(config));
      expect(await runsWith(uuid)).toBe('app-of-the-other-service');
      config.ai['dify-service-api']['api-key'] = '';
      await service.update(uuid, bodyOf(config));
      expect(await runsWith(uuid)).toBe('');
      const rows = await storage.database.selectFrom('pipelines').select('sealed_secrets').execute();
      expect(rows).toEqual([{ sealed_secrets: null }]);
    });

    it('are read once for all messages, until one of them changes, and cannot be changed by an extension', async () => {
      const cache = new RecordCache();
      cache.see(1);
      const store = new KyselyPipelineStore(storage.database, storage.engine);
      service = serviceWith(
        -1,
        cache.reader((uuid) => store.storedByUuid(uuid)),
      );
      const uuid = await service.create({ name: 'Support', config: dify({ 'api-key': 'app-0123456789' }) });
      const first = await service.configForRun(uuid);
      expect(await service.configForRun(uuid)).toBe(first);
      expect(() => Object.assign(first?.runner.settings ?? {}, { 'api-key': 'changed' })).toThrow(TypeError);
      await service.update(uuid, { config: dify({ 'api-key': 'app-9876543210' }) });
      expect(await service.configForRun(uuid)).toBe(first);
      cache.see(2);
      expect((await service.configForRun(uuid))?.runner.settings?.['api-key']).toBe('app-9876543210');
    });

    it('have the secrets of their configuration after concurrent writes', async () => {
      const uuid = await service.create({ name: 'Support' });
      const writes = Array.from({ length: 20 }, (_, index) =>
        service.update(uuid, {
          config: dify({ 'api-key': `app-0123456789-${index}`, 'base-url': `https://${index}.example.com` }),
        }),
      );
      const renames = Array.from({ length: 5 }, (_, index) => service.update(uuid, { name: `Name ${index}` }));
      await Promise.all([...writes, ...renames]);
      const config = await service.configForRun(uuid);
      const { 'api-key': key, 'base-url': address } = config?.runner.settings ?? {};
      expect(address).toBe(`https://${String(key).replace('app-0123456789-', '')}.example.com`);
      expect((await service.get(uuid)).name).toMatch(/^Name \d$/);
    });
  });

  describe('that name models', () => {
    it('are made and changed with those that exist', async () => {
      const [first, second, third] = [
        await insertModel(storage.database),
        await insertModel(storage.database),
        await insertModel(storage.database),
      ];
      const uuid = await service.create({
        name: 'Support',
        config: withModel({ primary: ` ${first.toUpperCase()} `, fallbacks: [second, '', first] }),
      });
      const models = async () => (await usedModels()).map(({ model_uuid }) => model_uuid).sort();
      expect(await models()).toEqual([first, second].sort());
      await service.update(uuid, { name: 'Renamed' });
      expect(await models()).toEqual([first, second].sort());
      await service.update(uuid, { config: withModel({ primary: '', fallbacks: [third] }) });
      expect(await models()).toEqual([third]);
      await service.update(uuid, { config: {} });
      expect(await models()).toEqual([]);
    });

    it('are refused with any that does not, and then nothing is written', async () => {
      const known = await insertModel(storage.database);
      const embedding = await insertModel(storage.database, 'text-embedding');
      const uuid = await service.create({ name: 'Support', config: withModel({ primary: known }) });
      const before = await service.get(uuid);
      const config = withModel({ primary: newUuid(), fallbacks: [known, embedding, "' or 1=1 --", '\0'] });
      const place = 'config.ai.local-agent.model';
      const refusal = {
        reason: 'invalid_request',
        details: [`${place}.primary`, ...[1, 2, 3].map((index) => `${place}.fallbacks[${index}]`)].map((path) => ({
          path,
          message: 'there is no such language model',
        })),
      };
      await expect(service.create({ name: 'Other', config })).rejects.toMatchObject(refusal);
      await expect(service.update(uuid, { name: 'No', config })).rejects.toMatchObject(refusal);
      expect(await service.list({ sortBy: 'created_at', descending: false })).toEqual([before]);
      expect(await usedModels()).toEqual([{ pipeline_uuid: uuid, model_uuid: known }]);
    });

    it('adopt a model when they are the default and only have a placeholder', async () => {
      const modelOf = async (uuid: string) => (await storedConfig(uuid)).ai['local-agent'].model.primary;
      const demo = await insertModel(storage.database);
      const real = await insertModel(storage.database);
      await service.adoptModel(demo, async () => true);
      const uuid = await service.create({ name: 'Default', config: dify({ 'api-key': secret }) }, { isDefault: true });
      const other = await service.create({ name: 'Other' });
      await service.adoptModel(demo, async () => false);
      expect(await modelOf(uuid)).toBe(demo);
      await service.adoptModel(real, async (current) => current === demo);
      expect(await modelOf(uuid)).toBe(real);
      await service.adoptModel(demo, async (current) => current === demo);
      expect(await modelOf(uuid)).toBe(real);
      expect(await modelOf(other)).toBe('');
      expect(await usedModels()).toEqual([{ pipeline_uuid: uuid, model_uuid: real }]);
      expect(await runsWith(uuid)).toBe(secret);
    });

    it('retain a model that was set while one was about to be adopted, and never adopt a deleted one', async () => {
      const [chosen, late] = [await insertModel(storage.database), await insertModel(storage.database)];
      const uuid = await service.create({ name: 'Default' }, { isDefault: true });
      await service.adoptModel(newUuid(), async () => true);
      expect((await configOf(uuid)).ai['local-agent'].model.primary).toBe('');
      await service.update(uuid, { config: withModel({ primary: late }) });
      await service.adoptModel(late, async () => {
        await service.update(uuid, { config: withModel({ primary: chosen }) });
        return true;
      });
      expect((await configOf(uuid)).ai['local-agent'].model.primary).toBe(chosen);
    });
  });

  describe('that are copied', () => {
    it('have all but the name in common, and a secret of their own', async () => {
      const model = await insertModel(storage.database);
      const source = await service.create(
        {
          name: 'Support',
          description: 'Answers',
          emoji: '🤖',
          config: { ai: { ...dify({ 'api-key': secret }).ai, ...withModel({ primary: model }).ai } },
          extensions_preferences: { enable_all_plugins: false, plugins: [{ author: 'a', name: 'n' }] },
        },
        { isDefault: true },
      );
      const copy = await service.copy(source.toUpperCase());
      const { uuid, name, is_default, created_at, updated_at, ...rest } = await service.get(copy);
      expect({ uuid, name, is_default }).toEqual({ uuid: copy, name: 'Support (Copy)', is_default: false });
      expect(isUuid(copy) && copy !== source && created_at === updated_at).toBe(true);
      expect(await service.get(source)).toMatchObject(rest);
      expect(await runsWith(copy)).toBe(secret);
      expect(await usedModels()).toContainEqual({ pipeline_uuid: copy, model_uuid: model });
      await service.update(source, { config: {} });
      expect(await runsWith(copy)).toBe(secret);
    });

    it('have a name that fits, and can be renamed to themselves', async () => {
      const source = await service.create({ name: '🤖'.repeat(255) });
      const { name } = await service.get(await service.copy(source));
      expect(name).toBe(`${'🤖'.repeat(248)} (Copy)`);
    });

    it('may name a model that was gone before models could not go', async () => {
      const source = await service.create({ name: 'Old' });
      const config = await configOf(source);
      config.ai['local-agent'].model.primary = newUuid();
      await storage.database
        .updateTable('pipelines')
        .set({ config: JSON.stringify(config) })
        .execute();
      const copy = await service.copy(source);
      expect(await configOf(copy)).toEqual(config);
      expect(await usedModels()).toEqual([]);
      await service.update(copy, { name: 'Still changeable' });
    });
  });

  describe('that are deleted', () => {
    it('are gone, and no longer use their models', async () => {
      const model = await insertModel(storage.database);
      const uuid = await service.create({ name: 'Support', config: withModel({ primary: model }) });
      await service.delete(uuid.toUpperCase());
      expect(await service.list({ sortBy: 'created_at', descending: false })).toEqual([]);
      expect(await usedModels()).toEqual([]);
      await expect(service.delete(uuid)).rejects.toMatchObject({ reason: 'not_found' });
    });

    it('are not the default, until another is', async () => {
      const first = await service.create({ name: 'First' }, { isDefault: true });
      const second = await service.create({ name: 'Second' });
      await expect(service.delete(first)).rejects.toMatchObject({ reason: 'default_pipeline' });
      await service.makeDefault(second.toUpperCase());
      expect((await service.get(second)).is_default).toBe(true);
      await service.delete(first);
      await expect(service.delete(second)).rejects.toMatchObject({ reason: 'default_pipeline' });
    });
  });

  it('show the extensions that they are bound to, and lose omitted ones', async () => {
    const uuid = await service.create({ name: 'Support' });
    const none = {
      enable_all_plugins: true,
      enable_all_mcp_servers: false,
      bound_plugins: [],
      available_plugins: [],
      bound_mcp_servers: [],
      available_mcp_servers: [],
      mcp_tool_users: {},
    };
    expect((await service.extensions(uuid)).record).toEqual(none);
    const bound = {
      enable_all_plugins: false,
      enable_all_mcp_servers: false,
      bound_plugins: [{ author: 'a', name: 'n' }],
      bound_mcp_servers: ['server'],
    };
    await service.bindExtensions(uuid, bound, 'admin');
    expect((await service.extensions(uuid)).record).toEqual({ ...none, ...bound });
    await service.bindExtensions(uuid, { enable_all_plugins: false });
    expect((await service.extensions(uuid)).record).toEqual({ ...none, enable_all_plugins: false });
  });

  it('are as many as there may be, the first one apart', async () => {
    service = serviceWith(2);
    const refusal = { reason: 'limit_reached', message: 'Maximum number of pipelines (2) reached' };
    const made = await Promise.allSettled(Array.from({ length: 6 }, () => service.create({ name: 'Support' })));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    const [first] = await service.list({ sortBy: 'created_at', descending: false });
    await expect(service.create({ name: 'More' })).rejects.toMatchObject(refusal);
    await expect(service.copy(first?.uuid ?? '')).rejects.toMatchObject(refusal);
    await service.update(first?.uuid ?? '', { name: 'Renamed' });
    await service.delete(first?.uuid ?? '');
    await service.create({ name: 'Instead' });
    const none = serviceWith(0);
    await none.create({ name: 'First' }, { isDefault: true });
    await expect(none.create({ name: 'More' })).rejects.toMatchObject({ reason: 'limit_reached' });
  });
});
