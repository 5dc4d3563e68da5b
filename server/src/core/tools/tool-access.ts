import type { Reason, Tool } from '@parley/sdk';

/** Why a message may not have a tool called. */
export type ToolRefusal = Extract<Reason, 'tool_not_allowed' | 'tool_not_for_user'>;

/** @returns null when the message may have the tool called */
export type ToolAccess = (tool: Pick<Tool, 'extension' | 'readOnly'>) => ToolRefusal | null;
