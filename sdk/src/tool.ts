import type { MessageElement } from './message-chain.ts';
import type { PipelineMessage } from './stage.ts';

/** What a tool answers a model. */
export interface ToolResult {
  /** What the model is told. */
  text: string;
  /** Sent to the person along with the answer. */
  attachments?: MessageElement[];
}

export interface ToolCallContext {
  /** The message that is being answered; the person who may cause the call is its sender. */
  message: PipelineMessage;
  signal: AbortSignal;
  /** Tells that the tool is at work: its time limit begins anew, within bounds. */
  progress(): void;
}

/** Something a model may do. */
export interface Tool {
  /** Unique among all tools: letters, digits, `_` and `-`, at most 64. */
  name: string;
  /** Put before the name, with `_`, when another tool has the name already. */
  prefix?: string;
  /** What the tool belongs to where pipelines choose what they use: `mcp-server/<uuid>`. Others are for all. */
  extension?: string;
  /** Whether an admin confirmed that calling it changes nothing. Only tools of an extension are asked. */
  readonly readOnly?: boolean;
  /** For the model. */
  description: string;
  /** JSON Schema of the arguments: an object. */
  parameters: Record<string, unknown>;
  /** @throws anything; the model is told that the tool failed, and why when it is a ParleyError */
  call(parameters: Record<string, unknown>, context: ToolCallContext): Promise<ToolResult>;
}

/** Where tools come from: built in, from an MCP server, from a plugin. */
export interface ToolSource {
  name: string;
  /** The tools that there are now. */
  tools(): Promise<readonly Tool[]>;
}
