import type { Selectable } from 'kysely';
import type { FilePurpose, StoredFile } from '../../core/files/file.ts';
import type { FileStore } from '../../core/files/file-store.ts';
import type { Database, Tables } from '../database.ts';

export class KyselyFileStore implements FileStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async create(file: StoredFile): Promise<void> {
    await this.#database.insertInto('files').values(file).execute();
  }

  async byUuid(uuid: string): Promise<StoredFile | null> {
    const row = await this.#database.selectFrom('files').selectAll().where('uuid', '=', uuid).executeTakeFirst();
    return row === undefined ? null : toFile(row);
  }

  async byAccessKey(key: string): Promise<StoredFile | null> {
    const row = await this.#database.selectFrom('files').selectAll().where('access_key', '=', key).executeTakeFirst();
    return row === undefined ? null : toFile(row);
  }
}

function toFile(row: Selectable<Tables['files']>): StoredFile {
  return { ...row, purpose: row.purpose as FilePurpose };
}
