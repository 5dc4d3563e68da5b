import { expect, it } from 'vitest';
import { completeConfig } from '../../../test/factories/pipeline-schema.ts';
import { engines } from '../../../test/stores/each-engine.ts';
import { makeStoragePlace } from '../../../test/stores/open-test-storage.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyAuditStore } from '../audit/kysely-audit-store.ts';
import { openPostgres } from '../postgres-database.ts';
import { openSqlite } from '../sqlite-database.ts';
import { databaseFile } from '../storage.ts';
import { migrations } from './index.ts';
import { migrate } from './migrate.ts';

const timestamp = '2026-01-01T00:00:00.000Z';
const upTo = (name: string) => migrations.slice(0, migrations.findIndex((migration) => migration.name === name) + 1);

it.each(engines)('has the tools of servers that were bound run for everyone as before, on %s', async (engine) => {
  const place = await makeStoragePlace(engine);
  const database = place.databaseUrl === null ? openSqlite(databaseFile(place)) : await openPostgres(place.databaseUrl);
  try {
    await migrate(database, engine, upTo('0015-admin-addresses'));
    const servers = [newUuid(), newUuid()] as const;
    const [first, second] = servers;
    for (const [index, uuid] of servers.entries()) {
      const columns = { enable: 1, mode: 'http' as const, extra_args: '{}', known_tools: '[]', sealed_secrets: null };
      await database
        .insertInto('mcp_servers')
        .values({
          uuid,
          name: `${index}`,
          name_key: `${index}`,
          ...columns,
          created_at: timestamp,
          updated_at: timestamp,
        })
        .execute();
    }
    const preferences = (all: boolean, mcp_servers: string[]) => ({
      enable_all_plugins: true,
      enable_all_mcp_servers: all,
      plugins: [],
      mcp_servers,
    });
    const add = async (extensions_preferences: object) => {
      const uuid = newUuid();
      await database
        .insertInto('pipelines')
        .values({
          uuid,
          name: 'P',
          description: '',
          emoji: null,
          for_version: 'v4.9.5',
          is_default: 0,
          stages: '[]',
          config: JSON.stringify(completeConfig({})),
          sealed_secrets: null,
          created_at: timestamp,
          updated_at: timestamp,
          extensions_preferences: JSON.stringify(extensions_preferences),
        })
        .execute();
      return uuid;
    };
    const open = await add(preferences(true, []));
    const bound = await add(preferences(false, [second.toUpperCase(), second, 'it"s gone']));
    const none = await add(preferences(false, []));
    await migrate(database, engine, upTo('0016-bound-servers'));
    // An admin may have bound all servers again since.
    const again = await add(preferences(true, ['x']));
    await migrate(database, engine);

    const rows = await database.selectFrom('pipelines').select(['uuid', 'extensions_preferences']).execute();
    const stored = new Map(rows.map((row) => [row.uuid, JSON.parse(row.extensions_preferences)]));
    const everyone = { allow: 'everyone', users: [] };
    const opened = {
      [open]: { ...preferences(false, [...servers]), mcp_tool_users: { [first]: everyone, [second]: everyone } },
      [bound]: {
        ...preferences(false, [second.toUpperCase(), second, 'it"s gone']),
        mcp_tool_users: { [second]: everyone, 'it"s gone': everyone },
      },
      [again]: {
        ...preferences(true, ['x']),
        mcp_tool_users: { [first]: everyone, [second]: everyone, x: everyone },
      },
    };
    for (const [uuid, expected] of Object.entries(opened)) expect(stored.get(uuid)).toEqual(expected);
    expect(stored.get(none)).toEqual({ ...preferences(false, []), mcp_tool_users: {} });

    const entries = await new KyselyAuditStore(database).list({}, 10, null);
    const told = entries.filter(({ changed }) => changed.includes('extensions_preferences.mcp_tool_users'));
    expect(told).toHaveLength(3);
    for (const entry of told) {
      const { mcp_tool_users: _, ...before } = opened[entry.record_id] ?? { mcp_tool_users: null };
      expect(entry).toMatchObject({
        actor_kind: 'command-line',
        actor_name: 'migration',
        action: 'pipeline.bind-extensions',
        before: { extensions_preferences: before },
        after: { extensions_preferences: opened[entry.record_id] },
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      });
    }
    const kept = await database.selectFrom('mcp_servers').select('confirmed_tools').execute();
    expect(kept.map(({ confirmed_tools }) => confirmed_tools)).toEqual(['{}', '{}']);
  } finally {
    await database.destroy();
    await place.remove();
  }
});
