import { sql } from 'kysely';
import { connectionsOf, type PostgresKysely } from './postgres-database.ts';

/** Connections to the database server. */
export interface ConnectionBudget {
  /** How many one replica opens at most. */
  perReplica: number;
  /** How many the server has for all of its clients. */
  available: number;
}

/** Connections that replicas need together, of those that the server has. */
export function connectionNeed(
  { perReplica, available }: ConnectionBudget,
  replicas: number,
): { needed: number; available: number } {
  return { needed: replicas * perReplica, available };
}

/**
 * Makes sure that the server has enough connections for one replica.
 * @returns null when that is not known: behind a pooler the limits of the server say little
 * @throws Error with a message for the operator when it has too few
 */
export async function requireConnections(database: PostgresKysely): Promise<ConnectionBudget | null> {
  const available = (await database.isDirect()) ? await availableConnections(database) : null;
  if (available === null) return null;
  const perReplica = connectionsOf(database.poolSize);
  if (perReplica > available) {
    throw new Error(
      `The database server has ${available} connections and this process may need ${perReplica}: lower ` +
        'PARLEY_DATABASE_POOL_SIZE, or raise max_connections of the server',
    );
  }
  return { perReplica, available };
}

/** Null where the server does not say. */
async function availableConnections(database: PostgresKysely): Promise<number | null> {
  const { rows } = await sql<{ available: number | null }>`
    select cast(current_setting('max_connections', true) as integer)
      - coalesce(cast(current_setting('superuser_reserved_connections', true) as integer), 0)
      - coalesce(cast(nullif(current_setting('reserved_connections', true), '') as integer), 0) as available`.execute(
    database,
  );
  return rows[0]?.available ?? null;
}
