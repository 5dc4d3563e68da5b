import { CompiledQuery } from 'kysely';
import type { Engine } from '../engine.ts';
import type { Migration } from './migration.ts';

interface Expressions {
  hasServers: string;
  /** The preferences with everyone as users of the tools of each server that is bound. */
  opened: string;
  /** Preferences as an audit entry shows them. */
  shown: (preferences: string) => string;
  now: string;
}

const everyone = `'{"allow":"everyone","users":[]}'`;

const expressions: Readonly<Record<Engine, Expressions>> = {
  sqlite: {
    hasServers: `(json_extract(extensions_preferences, '$.enable_all_mcp_servers') = 1
      or json_array_length(extensions_preferences, '$.mcp_servers') > 0)`,
    opened: `json_set(extensions_preferences, '$.mcp_tool_users', json((
      select json_group_object(server, json(${everyone})) from (
        select uuid as server from mcp_servers where json_extract(extensions_preferences, '$.enable_all_mcp_servers') = 1
        union select lower(value) from json_each(extensions_preferences, '$.mcp_servers')))))`,
    shown: (preferences) => `json_object('extensions_preferences', json(${preferences}))`,
    now: `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`,
  },
  postgres: {
    hasServers: `(extensions_preferences::jsonb ->> 'enable_all_mcp_servers' = 'true'
      or jsonb_array_length(extensions_preferences::jsonb -> 'mcp_servers') > 0)`,
    opened: `(extensions_preferences::jsonb || jsonb_build_object('mcp_tool_users', (
      select coalesce(jsonb_object_agg(server, ${everyone}::jsonb), '{}'::jsonb) from (
        select uuid as server from mcp_servers where extensions_preferences::jsonb ->> 'enable_all_mcp_servers' = 'true'
        union select lower(value) from jsonb_array_elements_text(extensions_preferences::jsonb -> 'mcp_servers') as bound (value)
      ) as servers)))::text`,
    shown: (preferences) => `jsonb_build_object('extensions_preferences', (${preferences})::jsonb)::text`,
    now: `to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  },
};

function recordAndOpen(engine: Engine): string[] {
  const { hasServers, opened, shown, now } = expressions[engine];
  return [
    `insert into audit_entries (created_at, actor_kind, actor_id, actor_name, credential, address, request_id,
      action, record_kind, record_id, changed, before, after)
    select ${now}, 'command-line', '', 'migration', '', '', '', 'pipeline.bind-extensions', 'pipeline', uuid,
      '["extensions_preferences.mcp_tool_users"]', ${shown('extensions_preferences')}, ${shown(opened)}
    from pipelines where ${hasServers}`,
    `update pipelines set extensions_preferences = ${opened}`,
  ];
}

/**
 * For whom tools run that an admin has not confirmed to be read-only: for everyone where servers were bound before, those
 * included that `0016-bound-servers` bound. The audit log names the pipelines.
 */
export const toolUsers: Migration = {
  name: '0020-tool-users',
  statements: (schema, engine) => [
    schema.alterTable('mcp_servers').addColumn('confirmed_tools', 'text', (column) => column.notNull().defaultTo('{}')),
    ...recordAndOpen(engine).map((statement) => ({ compile: () => CompiledQuery.raw(statement) })),
  ],
};
