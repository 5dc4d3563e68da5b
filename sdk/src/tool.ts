import type { MessageElement } from './message-chain.ts';
import type { PipelineMessage } from './stage.ts';

/** Result of a tool. */
export interface ToolResult {
  /** The text for the model. */
  text: string;
  /** Sent to the user along with the answer. */
  attachments?: MessageElement[];
}

export interface ToolCallContext {
  /** The message being answered; its sender is the user on whose behalf the tool is called. */
  message: PipelineMessage;
  signal: AbortSignal;
  /** Reports progress: restarts the timeout, within bounds. */
  progress(): void;
}

/** Something a model may do. */
export interface Tool {
  /** Unique among all tools: letters, digits, `_` and `-`, at most 64. */
  name: string;
  /** Put before the name, with `_`, when another tool has the name already. */
  prefix?: string;
  /** The extension that pipelines select the tool by: `mcp-server/<uuid>`. Tools without one are always available. */
  extension?: string;
  /** Whether an admin confirmed that the tool changes nothing. Checked only for tools of an extension. */
  readonly readOnly?: boolean;
  /** For the model. */
  description: string;
  /** JSON Schema of the arguments: an object. */
  parameters: Record<string, unknown>;
  /** @throws anything; the model receives an error, with the message if it is a ParleyError */
  call(parameters: Record<string, unknown>, context: ToolCallContext): Promise<ToolResult>;
}

/** Where tools come from: built in, from an MCP server, from a plugin. */
export interface ToolSource {
  name: string;
  /** The tools that there are now. */
  tools(): Promise<readonly Tool[]>;
}
