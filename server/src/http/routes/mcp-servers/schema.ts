import Type from 'typebox';
import {
  ConfirmTools,
  CreateMcpServer,
  McpServer,
  RunTool,
  TestMcpServer,
  ToolRun,
  UpdateMcpServer,
} from '../../../core/mcp/mcp-server.ts';

export const McpServerParams = Type.Object({
  name: Type.String({ description: 'The name, percent-encoded, or the uuid.' }),
});
export const McpServerList = Type.Object({ servers: Type.Array(McpServer) });
export const McpServerAnswer = Type.Object({ server: McpServer });
export const CreatedMcpServer = Type.Object({ uuid: Type.String({ format: 'uuid' }) });
export const StartedTest = Type.Object({ task_id: Type.Integer({ minimum: 1 }) });
export { ConfirmTools, CreateMcpServer, RunTool, TestMcpServer, ToolRun, UpdateMcpServer };
