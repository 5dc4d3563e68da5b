import { noGrants } from '../../src/core/plugins/plugin.ts';
import { KyselyPluginStore } from '../../src/storage/plugins/kysely-plugin-store.ts';
import type { Storage } from '../../src/storage/storage.ts';

/** Stores that a plugin is installed: as little as its values need. */
export async function storePlugin({ database, engine }: Storage, id: string): Promise<void> {
  const timestamp = '2026-11-01T00:00:00.000Z';
  await new KyselyPluginStore(database, engine).save(id, () => ({
    id,
    // Nothing here reads it.
    installed: {} as never,
    waiting: null,
    previous: null,
    signer: null,
    enabled: true,
    settings: {},
    sealed_secrets: null,
    admin_addresses: [],
    grants: noGrants,
    on_failure: 'pass',
    created_at: timestamp,
    updated_at: timestamp,
  }));
}
