import type { Reason, Tool } from '@parley/sdk';

/** Why a message may not have a tool called. */
export type ToolRefusal = Extract<Reason, 'tool_not_allowed' | 'tool_not_for_user'>;

/** Tools are offered to a model as they were when its message was claimed; each call is checked with present rights. */
export type ToolPurpose = 'offer' | 'call';

/** @returns null when the message may have the tool called */
export type ToolAccess = (tool: Pick<Tool, 'extension' | 'readOnly'>) => ToolRefusal | null;
