import { CompiledQuery } from 'kysely';
import type { Engine } from '../engine.ts';
import { key, required } from './columns.ts';
import type { Migration } from './migration.ts';

/** Rows whose change may change who an API key is and what it may do. */
interface Change {
  table: string;
  event: 'insert' | 'update' | 'delete';
  /** Of an update; for these columns only. */
  columns?: readonly string[];
}

const changes: readonly Change[] = [
  { table: 'api_keys', event: 'insert' },
  {
    table: 'api_keys',
    event: 'update',
    // All but `last_used_at`, which changes while a key is used.
    columns: [
      'name',
      'key_hash',
      'key_mask',
      'description',
      'scopes',
      'account_uuid',
      'expires_at',
      'created_at',
      'updated_at',
    ],
  },
  { table: 'api_keys', event: 'delete' },
  { table: 'accounts', event: 'update', columns: ['"user"', 'role'] },
  { table: 'accounts', event: 'delete' },
];

const raise = 'update access_version set version = version + 1';

/** As in `0027-record-version`: deferred on PostgreSQL, so that the row of the number is locked last. */
function trigger({ table, event, columns }: Change, engine: Engine): string {
  const name = `${table}_${event}_raises_access_version`;
  const when = `after ${event}${columns === undefined ? '' : ` of ${columns.join(', ')}`} on ${table}`;
  return engine === 'sqlite'
    ? `create trigger ${name} ${when} begin ${raise}; end`
    : `create constraint trigger ${name} ${when}
        deferrable initially deferred for each row execute function raise_access_version()`;
}

const postgresFunction = `create function raise_access_version() returns trigger language plpgsql as $$
  begin
    ${raise};
    return null;
  end $$`;

/** What tells memory that what it knows of API keys is out of date. */
export const accessVersion: Migration = {
  name: '0029-access-version',
  statements: (schema, engine) => [
    schema.createTable('access_version').addColumn('id', 'integer', key).addColumn('version', 'bigint', required),
    ...[
      'insert into access_version (id, version) values (1, 1)',
      ...(engine === 'postgres' ? [postgresFunction] : []),
      ...changes.map((change) => trigger(change, engine)),
    ].map((statement) => ({ compile: () => CompiledQuery.raw(statement) })),
  ],
};
