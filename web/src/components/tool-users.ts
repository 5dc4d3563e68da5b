import type { components } from '@parley/client';
import type { TFunction } from 'i18next';

export type ToolUsers = components['schemas']['ToolUsers'];
type Preferences = components['schemas']['ExtensionsPreferences'];
type McpTool = components['schemas']['McpTool'];

const defaultUsers: ToolUsers = { allow: 'nobody', users: [] };

/** Who may run tools of a server that are not confirmed as read-only. */
export function toolUsersOf(preferences: Preferences, server: string): ToolUsers {
  return preferences.mcp_tool_users[server] ?? defaultUsers;
}

/** Whether messages of a pipeline may use a server. */
export function usesServer({ enable_all_mcp_servers, mcp_servers }: Preferences, server: string): boolean {
  return enable_all_mcp_servers || mcp_servers.some((uuid) => uuid.toLowerCase() === server);
}

/** Who may run a tool, in a few words. */
export function toolUsersText(t: TFunction, tool: Pick<McpTool, 'read_only'>, users: ToolUsers): string {
  if (tool.read_only === 'confirmed') return t('tools.runsFor.readOnly');
  return users.allow === 'listed'
    ? t('tools.runsFor.listed', { count: users.users.length })
    : t(`tools.runsFor.${users.allow}`);
}
