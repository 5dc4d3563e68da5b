import { CompiledQuery } from 'kysely';
import type { Engine } from '../engine.ts';
import type { Migration } from './migration.ts';

interface Expressions {
  usesAll: string;
  /** The preferences with all servers that exist in place of `enable_all_mcp_servers`. */
  bound: string;
  /** Preferences as an audit entry shows them. */
  shown: (preferences: string) => string;
  now: string;
}

const expressions: Readonly<Record<Engine, Expressions>> = {
  sqlite: {
    usesAll: `json_extract(extensions_preferences, '$.enable_all_mcp_servers') = 1`,
    bound: `json_set(extensions_preferences, '$.enable_all_mcp_servers', json('false'), '$.mcp_servers',
      json((select json_group_array(uuid) from (select uuid from mcp_servers order by created_at, uuid))))`,
    shown: (preferences) => `json_object('extensions_preferences', json(${preferences}))`,
    now: `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`,
  },
  postgres: {
    usesAll: `extensions_preferences::jsonb ->> 'enable_all_mcp_servers' = 'true'`,
    bound: `(extensions_preferences::jsonb || jsonb_build_object('enable_all_mcp_servers', false, 'mcp_servers',
      (select coalesce(jsonb_agg(uuid order by created_at, uuid), '[]'::jsonb) from mcp_servers)))::text`,
    shown: (preferences) => `jsonb_build_object('extensions_preferences', (${preferences})::jsonb)::text`,
    now: `to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  },
};

function recordAndBind(engine: Engine): string[] {
  const { usesAll, bound, shown, now } = expressions[engine];
  return [
    `insert into audit_entries (created_at, actor_kind, actor_id, actor_name, credential, address, request_id,
      action, record_kind, record_id, changed, before, after)
    select ${now}, 'command-line', '', 'migration', '', '', '', 'pipeline.bind-extensions', 'pipeline', uuid,
      '["extensions_preferences.enable_all_mcp_servers","extensions_preferences.mcp_servers"]',
      ${shown('extensions_preferences')}, ${shown(bound)}
    from pipelines where ${usesAll}`,
    `update pipelines set extensions_preferences = ${bound} where ${usesAll}`,
  ];
}

/** Pipelines that used all MCP servers, also those to come, use those that exist. The audit log names them. */
export const boundServers: Migration = {
  name: '0016-bound-servers',
  statements: (_, engine) =>
    recordAndBind(engine).map((statement) => ({ compile: () => CompiledQuery.raw(statement) })),
};
