import { sql } from 'kysely';
import type { PackageRecord, PackageRecords } from '../../core/plugins/package-records.ts';
import type { Database } from '../database.ts';
import { columnsOf } from '../table-columns.ts';

export class KyselyPackageRecords implements PackageRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async byDigest(digest: string): Promise<PackageRecord | null> {
    const row = await this.#database
      .selectFrom('plugin_packages')
      .select(columnsOf('plugin_packages'))
      .where('digest', '=', digest)
      .executeTakeFirst();
    return row === undefined ? null : { ...row, digest };
  }

  async keep(record: PackageRecord): Promise<PackageRecord> {
    const { digest } = record;
    const row = await this.#database
      .insertInto('plugin_packages')
      .values(record)
      .onConflict((conflict) => conflict.column('digest').doUpdateSet({ stored_at: record.stored_at }))
      .returning(columnsOf('plugin_packages'))
      .executeTakeFirstOrThrow();
    return { ...row, digest };
  }

  async discard(blobUuid: string): Promise<void> {
    await this.#database
      .updateTable('plugin_packages')
      .set({ digest: null })
      .where('blob_uuid', '=', blobUuid)
      .execute();
  }

  async discardOthers(neededDigests: readonly string[], storedBefore: string): Promise<void> {
    await this.#database
      .updateTable('plugin_packages')
      .set({ digest: null })
      .where('digest', 'is not', null)
      .where('stored_at', '<', storedBefore)
      .$if(neededDigests.length > 0, (query) => query.where('digest', 'not in', neededDigests))
      .execute();
  }

  async discarded(limit: number): Promise<string[]> {
    const packages = this.#database.selectFrom('plugin_packages').select('blob_uuid').where('digest', 'is', null);
    return (await packages.orderBy('stored_at').limit(limit).execute()).map(({ blob_uuid }) => blob_uuid);
  }

  async delete(blobUuid: string): Promise<void> {
    await this.#database.deleteFrom('plugin_packages').where('blob_uuid', '=', blobUuid).execute();
  }

  async announce(): Promise<void> {
    await this.#database.updateTable('extension_version').set({ version: sql<number>`version + 1` }).execute();
  }
}
