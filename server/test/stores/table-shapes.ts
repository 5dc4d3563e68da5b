import { sql } from 'kysely';
import type { Database } from '../../src/storage/database.ts';

/** What programs rely on of the tables of PostgreSQL. */
interface TableShapes {
  /** By table and name. */
  columns: Map<string, { type: string; isNullable: boolean; hasDefault: boolean }>;
  /** Definitions of constraints and unique indexes, by table and name. */
  rules: Map<string, string>;
  tables: Set<string>;
}

interface ColumnRow {
  place: string;
  table_name: string;
  type: string;
  is_nullable: boolean;
  has_default: boolean;
}

export async function readTableShapes(database: Database): Promise<TableShapes> {
  const columns = await sql<ColumnRow>`
    select table_name || '.' || column_name as place, table_name, data_type as type, is_nullable = 'YES' as is_nullable,
      column_default is not null or is_identity = 'YES' as has_default
    from information_schema.columns where table_schema = current_schema()`.execute(database);
  const rules = await sql<{ place: string; definition: string }>`
    select conrelid::regclass::text || '.' || conname as place, pg_get_constraintdef(oid) as definition
    from pg_constraint where connamespace = current_schema()::regnamespace and conrelid <> 0 and contype not in ('n', 't')
    union
    select tablename || '.' || indexname, indexdef from pg_indexes
    where schemaname = current_schema() and indexdef like 'CREATE UNIQUE%'
    -- The index of a key has its name: which of the two is compared must always be the same.
    order by 1, 2`.execute(database);
  return {
    columns: new Map(
      columns.rows.map(({ place, type, is_nullable, has_default }) => [
        place,
        { type, isNullable: is_nullable, hasDefault: has_default },
      ]),
    ),
    rules: new Map(rules.rows.map(({ place, definition }) => [place, definition])),
    tables: new Set(columns.rows.map(({ table_name }) => table_name)),
  };
}

/** What a program that knows the former tables can no longer do, in words. */
export function narrowings(before: TableShapes, after: TableShapes): string[] {
  const isOld = (place: string) => before.tables.has(place.split('.')[0] ?? '');
  const changed = [...before.columns].flatMap(([place, was]) => {
    const is = after.columns.get(place);
    if (is === undefined) return [`${place} is gone`];
    return [
      ...(is.type === was.type ? [] : [`${place} is of another type`]),
      ...(was.isNullable && !is.isNullable ? [`${place} must have a value`] : []),
      ...(was.hasDefault && !is.hasDefault ? [`${place} has no default`] : []),
    ];
  });
  const added = [...after.columns].filter(
    ([place, { isNullable, hasDefault }]) => !before.columns.has(place) && isOld(place) && !isNullable && !hasDefault,
  );
  const stricter = [...after.rules].filter(([place, rule]) => isOld(place) && before.rules.get(place) !== rule);
  const looser = [...before.rules.keys()].filter((place) => !after.rules.has(place));
  return [
    ...changed,
    ...added.map(([place]) => `${place} is new and must have a value`),
    ...stricter.map(([place]) => `${place} is a new rule`),
    // An insert with `on conflict` needs the rule that it names.
    ...looser.map((place) => `${place} is no rule any more`),
  ];
}
