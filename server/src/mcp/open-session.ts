import type { OpenMcpSession } from '../core/mcp/mcp-session.ts';
import { boundedFetch } from './bounded-fetch.ts';
import type { McpHomes } from './mcp-homes.ts';

/** Most bytes of one message of a server. */
const maximumMessageBytes = 16 * 1024 * 1024;
/** How long a process may take to end, see {@link StdioTransport}, milliseconds. */
const graceMs = 1500;
/** Interval of pings to a remote server, milliseconds. */
const pingMs = 60_000;

export interface OpenSessionTiming {
  graceMs?: number;
  pingMs?: number;
}

/**
 * Makes what connects to servers.
 * @param inner for addresses that an administrator saved
 * @param homes where processes have a folder of their own
 */
export function createOpenSession(
  inner: typeof fetch,
  homes: McpHomes,
  timing: OpenSessionTiming = {},
): OpenMcpSession {
  const fetch = boundedFetch(inner, maximumMessageBytes);
  return async (target, options) => {
    // Loaded at the first connection: a service without servers should not pay for the client.
    const { connectSession } = await import('./sdk-session.ts');
    return connectSession(target, options, { fetch, homes, maximumMessageBytes, graceMs, pingMs, ...timing });
  };
}
