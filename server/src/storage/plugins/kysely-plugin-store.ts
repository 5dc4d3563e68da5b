import { type Selectable, sql, type Transaction } from 'kysely';
import type { PluginGrants } from '../../core/plugins/active-plugin.ts';
import { isInstalled, noGrants, type PluginVersion, type StoredPlugin } from '../../core/plugins/plugin.ts';
import type { PluginStore, PluginUser } from '../../core/plugins/plugin-store.ts';
import { listColumn, toList } from '../admin-addresses.ts';
import { advisoryLocks } from '../advisory-locks.ts';
import { countExtensions } from '../count-extensions.ts';
import type { Database, Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import { columnsOf } from '../table-columns.ts';

type PluginRow = Selectable<Tables['plugins']>;

export class KyselyPluginStore implements PluginStore {
  readonly #database: Database;
  readonly #engine: Engine;

  constructor(database: Database, engine: Engine) {
    this.#database = database;
    this.#engine = engine;
  }

  async list(): Promise<StoredPlugin[]> {
    return (await rowsOf(this.#database)).map(toPlugin);
  }

  save(
    id: string,
    change: (stored: StoredPlugin | null) => Omit<StoredPlugin, 'position'>,
    maximum = -1,
  ): Promise<StoredPlugin | null> {
    return this.#database.transaction().execute(async (transaction) => {
      await this.#lockAll(transaction);
      const rows = await rowsOf(transaction);
      const row = rows.find((one) => one.id === id);
      const position = row?.position ?? (rows.at(-1)?.position ?? 0) + 1;
      const stored = row === undefined ? null : toPlugin(row);
      const plugin = { ...change(stored), id, position };
      const isNew = plugin.installed !== null && (stored === null || !isInstalled(stored));
      if (isNew && maximum >= 0 && (await countExtensions(transaction)) >= maximum) return null;
      if (row === undefined) await transaction.insertInto('plugins').values(toRow(plugin)).execute();
      else await transaction.updateTable('plugins').set(toRow(plugin)).where('id', '=', id).execute();
      return plugin;
    });
  }

  reorder(ids: readonly string[]): Promise<boolean> {
    return this.#database.transaction().execute(async (transaction) => {
      await this.#lockAll(transaction);
      const known = (await rowsOf(transaction)).map(toPlugin);
      const installed = known.filter(isInstalled).map(({ id }) => id);
      if (ids.length !== installed.length || !installed.every((id) => ids.includes(id))) return false;
      // Those that were uninstalled keep their settings, and come last.
      const others = known.map(({ id }) => id).filter((id) => !installed.includes(id));
      for (const [index, id] of [...ids, ...others].entries()) {
        await transaction
          .updateTable('plugins')
          .set({ position: index + 1 })
          .where('id', '=', id)
          .execute();
      }
      return true;
    });
  }

  uninstall(id: string, runners: readonly string[], now: string): Promise<PluginUser[]> {
    return this.#database.transaction().execute(async (transaction) => {
      await this.#lockAll(transaction);
      const users = [...(await basesWith(transaction, id)), ...(await pipelinesWith(transaction, id, runners))];
      if (users.length > 0) return users;
      const none = { installed: null, waiting: null, previous: null };
      const left = { enabled: 0, grants: JSON.stringify(noGrants), updated_at: now };
      await transaction
        .updateTable('plugins')
        .set({ ...none, ...left })
        .where('id', '=', id)
        .execute();
      return [];
    });
  }

  countExtensions(): Promise<number> {
    return countExtensions(this.#database);
  }

  async unknownIn({ send, models, knowledge }: PluginGrants): Promise<string[]> {
    const known = async (table: 'bots' | 'models' | 'knowledge_bases', uuids: readonly string[]) => {
      if (uuids.length === 0) return new Set<string>();
      const rows = await this.#database.selectFrom(table).select('uuid').where('uuid', 'in', uuids).execute();
      return new Set(rows.map(({ uuid }) => uuid));
    };
    const bots = await known('bots', [...new Set(send.map(({ bot_uuid }) => bot_uuid))]);
    const knownModels = await known('models', models);
    const bases = await known('knowledge_bases', knowledge);
    return [
      ...send.flatMap(({ bot_uuid }, index) => (bots.has(bot_uuid) ? [] : [`send[${index}].bot_uuid`])),
      ...models.flatMap((uuid, index) => (knownModels.has(uuid) ? [] : [`models[${index}]`])),
      ...knowledge.flatMap((uuid, index) => (bases.has(uuid) ? [] : [`knowledge[${index}]`])),
    ];
  }

  async remove(id: string): Promise<void> {
    await this.#database.deleteFrom('plugins').where('id', '=', id).where('installed', 'is', null).execute();
  }

  /** Serializes read-then-write transactions on all plugins. SQLite has one writer at a time anyway. */
  async #lockAll(transaction: Transaction<Tables>): Promise<void> {
    if (this.#engine !== 'postgres') return;
    await sql`select pg_advisory_xact_lock(${advisoryLocks.plugins})`.execute(transaction);
  }
}

