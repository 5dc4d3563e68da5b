import { createHash } from 'node:crypto';
import { invalidFields, problemError } from '@parley/sdk';
import type { ConfirmedTools, ConfirmTools, McpTool, ReadOnly } from './mcp-server.ts';

/** Changes with everything that a model reads of the tool, and with what the server claims of it. */
export function fingerprintOf(tool: Omit<McpTool, 'fingerprint'>): string {
  const { name, description, parameters, read_only_hint } = tool;
  const text = JSON.stringify([name, description, parameters, read_only_hint]);
  return createHash('sha256').update(text).digest('base64url');
}

/** Whether an admin confirmed that a tool is read-only, and it is still the same. */
export function readOnlyState({ name, fingerprint }: McpTool, confirmed: ConfirmedTools): ReadOnly {
  const then = Object.hasOwn(confirmed, name) ? confirmed[name] : undefined;
  if (then === undefined) return 'unconfirmed';
  return then === fingerprint ? 'confirmed' : 'changed';
}

/**
 * @param tools that the server has now
 * @throws ParleyError `invalid_request` for a tool that it does not have, `conflict` for one that is not as it was read
 */
export function confirmTools(stored: ConfirmedTools, { tools: requested }: ConfirmTools, tools: readonly McpTool[]) {
  const confirmed = new Map(Object.entries(stored));
  for (const [index, { name, read_only, fingerprint }] of requested.entries()) {
    if (!read_only) {
      confirmed.delete(name);
      continue;
    }
    const path = `tools[${index}]`;
    if (fingerprint === undefined)
      throw invalidFields([{ path: `${path}.fingerprint`, message: 'is required', rule: 'required' }]);
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) {
      throw invalidFields([{ path: `${path}.name`, message: 'the server has no such tool now', rule: 'missing' }]);
    }
    if (tool.fingerprint !== fingerprint) {
      throw problemError(
        'tool_changed',
        { tool: name },
        {
          details: [{ path: `${path}.fingerprint`, message: 'is that of a former version', rule: 'outdated' }],
        },
      );
    }
    confirmed.set(name, fingerprint);
  }
  return Object.fromEntries(confirmed);
}
