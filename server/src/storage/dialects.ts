import { PostgresDialect, PostgresQueryCompiler, SqliteDialect, SqliteQueryCompiler } from 'kysely';
import { storableText } from '../lib/storable-text.ts';

/*
 * Both engines are given the same texts: what one of them refuses is replaced on its way to either, at the one place
 * that every value passes, so that a stray character in a message or a name is never an unexpected fault.
 */

export class StorableSqliteDialect extends SqliteDialect {
  override createQueryCompiler() {
    return new StorableSqliteCompiler();
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
