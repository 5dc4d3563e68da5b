import type { UploadedFile } from '../../core/files/file.ts';
import type { FileStore } from '../../core/files/file-store.ts';
import type { Database } from '../database.ts';

export class KyselyFileStore implements FileStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async create(file: UploadedFile): Promise<void> {
    await this.#database.insertInto('files').values(file).execute();
  }

  async byUuid(uuid: string): Promise<UploadedFile | null> {
    const row = await this.#database.selectFrom('files').selectAll().where('uuid', '=', uuid).executeTakeFirst();
    return row ?? null;
  }
}
