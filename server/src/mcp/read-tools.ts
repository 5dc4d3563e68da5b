import type { McpTool } from '../core/mcp/mcp-server.ts';

/** Most tools of one server that are looked at. */
export const maximumTools = 1000;
/** Longest description, characters; the rest is cut off. */
const longestDescription = 4096;
/** Longest schema, characters of JSON. */
const longestSchema = 65_536;

/** The tools that a server told of; those that nobody could call are left out, whatever else is wrong with the list. */
export function readTools(list: unknown): McpTool[] {
  return Array.isArray(list) ? list.slice(0, maximumTools).flatMap((tool) => readTool(tool) ?? []) : [];
}

function readTool(tool: unknown): McpTool | null {
  if (!isObject(tool) || typeof tool.name !== 'string' || tool.name === '') return null;
  const { name, description, inputSchema = {}, execution } = tool;
  if (!isObject(inputSchema) || JSON.stringify(inputSchema).length > longestSchema) return null;
  // It answers only to those who ask for the result later.
  if (isObject(execution) && execution.taskSupport === 'required') return null;
  return {
    name,
    description: typeof description === 'string' ? description.slice(0, longestDescription) : '',
    // What a model is offered has to say that it takes an object.
    parameters: { ...inputSchema, type: 'object' },
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
