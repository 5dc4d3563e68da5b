import { ParleyError, type Tool, type ToolCallContext, type ToolResult } from '@parley/sdk';
import type { McpTarget, McpTool, Protection } from './mcp-server.ts';

/** A connection to a server that has been greeted. */
export interface McpSession {
  /** What keeps its process from the data of the service; null where it has none. */
  readonly protection: Protection | null;
  /** The tools that it has now. @throws ParleyError when it does not say */
  tools(signal: AbortSignal): Promise<McpTool[]>;
  /**
   * @throws ParleyError with a message for the model, {@link ConnectionLost} when the connection is of no use any more,
   *   or the signal's reason
   */
  call(name: string, parameters: Parameters<Tool['call']>[0], context: SessionCallContext): Promise<ToolResult>;
  /** Ends it in bounded time; a process that was started is gone then. */
  close(): Promise<void>;
}

export type SessionCallContext = Pick<ToolCallContext, 'signal' | 'progress'>;

export interface McpSessionOptions {
  /** Name of the folder that its process has for its own. */
  home: string;
  /** Aborted when the connection is not needed any more. */
  signal: AbortSignal;
  /** Called when the server says that its tools are others now. */
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
  /** False when the server surely did not take the call, so that it may be made again. */
  readonly mayHaveBeenMade: boolean;

  constructor(message: string, { mayHaveBeenMade }: { mayHaveBeenMade: boolean }) {
    super('tool_failed', message);
    this.mayHaveBeenMade = mayHaveBeenMade;
  }
}
