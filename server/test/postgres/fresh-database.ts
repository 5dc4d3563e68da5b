import { randomBytes } from 'node:crypto';
import { queryDatabase } from './query-database.ts';

export interface FreshDatabase {
  /** Address of the new database, `postgres://…`. */
  url: string;
  /** Removes the database, also when connections to it are still open. */
  drop(): Promise<void>;
}

/**
 * Creates a database on the server of `url`.
 * @param options.name a random one when left out
 * @param options.template name of the database that it is a copy of; it is empty when left out
 */
export async function freshDatabase(
  url: string,
  { name = `parley_${randomBytes(8).toString('hex')}`, template = 'template1' } = {},
): Promise<FreshDatabase> {
  await queryDatabase(url, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const address = new URL(url);
  address.pathname = name;
  return {
    url: address.href,
    drop: async () => {
      await queryDatabase(url, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}