function rowsOf(database: Pick<Database, 'selectFrom'>): Promise<PluginRow[]> {
  return database.selectFrom('plugins').select(columnsOf('plugins')).orderBy('position').orderBy('id').execute();
}

/** Knowledge bases with the engine of a plugin, or with documents that its parser was chosen for. */
async function basesWith(transaction: Transaction<Tables>, id: string): Promise<PluginUser[]> {
  const bases = await transaction
    .selectFrom('knowledge_bases')
    .select(['uuid', 'name'])
    .where(({ or, eb, selectFrom }) =>
      or([
        eb('knowledge_engine_plugin_id', '=', id),
        eb(
          'uuid',
          'in',
          selectFrom('knowledge_documents').select('knowledge_base_uuid').where('parser_plugin_id', '=', id),
        ),
      ]),
    )
    .orderBy('name')
    .execute();
  return bases.map((base) => ({ kind: 'knowledge-bases', ...base }));
}

/** Pipelines with a runner of a plugin, or that name it, as they are published or in draft. */
async function pipelinesWith(
  transaction: Transaction<Tables>,
  id: string,
  runners: readonly string[],
): Promise<PluginUser[]> {
  const pipelines = await transaction
    .selectFrom('pipelines')
    .select(['uuid', 'name', 'config', 'extensions_preferences'])
    .execute();
  const drafts = await transaction
    .selectFrom('pipeline_drafts')
    .innerJoin('pipelines', 'pipelines.uuid', 'pipeline_drafts.pipeline_uuid')
    .select(['pipelines.uuid', 'pipelines.name', 'pipeline_drafts.config', 'pipeline_drafts.extensions_preferences'])
    .execute();
  const users = [...pipelines, ...drafts]
    .filter(({ config, extensions_preferences }) => {
      const { ai } = JSON.parse(config) as { ai?: { runner?: { runner?: string } } };
      const { plugins = [] } = JSON.parse(extensions_preferences) as { plugins?: { author: string; name: string }[] };
      const isBound = plugins.some(({ author, name }) => `${author}/${name}` === id);
      return isBound || runners.includes(ai?.runner?.runner ?? '');
    })
    .map(({ uuid, name }): PluginUser => ({ kind: 'pipelines', uuid, name }));
  // A pipeline may use it in both.
  const each = new Map(users.map((user) => [user.uuid, user])).values();
  return [...each].sort((left, right) => (left.name < right.name ? -1 : 1));
}

function toRow({ enabled, ...plugin }: StoredPlugin): PluginRow {
  return {
    ...plugin,
    enabled: Number(enabled),
    installed: toText(plugin.installed),
    waiting: toText(plugin.waiting),
    previous: toText(plugin.previous),
    settings: JSON.stringify(plugin.settings),
    admin_addresses: listColumn(plugin.admin_addresses),
    grants: JSON.stringify(plugin.grants),
  };
}

function toPlugin({ enabled, ...row }: PluginRow): StoredPlugin {
  return {
    ...row,
    enabled: enabled === 1,
    installed: toVersion(row.installed),
    waiting: toVersion(row.waiting),
    previous: toVersion(row.previous),
    settings: JSON.parse(row.settings) as StoredPlugin['settings'],
    admin_addresses: toList(row.admin_addresses),
    grants: JSON.parse(row.grants) as PluginGrants,
  };
}

function toText(version: PluginVersion | null): string | null {
  return version === null ? null : JSON.stringify(version);
}

function toVersion(text: string | null): PluginVersion | null {
  return text === null ? null : (JSON.parse(text) as PluginVersion);
}
