import { expect, it } from 'vitest';
import { completeConfig } from '../../../test/factories/pipeline-schema.ts';
import { engines } from '../../../test/stores/each-engine.ts';
import { makeStoragePlace } from '../../../test/stores/open-test-storage.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyPipelineStore } from '../pipelines/kysely-pipeline-store.ts';
import { openPostgres } from '../postgres-database.ts';
import { openSqlite } from '../sqlite-database.ts';
import { databaseFile, openStorage } from '../storage.ts';
import { migrations } from './index.ts';
import { migrate } from './migrate.ts';

const timestamp = '2026-01-01T00:00:00.000Z';

it.each(engines)('makes pipelines that exist their first version, on %s', async (engine) => {
  const place = await makeStoragePlace(engine);
  const database = place.databaseUrl === null ? openSqlite(databaseFile(place)) : await openPostgres(place.databaseUrl);
  try {
    const index = migrations.findIndex(({ name }) => name === '0030-pipeline-versions');
    await migrate(database, engine, migrations.slice(0, index));
    const uuid = newUuid();
    const config = completeConfig({});
    await database
      .insertInto('pipelines')
      .values({
        uuid,
        name: 'Support',
        description: '',
        emoji: null,
        for_version: 'v4.9.5',
        is_default: 1,
        stages: '[]',
        config: JSON.stringify(config),
        sealed_secrets: 'v1.sealed',
        admin_addresses: null,
        extensions_preferences: '{}',
        created_at: timestamp,
        updated_at: timestamp,
      })
      .execute();
    await database.destroy();
    const storage = await openStorage(place);
    try {
      const store = new KyselyPipelineStore(storage.database, engine);
      expect((await store.byUuid(uuid))?.version).toBe(1);
      const version = { version: 1, author: null, created_at: timestamp, restored_from: null };
      expect(await store.versions(uuid)).toEqual([version]);
      expect(await store.version(uuid, 1)).toMatchObject({
        ...version,
        content: { name: 'Support', config, sealed_secrets: 'v1.sealed' },
      });
    } finally {
      await storage.close();
    }
  } finally {
    await place.remove();
  }
});
