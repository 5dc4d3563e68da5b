import { newUuid } from '../../src/lib/uuid.ts';
import type { Database } from '../../src/storage/database.ts';

const timestamp = '2026-01-01T00:00:00.000Z';

/** Stores a model with a new provider. @param kind `llm` or `text-embedding` @returns its uuid */
export async function insertModel(database: Database, kind = 'llm'): Promise<string> {
  const uuid = newUuid();
  const providerUuid = newUuid();
  const timestamps = { created_at: timestamp, updated_at: timestamp };
  await database
    .insertInto('providers')
    .values({
      uuid: providerUuid,
      name: 'Provider',
      requester: 'openai-chat-completions',
      base_url: 'http://127.0.0.1/v1',
      api_keys: '[]',
      sealed_secrets: null,
      ...timestamps,
    })
    .execute();
  await database
    .insertInto('models')
    .values({
      uuid,
      kind,
      name: 'Model',
      provider_uuid: providerUuid,
      abilities: '[]',
      extra_args: '{}',
      prefered_ranking: 0,
      ...timestamps,
    })
    .execute();
  return uuid;
}
