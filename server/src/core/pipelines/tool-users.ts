import type { PipelineMessage } from '@parley/sdk';
import Type, { type Static } from 'typebox';
import { extensionOf } from '../mcp/mcp-tool-source.ts';
import type { ToolAccess } from '../tools/tool-access.ts';
import { extensionOfPlugin, isOfPlugin, isPluginId, type UsedPlugins } from './used-plugins.ts';

const ToolUsers = Type.Object(
  {
    allow: Type.Enum(['nobody', 'listed', 'everyone'], {
      description:
        '`nobody`: signed-in admins in the web chat only, who always may; `listed`: `users`, too; `everyone`.',
    }),
    users: Type.Array(Type.String({ pattern: '^person_.', maxLength: 512 }), {
      default: [],
      maxItems: 1000,
      description: '`person_<id>` with the id that the platform has for the user, wherever the user writes.',
    }),
  },
  { title: 'ToolUsers', additionalProperties: false },
);
/** The users for whom tools of a server run that an admin has not confirmed as read-only. */
export type ToolUsers = Static<typeof ToolUsers>;

/** By uuid of the server, or id of the plugin. */
export const McpToolUsers = Type.Record(Type.String({ maxLength: 255 }), ToolUsers, {
  default: {},
  maxProperties: 1000,
  description:
    'By uuid of an MCP server, or id of a plugin: for whom its tools run that are not confirmed to be read-only. ' +
    '`nobody` for those that are not named. Only an admin may change it; if omitted, the stored value is retained.',
});
export type McpToolUsers = Static<typeof McpToolUsers>;

/** What of the preferences of a pipeline is about tools. */
interface BoundTools extends UsedPlugins {
  enable_all_mcp_servers: boolean;
  mcp_servers: readonly string[];
  mcp_tool_users: McpToolUsers;
}

/** For a deleted pipeline. */
export const noTools: BoundTools = {
  enable_all_plugins: false,
  plugins: [],
  enable_all_mcp_servers: false,
  mcp_servers: [],
  mcp_tool_users: {},
};

const defaultUsers: ToolUsers = { allow: 'nobody', users: [] };

/** @param server uuid, in small letters */
export function toolUsersOf({ mcp_tool_users: users }: Pick<BoundTools, 'mcp_tool_users'>, server: string) {
  return (Object.hasOwn(users, server) ? users[server] : undefined) ?? defaultUsers;
}

/** Which tools a message may have called through a pipeline with these preferences. */
export function toolAccess(preferences: BoundTools, message: Pick<PipelineMessage, 'sender_id' | 'facts'>): ToolAccess {
  const { enable_all_plugins, plugins, enable_all_mcp_servers, mcp_servers, mcp_tool_users } = preferences;
  const used = new Set([
    ...mcp_servers.map((server) => extensionOf(server.toLowerCase())),
    ...plugins.map(({ author, name }) => extensionOfPlugin(`${author}/${name}`)),
  ]);
  const isAdmin = message.facts.signed_in_admin === true;
  const open = new Set(
    Object.entries(mcp_tool_users).flatMap(([id, users]) =>
      isAllowed(users, message.sender_id) ? [isPluginId(id) ? extensionOfPlugin(id) : extensionOf(id)] : [],
    ),
  );
  return ({ extension, readOnly = false }) => {
    // A tool of the service itself.
    if (extension === undefined) return null;
    const usesAll = isOfPlugin(extension) ? enable_all_plugins : enable_all_mcp_servers;
    if (!usesAll && !used.has(extension)) return 'tool_not_allowed';
    return readOnly || isAdmin || open.has(extension) ? null : 'tool_not_for_user';
  };
}

/** Ids are compared as texts. */
function isAllowed({ allow, users }: ToolUsers, senderId: string): boolean {
  return allow === 'everyone' || (allow === 'listed' && users.some((user) => user.trim() === `person_${senderId}`));
}
