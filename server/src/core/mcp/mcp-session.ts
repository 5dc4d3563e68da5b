import { type Hint, ParleyError, type Tool, type ToolCallContext, type ToolResult } from '@parley/sdk';
import type { McpTarget, McpTool, Protection } from './mcp-server.ts';

/** A connection to a server that has been greeted. */
export interface McpSession {
  /** Isolation of its process from the data of the service; null without a process. */
  readonly protection: Protection | null;
  /** The present tools. @throws ParleyError when listing fails */
  tools(signal: AbortSignal): Promise<McpTool[]>;
  /**
   * @throws ParleyError with a message for the model, {@link ConnectionLost} when the connection is of no use any more,
   *   or the signal's reason
   */
  call(name: string, parameters: Parameters<Tool['call']>[0], context: SessionCallContext): Promise<ToolResult>;
  /** Ends it in bounded time, with its process if it has one. */
  close(): Promise<void>;
}

export type SessionCallContext = Pick<ToolCallContext, 'signal' | 'progress'>;

export interface McpSessionOptions {
  /** Name of the folder that its process has for its own. */
  home: string;
  /** Aborted when the connection is not needed any more. */
  signal: AbortSignal;
  /** Called when the server announces changed tools. */
  toolsChanged: () => void;
  /** Called when the connection broke, not when it was closed. */
  lost: (why: ParleyError) => void;
  /** Called with each tool that is skipped, and why. */
  leftOut: (tool: string) => void;
  /** Output of the server outside of the protocol, line by line. */
  said: (line: string) => void;
}

/** Connects to a server. @throws ParleyError with a message for the operator */
export type OpenMcpSession = (target: McpTarget, options: McpSessionOptions) => Promise<McpSession>;

/** A call failed with its connection. */
export class ConnectionLost extends ParleyError {
  /** False when the server certainly did not process the call, so that it may be repeated. */
  readonly mayHaveBeenMade: boolean;

  constructor(message: string, { mayHaveBeenMade, hint }: { mayHaveBeenMade: boolean; hint?: Hint | undefined }) {
    super('tool_failed', message, { hint });
    this.mayHaveBeenMade = mayHaveBeenMade;
  }
}
