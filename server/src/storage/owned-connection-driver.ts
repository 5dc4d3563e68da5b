import type { DatabaseConnection, Driver } from 'kysely';

/** Gives everyone the same connection, whose owner begins and ends its transactions. */
export abstract class OwnedConnectionDriver implements Driver {
  abstract acquireConnection(): Promise<DatabaseConnection>;
  abstract destroy(): Promise<void>;

  async init(): Promise<void> {}

  beginTransaction(): Promise<void> {
    return Promise.reject(new Error('The owner of the connection begins its transactions'));
  }

  commitTransaction(): Promise<void> {
    return Promise.reject(new Error('The owner of the connection ends its transactions'));
  }

  async rollbackTransaction(): Promise<void> {}

  async releaseConnection(): Promise<void> {}
}
