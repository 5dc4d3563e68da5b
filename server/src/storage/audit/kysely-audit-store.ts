import type { ExpressionBuilder, Selectable } from 'kysely';
import type { AuditEntry, AuditFilter } from '../../core/audit/audit-entry.ts';
import type { AuditStore } from '../../core/audit/audit-store.ts';
import type { Database, Tables } from '../database.ts';
import { columnsOf } from '../table-columns.ts';

export class KyselyAuditStore implements AuditStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async record(entry: Omit<AuditEntry, 'id'>): Promise<void> {
    await this.#database
      .insertInto('audit_entries')
      .values({
        ...entry,
        changed: JSON.stringify(entry.changed),
        before: entry.before === null ? null : JSON.stringify(entry.before),
        after: entry.after === null ? null : JSON.stringify(entry.after),
      })
      .execute();
  }

  async list(filter: AuditFilter, limit: number, before: number | null): Promise<AuditEntry[]> {
    const rows = await this.#database
      .selectFrom('audit_entries')
      .select(columnsOf('audit_entries'))
      .where((where) => matches(where, filter, before))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    return rows.map(toEntry);
  }

  async removeBefore(timestamp: string, limit: number): Promise<number> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('audit_entries')
      .where('id', 'in', (query) =>
        query
          .selectFrom('audit_entries')
          .select('id')
          .where('created_at', '<', timestamp)
          .orderBy('created_at')
          .limit(limit),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  }
}

const exactColumns = ['record_kind', 'record_id', 'action', 'actor_id'] as const;

function matches(where: ExpressionBuilder<Tables, 'audit_entries'>, filter: AuditFilter, before: number | null) {
  const { since, until } = filter;
  // The names come from here and never from the filter, which may hold whatever a query did.
  const conditions = exactColumns.flatMap((column) => {
    const value = filter[column];
    return value === undefined ? [] : [where(column, '=', value)];
  });
  if (since !== undefined) conditions.push(where('created_at', '>=', since));
  if (until !== undefined) conditions.push(where('created_at', '<', until));
  if (before !== null) conditions.push(where('id', '<', before));
  return where.and(conditions);
}

function toEntry(row: Selectable<Tables['audit_entries']>): AuditEntry {
  return {
    ...row,
    changed: JSON.parse(row.changed) as string[],
    before: row.before === null ? null : (JSON.parse(row.before) as AuditEntry['before']),
    after: row.after === null ? null : (JSON.parse(row.after) as AuditEntry['after']),
  };
}
