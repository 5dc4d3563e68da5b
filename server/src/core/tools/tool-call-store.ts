import type { ToolCall } from './tool-call.ts';

/** A tool call before it is made. */
export type NewToolCall = Pick<ToolCall, 'uuid' | 'message_uuid' | 'tool_name' | 'parameters' | 'started_at'>;

/** How a tool call ended. */
export type ToolCallEnd = Pick<ToolCall, 'result' | 'result_size' | 'state' | 'reason' | 'error' | 'milliseconds'>;

/** Records calls of one message, or calls without a message. */
export interface ToolCallRecords {
  /**
   * Records a call as `running`, before it is made.
   * @throws StorageError `not_owner` when the claim of the message is outdated
   */
  begin(call: NewToolCall): Promise<void>;
  /** A no-op for a call that has ended or is gone. */
  end(uuid: string, end: ToolCallEnd): Promise<void>;
}

export interface ToolCallStore extends Pick<ToolCallRecords, 'end'> {
  /**
   * Records a call as `running`, before it is made.
   * @param claim that of the message
   * @throws StorageError `not_owner` when the claim is outdated
   */
  begin(call: NewToolCall, claim: number): Promise<void>;
  /** At start: marks calls that no living replica makes as interrupted. @returns how many */
  interruptAbandoned(): Promise<number>;
  /** The calls that a message caused, oldest first. */
  ofMessage(messageUuid: string): Promise<ToolCall[]>;
}
