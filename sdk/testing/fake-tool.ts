import type { Tool, ToolCallContext, ToolResult } from '../src/tool.ts';

export interface FakeToolOptions {
  /** Default `look_up`. */
  name?: string;
  description?: string;
  /** Default: an object with one required text, `query`. */
  parameters?: Record<string, unknown>;
  /** The result, or a function that returns it or throws. Default: the parameters as JSON. */
  answer?:
    | string
    | ToolResult
    | ((parameters: Record<string, unknown>, context: ToolCallContext) => Promise<string | ToolResult>);
}

/** A tool that records its calls. */
export interface FakeTool extends Tool {
  calls: { parameters: Record<string, unknown>; context: ToolCallContext }[];
}

/** Creates a tool for tests. */
export function fakeTool(options: FakeToolOptions = {}): FakeTool {
  const { answer = async (parameters: Record<string, unknown>) => JSON.stringify(parameters) } = options;
  const calls: FakeTool['calls'] = [];
  return {
    calls,
    name: options.name ?? 'look_up',
    description: options.description ?? 'Looks something up.',
    parameters: options.parameters ?? {
      type: 'object',
      properties: { query: { type: 'string' } },
      required: ['query'],
      additionalProperties: false,
    },
    async call(parameters, context) {
      calls.push({ parameters, context });
      const result = typeof answer === 'function' ? await answer(parameters, context) : answer;
      return typeof result === 'string' ? { text: result } : result;
    },
  };
}
