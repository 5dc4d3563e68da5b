import { type Selectable, sql, type Transaction } from 'kysely';
import type { ConfirmedTools, McpTool, StoredMcpServer } from '../../core/mcp/mcp-server.ts';
import type { McpServerRefusal, McpServerStore } from '../../core/mcp/mcp-server-store.ts';
import type { ExtensionsPreferences } from '../../core/pipelines/pipeline.ts';
import { advisoryLocks } from '../advisory-locks.ts';
import { countExtensions } from '../count-extensions.ts';
import type { Database, Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import { columnsOf } from '../table-columns.ts';

type ServerRow = Selectable<Tables['mcp_servers']>;

export class KyselyMcpServerStore implements McpServerStore {
  readonly #database: Database;
  readonly #engine: Engine;

  constructor(database: Database, engine: Engine) {
    this.#database = database;
    this.#engine = engine;
  }

  async list(): Promise<StoredMcpServer[]> {
    const servers = this.#database.selectFrom('mcp_servers').select(columnsOf('mcp_servers'));
    return (await servers.orderBy('created_at').orderBy('uuid').execute()).map(toServer);
  }

  async byUuid(uuid: string): Promise<StoredMcpServer | null> {
    const servers = this.#database.selectFrom('mcp_servers').select(columnsOf('mcp_servers'));
    return toServerOrNull(await servers.where('uuid', '=', uuid).executeTakeFirst());
  }

  async byName(name: string): Promise<StoredMcpServer | null> {
    const servers = this.#database.selectFrom('mcp_servers').select(columnsOf('mcp_servers'));
    return toServerOrNull(await servers.where('name_key', '=', keyOf(name)).executeTakeFirst());
  }

  create(server: StoredMcpServer, maximum: number): Promise<McpServerRefusal | null> {
    return this.#database.transaction().execute(async (transaction) => {
      await this.#lockAll(transaction);
      if (maximum >= 0 && (await countExtensions(transaction)) >= maximum) return { reason: 'limit_reached' };
      if (await isTaken(transaction, server)) return { reason: 'name_taken' };
      await transaction.insertInto('mcp_servers').values(toRow(server)).execute();
      return null;
    });
  }

  update(uuid: string, change: (stored: StoredMcpServer) => StoredMcpServer): Promise<McpServerRefusal | null> {
    return this.#database.transaction().execute(async (transaction) => {
      await this.#lockAll(transaction);
      const row = await transaction
        .selectFrom('mcp_servers')
        .select(columnsOf('mcp_servers'))
        .where('uuid', '=', uuid)
        .$if(this.#engine === 'postgres', (query) => query.forUpdate())
        .executeTakeFirst();
      if (row === undefined) return { reason: 'not_found' };
      const changed = { ...change(toServer(row)), uuid };
      if (await isTaken(transaction, changed)) return { reason: 'name_taken' };
      await transaction.updateTable('mcp_servers').set(toRow(changed)).where('uuid', '=', uuid).execute();
      return null;
    });
  }

  async saveTools(uuid: string, tools: readonly McpTool[]): Promise<void> {
    const known_tools = JSON.stringify(tools);
    await this.#database.updateTable('mcp_servers').set({ known_tools }).where('uuid', '=', uuid).execute();
  }

  delete(uuid: string, now: string): Promise<boolean> {
    return this.#database.transaction().execute(async (transaction) => {
      const deleted = await transaction.deleteFrom('mcp_servers').where('uuid', '=', uuid).executeTakeFirst();
      if (deleted.numDeletedRows === 0n) return false;
      const pipelines = await transaction
        .selectFrom('pipelines')
        .select(['uuid', 'extensions_preferences'])
        .where(({ fn }) => fn<string>('lower', ['extensions_preferences']), 'like', `%${uuid}%`)
        // Two that each wait for a row of the other would never end.
        .orderBy('uuid')
        .$if(this.#engine === 'postgres', (query) => query.forUpdate())
        .execute();
      for (const { uuid: pipelineUuid, extensions_preferences } of pipelines) {
        const preferences = JSON.parse(extensions_preferences) as ExtensionsPreferences;
        const mcp_servers = preferences.mcp_servers.filter((one) => one.toLowerCase() !== uuid);
        const { [uuid]: _, ...mcp_tool_users } = preferences.mcp_tool_users;
        await transaction
          .updateTable('pipelines')
          .set({
            extensions_preferences: JSON.stringify({ ...preferences, mcp_servers, mcp_tool_users }),
            updated_at: now,
          })
          .where('uuid', '=', pipelineUuid)
          .execute();
      }
      return true;
    });
  }

  /** Serializes read-then-write transactions on all servers. SQLite has one writer at a time anyway. */
  async #lockAll(transaction: Transaction<Tables>): Promise<void> {
    if (this.#engine !== 'postgres') return;
    await sql`select pg_advisory_xact_lock(${advisoryLocks.mcpServers})`.execute(transaction);
  }
}

/** Whether another server has the name. */
async function isTaken(transaction: Transaction<Tables>, { uuid, name }: StoredMcpServer): Promise<boolean> {
  const servers = transaction.selectFrom('mcp_servers').select('uuid').where('name_key', '=', keyOf(name));
  return (await servers.where('uuid', '!=', uuid).executeTakeFirst()) !== undefined;
}

function keyOf(name: string): string {
  return name.toLowerCase();
}

function toRow({ enable, extra_args, known_tools, confirmed_tools, ...columns }: StoredMcpServer): ServerRow {
  return {
    ...columns,
    name_key: keyOf(columns.name),
    enable: Number(enable),
    extra_args: JSON.stringify(extra_args),
    known_tools: JSON.stringify(known_tools),
    confirmed_tools: JSON.stringify(confirmed_tools),
  };
}

function toServer(row: ServerRow): StoredMcpServer {
  const { name_key: _, enable, extra_args, known_tools, confirmed_tools, ...columns } = row;
  return {
    ...columns,
    enable: enable === 1,
    extra_args: JSON.parse(extra_args) as StoredMcpServer['extra_args'],
    known_tools: (JSON.parse(known_tools) as McpTool[]).map((tool) => ({ ...unknownTool, ...tool })),
    confirmed_tools: JSON.parse(confirmed_tools) as ConfirmedTools,
  };
}

/** Tool properties that earlier versions did not store; such a tool counts as never confirmed. */
const unknownTool = { read_only_hint: false, fingerprint: '' };

function toServerOrNull(row: ServerRow | undefined): StoredMcpServer | null {
  return row === undefined ? null : toServer(row);
}
