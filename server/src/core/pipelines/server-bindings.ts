import { isDeepStrictEqual } from 'node:util';
import { problemError } from '@parley/sdk';
import { Default } from 'typebox/value';
import type { Author } from '../accounts/author.ts';
import { ExtensionsPreferences } from './pipeline.ts';
import { type McpToolUsers, toolUsersOf } from './tool-users.ts';
import { isPluginId, usesPlugin } from './used-plugins.ts';

/**
 * Preferences as they are stored: omitted ones become the default, but tool users stay for the servers that stay bound.
 * Clients of the reference system do not know them.
 * @param before the stored preferences; null for a new pipeline
 */
export function completePreferences(
  given: Partial<ExtensionsPreferences>,
  before: ExtensionsPreferences | null,
): ExtensionsPreferences {
  const { mcp_tool_users: stored = {} } = before ?? {};
  const preferences = Default(ExtensionsPreferences, { ...given }) as ExtensionsPreferences;
  return { ...preferences, mcp_tool_users: ofBoundServers(given.mcp_tool_users ?? stored, preferences) };
}

/** Preferences that replace those of a pipeline. @throws ParleyError `scope_required` */
export function boundOf(
  { extensions_preferences: before }: { extensions_preferences: ExtensionsPreferences },
  given: Partial<ExtensionsPreferences>,
  author: Author,
): ExtensionsPreferences {
  const preferences = completePreferences(given, before);
  requireBindings(before, preferences, author);
  return preferences;
}

/**
 * Only an admin may add MCP servers to a pipeline or change its tool users: everyone who writes to the pipeline can
 * have their tools called then.
 * @param before the stored preferences; null for a new pipeline
 * @throws ParleyError `scope_required`
 */
export function requireBindings(
  before: ExtensionsPreferences | null,
  after: ExtensionsPreferences,
  author: Author,
): void {
  if (author === 'admin' || !(widens(before, after) || changesUsers(before, after))) return;
  throw problemError('admins_bind_tool_servers');
}

function widens(before: ExtensionsPreferences | null, after: ExtensionsPreferences): boolean {
  if (before?.enable_all_mcp_servers === true) return false;
  if (after.enable_all_mcp_servers) return true;
  const known = new Set(before?.mcp_servers.map((server) => server.toLowerCase()));
  return after.mcp_servers.some((server) => !known.has(server.toLowerCase()));
}

/** Whether the tools of a server that is still bound run for others than before. */
function changesUsers(before: ExtensionsPreferences | null, after: ExtensionsPreferences): boolean {
  const stored = { mcp_tool_users: before === null ? {} : ofBoundServers(before.mcp_tool_users, after) };
  const servers = [stored, after].flatMap(({ mcp_tool_users: users }) => Object.keys(users));
  return servers.some((server) => !isDeepStrictEqual(toolUsersOf(stored, server), toolUsersOf(after, server)));
}

function ofBoundServers(users: McpToolUsers, bindings: ExtensionsPreferences): McpToolUsers {
  const bound = new Set(bindings.mcp_servers.map((server) => server.toLowerCase()));
  const isBound = (id: string) =>
    isPluginId(id) ? usesPlugin(bindings, id) : bindings.enable_all_mcp_servers || bound.has(id);
  return Object.fromEntries(
    Object.entries(users)
      .map(([server, value]) => [server.toLowerCase(), value] as const)
      .filter(([id]) => isBound(id)),
  );
}
