import { ParleyError } from '@parley/sdk';
import { answers, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import { McpServerAnswer, McpServerList, McpServerParams } from './schema.ts';

const tags = ['MCP servers'];
const config = { access: { credential: 'either', scope: 'read' } } as const;

/** What clients read of servers of the Model Context Protocol, of which there are none yet. */
export async function mcpServerRoutes(server: TypedServer) {
  server.get(
    '/api/v1/mcp/servers',
    {
      config,
      schema: { tags, summary: 'List MCP servers; none can be added yet', response: answers(McpServerList, 401, 403) },
    },
    async () => success({ servers: [] }),
  );

  server.get(
    '/api/v1/mcp/servers/:name',
    {
      config,
      schema: {
        tags,
        summary: 'Read an MCP server; there is none yet',
        params: McpServerParams,
        response: answers(McpServerAnswer, 401, 403, 404),
      },
    },
    async () => {
      throw new ParleyError('not_found', 'Server not found');
    },
  );
}
