import type { ToolCall } from './tool-call.ts';

/** A tool call before it is made. */
export type NewToolCall = Pick<ToolCall, 'uuid' | 'message_uuid' | 'tool_name' | 'parameters' | 'started_at'>;

/** How a tool call ended. */
export type ToolCallEnd = Pick<ToolCall, 'result' | 'result_size' | 'state' | 'reason' | 'error' | 'milliseconds'>;

export interface ToolCallStore {
  /** Records a call as `running`, before it is made. */
  begin(call: NewToolCall): Promise<void>;
  /** A no-op for a call that has ended or is gone. */
  end(uuid: string, end: ToolCallEnd): Promise<void>;
  /** At start: marks calls that are still `running` as interrupted. @returns how many */
  interruptRunning(): Promise<number>;
  /** The calls that a message caused, oldest first. */
  ofMessage(messageUuid: string): Promise<ToolCall[]>;
}
