import { expect, it } from 'vitest';
import { pipelineServiceOptions } from '../../../test/factories/pipeline-schema.ts';
import { pluginManifest } from '../../../test/factories/plugin-package.ts';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import type { StoredMcpServer } from '../../core/mcp/mcp-server.ts';
import { PipelineChanger } from '../../core/pipelines/pipeline-changer.ts';
import { PipelineService } from '../../core/pipelines/pipeline-service.ts';
import { PipelineVersions } from '../../core/pipelines/pipeline-versions.ts';
import { noGrants, type PluginVersion, type StoredPlugin } from '../../core/plugins/plugin.ts';
import { SecretBox } from '../../lib/secret-box.ts';
import { KyselyMcpServerStore } from '../mcp/kysely-mcp-server-store.ts';
import { KyselyPipelineStore } from '../pipelines/kysely-pipeline-store.ts';
import { KyselyPluginStore } from './kysely-plugin-store.ts';

const timestamp = '2026-01-01T00:00:00.000Z';
const later = '2030-01-01T00:00:00.000Z';

const version = (over: Partial<PluginVersion> = {}): PluginVersion => ({
  manifest: pluginManifest(),
  digest: 'd'.repeat(64),
  size: 1000,
  signer: null,
  source: 'github',
  install_info: { asset_url: 'https://example.com/単位.zip' },
  installed_at: timestamp,
  consent: { permissions: [{ kind: 'storage', value: '', text: 'Stores.' }], at: timestamp, by: 'Jürgen' },
  ...over,
});

const plugin = (over: Partial<StoredPlugin> = {}): Omit<StoredPlugin, 'position'> => ({
  id: 'example/units',
  installed: version(),
  waiting: null,
  previous: null,
  signer: 'f'.repeat(64),
  enabled: true,
  settings: { system: 'metric', key: 'sk…yz' },
  sealed_secrets: 'sealed',
  admin_addresses: ['http://127.0.0.1:1'],
  grants: { send: [{ bot_uuid: 'b', targets: null }], models: ['m'], knowledge: [] },
  on_failure: 'stop',
  created_at: timestamp,
  updated_at: timestamp,
  ...over,
});

const base = {
  uuid: 'b',
  name: 'base',
  description: '',
  emoji: null,
  collection_id: 'c',
  retrieval_settings: '{}',
  sealed_secrets: null,
  knowledge_engine_plugin_id: 'example/units',
  created_at: timestamp,
  updated_at: timestamp,
};

const mcpServer: StoredMcpServer = {
  uuid: 's1',
  name: 'Server',
  enable: true,
  mode: 'http',
  extra_args: { url: 'https://example.com/mcp' },
  sealed_secrets: null,
  known_tools: [],
  confirmed_tools: {},
  created_at: timestamp,
  updated_at: timestamp,
};

