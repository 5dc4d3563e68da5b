import { problemError } from '@parley/sdk';
import { unsavedName } from '../../../core/mcp/mcp-server-service.ts';
import type { ToolRunContext } from '../../../core/mcp/mcp-tool-runs.ts';
import { principalOf } from '../../access.ts';
import { answers, Nothing, success } from '../../envelope.ts';
import { taggedAnswers, withTag } from '../../record-tags.ts';
import { whileConnected } from '../../while-connected.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import {
  ConfirmTools,
  CreatedMcpServer,
  CreateMcpServer,
  McpServerAnswer,
  McpServerList,
  McpServerParams,
  RunTool,
  StartedTest,
  TestMcpServer,
  ToolRun,
  UpdateMcpServer,
} from './schema.ts';

const reads = { credential: 'either', scope: 'read', role: 'member' } as const;
/** Admins only: these servers run commands and receive secrets. */
const writes = { credential: 'either', scope: 'admin', role: 'admin' } as const;
const readOnly = ['uuid', 'runtime_info', 'confirmed_tools', 'created_at', 'updated_at'];

/** MCP servers. */
export async function mcpServerRoutes(
  server: TypedServer,
  { mcpServers, mcpToolRuns }: Pick<RouteServices, 'mcpServers' | 'mcpToolRuns'>,
) {
  server.get(
    '/api/v1/mcp/servers',
    {
      config: { access: reads },
      schema: { summary: 'List MCP servers', response: answers(McpServerList, 401, 403) },
    },
    async () => success({ servers: await mcpServers.list() }),
  );

  server.post(
    '/api/v1/mcp/servers',
    {
      config: { access: writes, audit: 'mcp-server.create', readOnly },
      schema: {
        summary: 'Create an MCP server',
        description: 'An enabled server is connected in the background; `runtime_info` contains the status.',
        body: CreateMcpServer,
        response: answers(CreatedMcpServer, 400, 401, 403, 409),
      },
    },
    async (request) => success({ uuid: await mcpServers.create(request.body) }),
  );

  server.get(
    '/api/v1/mcp/servers/:name',
    {
      config: { access: reads },
      schema: {
        summary: 'Read an MCP server',
        params: McpServerParams,
        response: taggedAnswers(McpServerAnswer, 401, 403, 404),
      },
    },
    async (request, reply) => success({ server: withTag(reply, await mcpServers.tagged(request.params.name)) }),
  );

  server.put(
    '/api/v1/mcp/servers/:name',
    {
      config: { access: writes, audit: 'mcp-server.update', readOnly, conditional: true },
      schema: {
        summary: 'Change an MCP server; omitted fields are unchanged, `extra_args` are replaced as a whole',
        params: McpServerParams,
        body: UpdateMcpServer,
        response: answers(Nothing, 400, 401, 403, 404, 409),
      },
    },
    async (request) => {
      const { params, body, expectedTags } = request;
      request.auditNote = { record_id: await mcpServers.update(params.name, body, expectedTags) };
      return success({});
    },
  );

  server.delete(
    '/api/v1/mcp/servers/:name',
    {
      config: { access: writes, audit: 'mcp-server.delete' },
      schema: {
        summary: 'Delete an MCP server, and remove it from pipelines',
        params: McpServerParams,
        response: answers(Nothing, 401, 403, 404),
      },
    },
    async (request) => {
      request.auditNote = { record_id: await mcpServers.delete(request.params.name) };
      return success({});
    },
  );

  server.put(
    '/api/v1/mcp/servers/:name/read-only-tools',
    {
      config: { access: writes, audit: 'mcp-server.confirm-tools' },
      schema: {
        summary: 'Confirm read-only tools of an MCP server',
        description:
          'Confirmed tools run for all users of pipelines with the server; for other tools, the pipeline defines the allowed ' +
          'users. A tool that changes must be confirmed again.',
        params: McpServerParams,
        body: ConfirmTools,
        response: answers(Nothing, 400, 401, 403, 404, 409),
      },
    },
    async (request) => {
      request.auditNote = { record_id: await mcpServers.confirmTools(request.params.name, request.body) };
      return success({});
    },
  );

  server.post(
    '/api/v1/mcp/servers/:name/test',
    {
      config: { access: writes, audit: 'mcp-server.test', readOnly },
      schema: {
        summary: 'Test the connection to an MCP server',
        description:
          'Starts a task that connects, lists the tools and disconnects; its result is `{status, tool_count, tools}`. ' +
          'The name `_` tests the configuration in the body, which is not stored; for a stored server the body is ignored.',
        params: McpServerParams,
        body: TestMcpServer,
        response: answers(StartedTest, 400, 401, 403, 404, 503),
      },
    },
    async (request) => {
      const { name } = request.params;
      const { extra_args } = name === unsavedName ? request.body : await mcpServers.get(name);
      request.auditNote = { attempt: { address: calledBy(extra_args) } };
      return success({ task_id: await mcpServers.test(name, request.body) });
    },
  );

  server.post(
    '/api/v1/mcp/servers/:name/tools/run',
    {
      // As in the chat, where tools that are not read-only run for signed-in admins: a key never counts as signed in.
      config: { access: { credential: 'user', scope: 'admin', role: 'admin' }, audit: 'each' },
      schema: {
        summary: 'Run a tool of an MCP server',
        description:
          'Calls the tool as an answer would: with the checks of its parameters, the timeout and the limits of results. ' +
          'The call ends when the client disconnects. The audit log has an entry before the call, with the parameters, ' +
          'and one when it ended, with the result.',
        params: McpServerParams,
        body: RunTool,
        response: answers(ToolRun, 400, 401, 403, 404, 409, 422, 499, 504),
      },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      if (principal.kind !== 'user') throw problemError('admins_run_tools');
      const record = await mcpServers.get(request.params.name);
      const { tool } = request.body;
      const about = { name: tool, server: record.name };
      const store: ToolRunContext['store'] = {
        begin: ({ parameters }) => request.recordAct('tool.run', record.uuid, { ...about, parameters }),
        end: (_, end) => request.recordAct('tool.end-run', record.uuid, { ...about, ...end }),
      };
      const { account } = principal;
      return success(await mcpToolRuns.run(record, request.body, { account, store, signal: whileConnected(reply) }));
    },
  );
}

/** How a server is reached: its URL, without a query that may contain secrets, or the name of its program. */
function calledBy(given: Record<string, unknown> = {}): string {
  const address = typeof given.url === 'string' ? given.url : String(given.command ?? '');
  const [shown = ''] = address.split(/[?#]/);
  return shown.slice(0, 500);
}
