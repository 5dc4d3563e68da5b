import type { Tool, ToolSource } from '@parley/sdk';
import { readOnlyState } from './confirmed-tools.ts';
import type { ConnectedServer, McpRuntime } from './mcp-runtime.ts';
import type { McpTool } from './mcp-server.ts';

/** How long a message waits for servers whose tools are still unknown, milliseconds. */
const patience = 3000;
/** Characters of the name of a tool. */
const longestToolName = 64;

/** The extension that the tools of a server belong to, by which pipelines choose. */
export function extensionOf(serverUuid: string): string {
  return `mcp-server/${serverUuid}`;
}

/** The tools of all enabled servers, including those that are reconnecting. */
export class McpToolSource implements ToolSource {
  readonly name = 'mcp';
  readonly #runtime: Pick<McpRuntime, 'servers'>;
  /** One object for each tool of a server: a new object would have its schema compiled again. */
  readonly #made = new WeakMap<McpTool, { server: ConnectedServer; tool: Tool }>();

  constructor(runtime: Pick<McpRuntime, 'servers'>) {
    this.#runtime = runtime;
  }

  async tools(): Promise<Tool[]> {
    const servers = await this.#runtime.servers(patience);
    return servers.flatMap((server) => server.connection.tools.map((tool) => this.#toolOf(server, tool)));
  }

  /** A tool by the name that its server has for it; null when the server is disabled or has no such tool. */
  async tool(serverUuid: string, name: string): Promise<Tool | null> {
    const server = (await this.#runtime.servers(patience)).find(({ uuid }) => uuid === serverUuid);
    const mcpTool = server?.connection.tools.find((tool) => tool.name === name);
    return server === undefined || mcpTool === undefined ? null : this.#toolOf(server, mcpTool);
  }

  #toolOf(server: ConnectedServer, mcpTool: McpTool): Tool {
    const known = this.#made.get(mcpTool);
    if (known?.server === server) return known.tool;
    const tool: Tool = {
      name: sanitised(mcpTool.name),
      prefix: sanitised(server.name),
      extension: extensionOf(server.uuid),
      description: mcpTool.description,
      parameters: mcpTool.parameters,
      get readOnly() {
        return readOnlyState(mcpTool, server.confirmed) === 'confirmed';
      },
      call: (parameters, context) => server.connection.call(mcpTool.name, parameters, context),
    };
    this.#made.set(mcpTool, { server, tool });
    return tool;
  }
}

/** Models take letters, digits, `_` and `-` only. */
function sanitised(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, longestToolName) || '_';
}