describeOnEachEngine('the store of plugins', (storage) => {
  const store = () => new KyselyPluginStore(storage().database, storage().engine);
  const save = (over: Partial<StoredPlugin> = {}) => {
    const made = plugin(over);
    return store().save(made.id, () => made);
  };
  const ids = async () => (await store().list()).map(({ id }) => id);

  it('returns a plugin as it was stored', async () => {
    const waiting = version({ consent: null, digest: 'e'.repeat(64), source: 'local', install_info: {} });
    const made = await save({ waiting, previous: version({ signer: 'f'.repeat(64) }) });
    expect(await store().list()).toEqual([{ ...plugin(), waiting, previous: made?.previous, position: 1 }]);
    const bare = { installed: null, signer: null, enabled: false, sealed_secrets: null, admin_addresses: null };
    await save({ id: 'a/b', ...bare });
    expect((await store().list())[1]).toEqual({ ...plugin(), id: 'a/b', ...bare, position: 2 });
  });

  it('changes what is stored, and nothing if the change throws', async () => {
    await save();
    const changed = await store().save('example/units', (stored) => ({ ...plugin(), ...stored, enabled: false }));
    expect(changed).toMatchObject({ enabled: false, position: 1 });
    const failing = store().save('example/units', () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await store().list()).toEqual([changed]);
  });

  it('installs no more than there may be, MCP servers included', async () => {
    const { database, engine } = storage();
    const servers = new KyselyMcpServerStore(database, engine);
    const install = (id: string, maximum: number) => store().save(id, () => plugin({ id }), maximum);
    expect(await servers.create(mcpServer, 1)).toBeNull();
    expect(await install('a/1', 1)).toBeNull();
    expect(await install('a/1', 2)).toMatchObject({ id: 'a/1' });
    expect(await store().countExtensions()).toBe(2);
    expect(await servers.create({ ...mcpServer, uuid: 's2', name: 'Another' }, 2)).toEqual({ reason: 'limit_reached' });
    // What is installed can still be changed, and what was uninstalled makes room.
    expect(await install('a/1', 1)).toMatchObject({ id: 'a/1' });
    await store().uninstall('a/1', [], later);
    expect(await install('a/2', 2)).toMatchObject({ id: 'a/2' });
  });

  it('knows which records of grants there are', async () => {
    const { database } = storage();
    const none = { send: [], models: [], knowledge: [] };
    expect(await store().unknownIn(none)).toEqual([]);
    const send = ['b', 'c'].map((bot_uuid) => ({ bot_uuid, targets: null }));
    expect(await store().unknownIn({ send, models: ['m'], knowledge: ['k', 'l'] })).toEqual([
      'send[0].bot_uuid',
      'send[1].bot_uuid',
      'models[0]',
      'knowledge[0]',
      'knowledge[1]',
    ]);
    await database
      .insertInto('knowledge_bases')
      .values({ ...base, uuid: 'l' })
      .execute();
    expect(await store().unknownIn({ ...none, knowledge: ['l', 'k', 'l'] })).toEqual(['knowledge[1]']);
  });

  it('gives each plugin a place of its own, also when many come at once', async () => {
    await Promise.all(['a/1', 'a/2', 'a/3', 'a/4'].map((id) => save({ id })));
    expect((await store().list()).map(({ position }) => position)).toEqual([1, 2, 3, 4]);
  });

  it('sets the order of the installed plugins', async () => {
    for (const id of ['a/1', 'a/2', 'a/3']) await save({ id });
    await save({ id: 'a/0', installed: null });
    expect(await store().reorder(['a/3', 'a/1', 'a/2'])).toBe(true);
    expect(await ids()).toEqual(['a/3', 'a/1', 'a/2', 'a/0']);
    for (const order of [['a/3', 'a/1'], ['a/3', 'a/1', 'a/2', 'a/0'], ['a/3', 'a/1', 'b/2'], []]) {
      expect(await store().reorder(order)).toBe(false);
    }
    expect(await ids()).toEqual(['a/3', 'a/1', 'a/2', 'a/0']);
  });

  it('keeps the settings of an uninstalled plugin until it is removed', async () => {
    await save({ waiting: version(), previous: version() });
    await store().remove('example/units');
    expect(await ids()).toEqual(['example/units']);
    expect(await store().uninstall('example/units', [], later)).toEqual([]);
    const none = { installed: null, waiting: null, previous: null, enabled: false, grants: noGrants };
    expect(await store().list()).toEqual([{ ...plugin(), ...none, position: 1, updated_at: later }]);
    await store().remove('example/units');
    expect(await ids()).toEqual([]);
  });

  it('does not uninstall a plugin that pipelines or knowledge bases use', async () => {
    const { database, engine } = storage();
    await save();
    const pipelineStore = new KyselyPipelineStore(database, engine);
    const secrets = new SecretBox(Buffer.alloc(32));
    const pipelines = new PipelineService(pipelineStore, secrets, pipelineServiceOptions());
    const versions = new PipelineVersions(pipelineStore, new PipelineChanger(secrets, pipelineServiceOptions()));
    const bound = await pipelines.create({
      name: 'bound',
      extensions_preferences: { plugins: [{ author: 'example', name: 'units' }] },
    });
    await pipelines.create({
      name: 'another',
      extensions_preferences: { plugins: [{ author: 'example', name: 'unit' }] },
    });
    await database.insertInto('knowledge_bases').values(base).execute();
    const drafting = await pipelines.create({ name: 'a draft' });
    const extensions_preferences = { plugins: [{ author: 'example', name: 'units' }] };
    for (const uuid of [drafting, bound]) await versions.saveDraft(uuid, { extensions_preferences });
    const used = [
      { kind: 'knowledge-bases', uuid: 'b', name: 'base' },
      { kind: 'pipelines', uuid: drafting, name: 'a draft' },
      { kind: 'pipelines', uuid: bound, name: 'bound' },
    ];
    expect(await store().uninstall('example/units', [], later)).toEqual(used);
    expect((await store().list())[0]?.installed).not.toBeNull();
    await database.deleteFrom('knowledge_bases').execute();
    await pipelines.delete(bound);
    await versions.discardDraft(drafting);
    await pipelines.delete(drafting);
    // A runner of the plugin.
    const running = await store().uninstall('example/units', ['local-agent'], later);
    expect(running).toMatchObject([{ kind: 'pipelines', name: 'another' }]);
    expect(await store().uninstall('example/units', ['units'], later)).toEqual([]);
  });
});
