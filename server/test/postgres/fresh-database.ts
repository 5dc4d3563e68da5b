import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

export interface FreshDatabase {
  /** Address of the new database, `postgres://…`. */
  url: string;
  /** Removes the database, also when connections to it are still open. */
  drop(): Promise<void>;
}

/** Creates an empty database with a random name on the server of `url`. */
export async function freshDatabase(url: string): Promise<FreshDatabase> {
  const name = `parley_${randomBytes(8).toString('hex')}`;
  await execute(url, `CREATE DATABASE ${name}`);
  const address = new URL(url);
  address.pathname = name;
  return { url: address.href, drop: () => execute(url, `DROP DATABASE ${name} WITH (FORCE)`) };
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
