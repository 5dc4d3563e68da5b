import { ParleyError } from '@parley/sdk';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import { SecretBox } from '../../lib/secret-box.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyPipelineStore } from '../../storage/pipelines/kysely-pipeline-store.ts';
import type { Storage } from '../../storage/storage.ts';
import { completeConfig, PipelineService } from './pipeline-service.ts';

function faultsOf(partial: Record<string, unknown>): { path: string; message: string }[] {
  try {
    completeConfig(partial);
  } catch (error) {
    if (error instanceof ParleyError && error.reason === 'invalid_request') return error.details ?? [];
    throw error;
  }
  return [];
}

describe('a configuration', () => {
  it('has every default, in which the names of the reference system stand', () => {
    const config = completeConfig({});
    expect(config).toMatchObject({
      trigger: { 'group-respond-rules': { at: true, prefix: ['ai'], regexp: [], random: 0 } },
      safety: { 'rate-limit': { 'window-length': 60, limitation: 60, strategy: 'drop' } },
      ai: {
        runner: { runner: 'local-agent' },
        'local-agent': {
          model: { primary: '', fallbacks: [] },
          'max-round': 10,
          prompt: [{ role: 'system', content: 'You are a helpful assistant.' }],
        },
      },
      output: { misc: { 'exception-handling': 'show-hint', 'failure-hint': 'Request failed.' } },
    });
    expect(completeConfig(structuredClone(config) as unknown as Record<string, unknown>)).toEqual(config);
  });

  it('is laid over the defaults; lists replace lists', () => {
    const config = completeConfig({
      trigger: { 'group-respond-rules': { prefix: [] } },
      output: { misc: { 'failure-hint': 'Sorry.' } },
    });
    expect(config.trigger['group-respond-rules']).toEqual({ at: true, prefix: [], regexp: [], random: 0 });
    expect(config.output.misc).toMatchObject({ 'failure-hint': 'Sorry.', 'exception-handling': 'show-hint' });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['an unknown tab', { more: {} }, 'config'],
    ['an unknown group', { ai: { more: {} } }, 'config.ai'],
    ['an unknown field', { output: { misc: { more: 1 } } }, 'config.output.misc'],
    ['a text for a number', { ai: { 'local-agent': { 'max-round': '10' } } }, 'config.ai.local-agent.max-round'],
    ['a number out of range', { ai: { 'local-agent': { 'max-round': 0 } } }, 'config.ai.local-agent.max-round'],
    ['an unknown choice', { output: { misc: { 'exception-handling': 'x' } } }, 'config.output.misc.exception-handling'],
    ['null for a tab', { ai: null }, 'config.ai'],
    ['a list for a group', { output: { misc: [] } }, 'config.output.misc'],
    ['a prototype', JSON.parse('{"ai": {"__proto__": {"runner": 1}}}'), 'config.ai'],
  ])('with %s is refused with its place', (_, partial, path) => {
    expect(faultsOf(partial)[0]?.path).toBe(path);
  });

  it('that is anything at all is complete or refused', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('ai', 'trigger', 'safety', 'output', 'x'), fc.jsonValue()),
        (partial) => {
          for (const fault of faultsOf(partial)) expect(fault.path).toMatch(/^config/);
        },
      ),
    );
  });
});

describe('pipelines', () => {
  let storage: Storage;
  let service: PipelineService;
  beforeEach(async () => {
    storage = await openTestStorage('sqlite');
    service = new PipelineService(new KyselyPipelineStore(storage.database), new SecretBox(Buffer.alloc(32, 1)));
  });
  afterEach(() => storage.close());

  it('show their secrets masked, store them sealed and run with them in clear', async () => {
    const secret = 'app-0123456789abcdefghij';
    const uuid = await service.create({
      name: 'Support',
      config: { ai: { 'dify-service-api': { 'api-key': secret } } },
    });
    const { config } = await service.get(uuid.toUpperCase());
    expect(config.ai['dify-service-api']['api-key']).toBe('app…ghij');
    expect((await service.configForRun(uuid))?.ai['dify-service-api']['api-key']).toBe(secret);
    expect(JSON.stringify(await storage.database.selectFrom('pipelines').selectAll().execute())).not.toContain(secret);
    expect(JSON.stringify(await service.list({ sortBy: 'created_at', descending: false }))).not.toContain('sealed');
  });

  it('are made with what is left out filled in', async () => {
    const uuid = await service.create({ name: 'Support', extensions_preferences: { mcp_servers: ['a'] } });
    expect(await service.get(uuid)).toMatchObject({
      uuid,
      description: '',
      emoji: '⚙️',
      for_version: 'v4.9.5',
      is_default: false,
      extensions_preferences: {
        enable_all_plugins: true,
        enable_all_mcp_servers: true,
        plugins: [],
        mcp_servers: ['a'],
      },
    });
    expect((await service.get(await service.create({ name: 'Plain', emoji: null }))).emoji).toBeNull();
  });

  it.each([newUuid(), '', 'no uuid'])('are not found under %j', async (uuid) => {
    await expect(service.get(uuid)).rejects.toMatchObject({ reason: 'not_found', message: 'pipeline not found' });
    expect(await service.configForRun(uuid)).toBeNull();
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

  it('take up a model when they are the default and have none but a placeholder', async () => {
    const modelOf = async (uuid: string) => (await service.get(uuid)).config.ai['local-agent'].model.primary;
    await service.adoptModel('early', async () => true);
    const uuid = await service.create({ name: 'Default' }, { isDefault: true });
    const other = await service.create({ name: 'Other' });
    await service.adoptModel('demo', async () => false);
    expect(await modelOf(uuid)).toBe('demo');
    await service.adoptModel('real', async (current) => current === 'demo');
    expect(await modelOf(uuid)).toBe('real');
    await service.adoptModel('another', async (current) => current === 'demo');
    expect(await modelOf(uuid)).toBe('real');
    expect(await modelOf(other)).toBe('');
  });
});
