import type { StoredFile } from '../../core/files/file.ts';
import type { FileStore } from '../../core/files/file-store.ts';
import type { Database } from '../database.ts';
import { PostgresKysely } from '../postgres-database.ts';
import { columnsOf } from '../table-columns.ts';

export class KyselyFileStore implements FileStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async create(file: StoredFile): Promise<void> {
    await this.#database.insertInto('files').values(file).execute();
  }

  async byUuid(uuid: string): Promise<StoredFile | null> {
    const row = await this.#database
      .selectFrom('files')
      .select(columnsOf('files'))
      .where('uuid', '=', uuid)
      .executeTakeFirst();
    return row ?? null;
  }

  async byAccessKey(key: string): Promise<StoredFile | null> {
    const row = await this.#database
      .selectFrom('files')
      .select(columnsOf('files'))
      .where('access_key', '=', key)
      .executeTakeFirst();
    return row ?? null;
  }

  discard(uuid: string): Promise<boolean> {
    return this.#database.transaction().execute(async (transaction) => {
      // Locks the row, so that a concurrent attach finishes before the check for documents.
      const file = transaction.updateTable('files').where('uuid', '=', uuid).where('purpose', '=', 'document');
      if ((await file.set({ purpose: 'document' }).executeTakeFirst()).numUpdatedRows === 0n) return false;
      const documents = transaction.selectFrom('knowledge_documents').select('uuid').where('file_uuid', '=', uuid);
      if ((await documents.executeTakeFirst()) !== undefined) return false;
      await file.set({ purpose: 'discarded' }).execute();
      return true;
    });
  }

  async discardUnsent(uploadedBefore: string, limit: number): Promise<number> {
    const { numUpdatedRows } = await this.#database
      .updateTable('files')
      .set({ purpose: 'discarded' })
      .where('uuid', 'in', ({ selectFrom }) =>
        selectFrom('files')
          .select('files.uuid')
          .where('purpose', '=', 'unsent')
          .where('created_at', '<', uploadedBefore)
          .orderBy('created_at')
          .limit(limit)
          // A message that is being stored may keep the file: it is neither waited for nor overwritten.
          .$if(this.#database instanceof PostgresKysely, (query) => query.forUpdate().skipLocked()),
      )
      .executeTakeFirst();
    return Number(numUpdatedRows);
  }

  async latest(limit: number): Promise<string[]> {
    const files = this.#database.selectFrom('files').select('uuid').where('purpose', '<>', 'discarded');
    return (await files.orderBy('uuid', 'desc').limit(limit).execute()).map(({ uuid }) => uuid);
  }

  async discarded(limit: number): Promise<string[]> {
    const files = this.#database.selectFrom('files').select('uuid').where('purpose', '=', 'discarded');
    return (await files.orderBy('created_at').limit(limit).execute()).map(({ uuid }) => uuid);
  }

  async delete(uuid: string): Promise<void> {
    await this.#database.deleteFrom('files').where('uuid', '=', uuid).execute();
  }
}
