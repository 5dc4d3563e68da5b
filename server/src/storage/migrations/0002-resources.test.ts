import { join } from 'node:path';
import { expect, it } from 'vitest';
import { engines } from '../../../test/stores/each-engine.ts';
import { makeStoragePlace } from '../../../test/stores/open-test-storage.ts';
import { now } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { Database } from '../database.ts';
import { openPostgres } from '../postgres-database.ts';
import { openSqlite } from '../sqlite-database.ts';
import { foundation } from './0001-foundation.ts';
import { migrate } from './migrate.ts';

const timestamps = { created_at: now(), updated_at: now() };

async function insertModels(database: Database, uuids: string[]): Promise<void> {
  const provider_uuid = newUuid();
  const provider = { uuid: provider_uuid, name: 'p', requester: 'demo', base_url: '', api_keys: '[]' };
  await database
    .insertInto('providers')
    .values({ ...provider, sealed_secrets: null, ...timestamps })
    .execute();
  for (const uuid of uuids) {
    const model = { uuid, kind: 'llm', name: 'm', provider_uuid, abilities: '[]', extra_args: '{}' };
    await database
      .insertInto('models')
      .values({ ...model, prefered_ranking: 0, ...timestamps })
      .execute();
  }
}

async function insertPipeline(database: Database, model: object): Promise<string> {
  const uuid = newUuid();
  const texts = { name: 'p', description: '', emoji: null, for_version: 'v4.9.5', stages: '[]' };
  const config = JSON.stringify({ trigger: {}, ai: { runner: { runner: 'x' }, 'local-agent': { model } } });
  const row = {
    uuid,
    ...texts,
    is_default: 0,
    config,
    extensions_preferences: '{}',
    sealed_secrets: null,
    ...timestamps,
  };
  await database.insertInto('pipelines').values(row).execute();
  return uuid;
}

it.each(engines)('finds the models that pipelines of the first version use, on %s', async (engine) => {
  const place = await makeStoragePlace(engine);
  const database =
    place.databaseUrl === null ? openSqlite(join(place.dataDir, 'parley.db')) : await openPostgres(place.databaseUrl);
  try {
    await migrate(database, engine, [foundation]);
    const [first, second, gone] = [newUuid(), newUuid(), newUuid()];
    await insertModels(database, [first, second]);
    const both = await insertPipeline(database, { primary: first, fallbacks: [second, first, gone] });
    await insertPipeline(database, { primary: '', fallbacks: [] });
    await insertPipeline(database, { primary: gone, fallbacks: [] });
    await migrate(database, engine);
    const rows = await database.selectFrom('pipeline_models').selectAll().orderBy('model_uuid').execute();
    expect(rows).toEqual([first, second].sort().map((model_uuid) => ({ pipeline_uuid: both, model_uuid })));
  } finally {
    await database.destroy();
    await place.remove();
  }
});
