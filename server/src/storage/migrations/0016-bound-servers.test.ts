import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { completeConfig } from '../../../test/factories/pipeline-schema.ts';
import { engines } from '../../../test/stores/each-engine.ts';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyAuditStore } from '../audit/kysely-audit-store.ts';
import { boundServers } from './0016-bound-servers.ts';

const timestamp = (second: number) => `2026-01-01T00:00:0${second}.000Z`;

it.each(engines)('binds pipelines to the servers that there are instead of to all, on %s', async (engine) => {
  const storage = await openTestStorage(engine);
  try {
    const { database } = storage;
    const servers = [newUuid(), newUuid()];
    for (const [index, uuid] of servers.entries()) {
      const columns = { enable: 1, mode: 'http' as const, extra_args: '{}', known_tools: '[]', sealed_secrets: null };
      const times = { created_at: timestamp(index), updated_at: timestamp(index) };
      await database
        .insertInto('mcp_servers')
        .values({ uuid, name: `server ${index}`, name_key: `server ${index}`, ...columns, ...times })
        .execute();
    }
    const preferences = (all: boolean, mcp_servers: string[]) => ({
      enable_all_plugins: true,
      enable_all_mcp_servers: all,
      plugins: [{ author: 'a', name: 'n' }],
      mcp_servers,
    });
    const [open, bound] = [newUuid(), newUuid()];
    for (const [uuid, before] of [
      [open, preferences(true, ['gone'])],
      [bound, preferences(false, ['x'])],
    ] as const) {
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
          extensions_preferences: JSON.stringify(before),
          sealed_secrets: null,
          created_at: timestamp(1),
          updated_at: timestamp(1),
        })
        .execute();
    }
    for (const statement of boundServers.statements(database.schema, engine)) {
      await database.executeQuery(statement.compile());
    }
    const rows = await database.selectFrom('pipelines').select(['uuid', 'extensions_preferences']).execute();
    const stored = new Map(rows.map((row) => [row.uuid, JSON.parse(row.extensions_preferences)]));
    expect(stored.get(open)).toEqual(preferences(false, servers));
    expect(stored.get(bound)).toEqual(preferences(false, ['x']));
    expect(await new KyselyAuditStore(database).list({}, 10, null)).toMatchObject([
      {
        actor_kind: 'command-line',
        actor_name: 'migration',
        action: 'pipeline.bind-extensions',
        record_id: open,
        changed: ['extensions_preferences.enable_all_mcp_servers', 'extensions_preferences.mcp_servers'],
        before: { extensions_preferences: preferences(true, ['gone']) },
        after: { extensions_preferences: preferences(false, servers) },
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    ]);
    await sql`delete from mcp_servers`.execute(database);
    await sql`update pipelines set extensions_preferences = ${JSON.stringify(preferences(true, []))}`.execute(database);
    for (const statement of boundServers.statements(database.schema, engine)) {
      await database.executeQuery(statement.compile());
    }
    const without = await database.selectFrom('pipelines').select('extensions_preferences').execute();
    expect(without.map((row) => JSON.parse(row.extensions_preferences).mcp_servers)).toEqual([[], []]);
  } finally {
    await storage.close();
  }
});
