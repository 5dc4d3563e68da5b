import {
  type Dialect,
  type Kysely,
  PostgresDialect,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { storableText } from '../lib/storable-text.ts';
import { GroupingSqliteDriver, type SqliteConnections } from './sqlite-driver.ts';

/*
 * Both engines are given the same texts: what one of them refuses is replaced on its way to either, at the one place
 * that every value passes, so that a stray character in a message or a name is never an unexpected fault.
 */

export class StorableSqliteDialect implements Dialect {
  readonly #connections: SqliteConnections;

  constructor(connections: SqliteConnections) {
    this.#connections = connections;
  }

  createDriver() {
    return new GroupingSqliteDriver(this.#connections);
  }

  createQueryCompiler() {
    return new StorableSqliteCompiler();
  }

  createAdapter() {
    return new ManyConnectionsAdapter();
  }

  createIntrospector(database: Kysely<unknown>) {
    return new SqliteIntrospector(database);
  }
}

/** The driver itself has whoever wants to write wait for each other. */
class ManyConnectionsAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

export class StorablePostgresDialect extends PostgresDialect {
  override createQueryCompiler() {
    return new StorablePostgresCompiler();
  }
}

class StorableSqliteCompiler extends SqliteQueryCompiler {
  protected override addParameter(parameter: unknown): void {
    super.addParameter(storable(parameter));
  }
}

class StorablePostgresCompiler extends PostgresQueryCompiler {
  protected override addParameter(parameter: unknown): void {
    super.addParameter(storable(parameter));
  }
}

function storable(parameter: unknown): unknown {
  return typeof parameter === 'string' ? storableText(parameter) : parameter;
}
