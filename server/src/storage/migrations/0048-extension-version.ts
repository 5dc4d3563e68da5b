import { CompiledQuery } from 'kysely';
import type { Engine } from '../engine.ts';
import { key, required } from './columns.ts';
import type { Migration } from './migration.ts';

/** Rows whose change others have to see. */
interface Change {
  table: string;
  event: 'insert' | 'update' | 'delete';
  /** Of an update; for these columns only. */
  columns?: readonly string[];
  /** For some rows only. */
  condition?: string;
  raises: 'extension_version' | 'access_version';
}

/** All columns but those that change without an operator: tools that a server listed, pauses that a receiver requested. */
const updated: Readonly<Record<string, readonly string[]>> = {
  plugins: [
    'installed',
    'waiting',
    'previous',
    'signer',
    'enabled',
    'position',
    'settings',
    'sealed_secrets',
    'admin_addresses',
    'grants',
    'on_failure',
    'updated_at',
  ],
  mcp_servers: ['name', 'enable', 'mode', 'extra_args', 'sealed_secrets', 'confirmed_tools', 'updated_at'],
  webhooks: ['name', 'url', 'description', 'enabled', 'sealed_secret', 'disabled_reason', 'updated_at'],
};

/** The present as `sessions` has it. */
const present: Readonly<Record<Engine, string>> = {
  sqlite: "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')",
  postgres: `to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
};

function changes(engine: Engine): Change[] {
  return [
    ...Object.entries(updated).flatMap(([table, columns]): Change[] => [
      { table, event: 'insert', raises: 'extension_version' },
      { table, event: 'update', columns, raises: 'extension_version' },
      { table, event: 'delete', raises: 'extension_version' },
    ]),
    // A session that expired ends by its time, wherever it is known.
    { table: 'sessions', event: 'delete', condition: `old.expires_at > ${present[engine]}`, raises: 'access_version' },
  ];
}

/** As in `0027-record-version`: deferred on PostgreSQL, so that the row of the number is locked last. */
function trigger({ table, event, columns, condition, raises }: Change, engine: Engine): string {
  const name = `${table}_${event}_raises_${raises}`;
  const after = `after ${event}${columns === undefined ? '' : ` of ${columns.join(', ')}`} on ${table}`;
  const when = condition === undefined ? '' : `when (${condition})`;
  return engine === 'sqlite'
    ? `create trigger ${name} ${after} ${when} begin update ${raises} set version = version + 1; end`
    : `create constraint trigger ${name} ${after}
        deferrable initially deferred for each row ${when} execute function raise_${raises}()`;
}

const postgresFunction = `create function raise_extension_version() returns trigger language plpgsql as $$
  begin
    update extension_version set version = version + 1;
    return null;
  end $$`;

/**
 * What tells other replicas that plugins, MCP servers or webhooks are not what they know of, and that a session was ended
 * before its time; and which sign-ins with an identity provider were answered.
 */
export const extensionVersion: Migration = {
  name: '0048-extension-version',
  kind: 'expand',
  statements: (schema, engine) => [
    schema.createTable('extension_version').addColumn('id', 'integer', key).addColumn('version', 'bigint', required),
    schema.createTable('used_states').addColumn('digest', 'text', key).addColumn('expires_at', 'text', required),
    schema.createIndex('used_states_by_expiry').on('used_states').columns(['expires_at']),
    ...[
      'insert into extension_version (id, version) values (1, 1)',
      ...(engine === 'postgres' ? [postgresFunction] : []),
      ...changes(engine).map((change) => trigger(change, engine)),
    ].map((statement) => ({ compile: () => CompiledQuery.raw(statement) })),
  ],
};
