import {
  CompiledQuery,
  type DatabaseConnection,
  PostgresDialect,
  PostgresQueryCompiler,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  SqliteQueryCompiler,
} from 'kysely';
import { storableText } from '../lib/storable-text.ts';

/*
 * Both engines are given the same texts: what one of them refuses is replaced on its way to either, at the one place
 * that every value passes, so that a stray character in a message or a name is never an unexpected fault.
 */

export class StorableSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;

  constructor(config: SqliteDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver() {
    return new WritingSqliteDriver(this.#config);
  }

  override createQueryCompiler() {
    return new StorableSqliteCompiler();
  }
}

export class StorablePostgresDialect extends PostgresDialect {
  override createQueryCompiler() {
    return new StorablePostgresCompiler();
  }
}

/**
 * A transaction may write from its beginning on. One that read first and wrote later would fail as soon as another
 * process, such as a command of the command line, wrote in between.
 */
class WritingSqliteDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
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
