import { McpRuntime } from '../core/mcp/mcp-runtime.ts';
import { McpServerService } from '../core/mcp/mcp-server-service.ts';
import { McpToolSource } from '../core/mcp/mcp-tool-source.ts';
import { createGuardedFetch } from '../kit/guarded-fetch.ts';
import { McpHomes } from '../mcp/mcp-homes.ts';
import { createOpenSession } from '../mcp/open-session.ts';
import { KyselyMcpServerStore } from '../storage/mcp/kysely-mcp-server-store.ts';
import type { Storage } from '../storage/storage.ts';
import type { SharedParts } from './parts.ts';

/** Servers of the Model Context Protocol: their records, their connections and their tools. */
export function createMcp({ database, engine }: Storage, { config, logger, secrets, stateEvents, tasks }: SharedParts) {
  const store = new KyselyMcpServerStore(database, engine);
  const homes = new McpHomes(config.dataDir);
  const open = createOpenSession(createGuardedFetch({ policy: 'saved' }), homes);
  const allowedCommands = config.mcpStdioCommands.map((entry) =>
    typeof entry === 'string' ? { command: entry, variables: [] } : entry,
  );
  const mcpRuntime = new McpRuntime(store, { open, homes, secrets, allowedCommands, stateEvents, logger });
  const mcpServers = new McpServerService(store, {
    runtime: mcpRuntime,
    open,
    homes,
    secrets,
    tasks,
    allowedCommands,
    maximumServers: config.maxExtensions,
  });
  return { mcpRuntime, mcpServers, toolSource: new McpToolSource(mcpRuntime) };
}
