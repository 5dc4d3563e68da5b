import { ParleyError } from '@parley/sdk';
import type { Author } from '../accounts/author.ts';
import type { ExtensionsPreferences } from './pipeline.ts';

type Bindings = Pick<ExtensionsPreferences, 'enable_all_mcp_servers' | 'mcp_servers'>;

/**
 * Only an admin gives a pipeline more MCP servers: whoever writes to it can have their tools called.
 * @param before what was bound; null for a new pipeline
 * @throws ParleyError `scope_required`
 */
export function requireBindings(before: Bindings | null, after: Bindings, author: Author): void {
  if (author === 'admin' || !widens(before, after)) return;
  throw new ParleyError(
    'scope_required',
    'Only an admin may bind MCP servers to a pipeline: sign in to an admin account, or use an API key with the scope "admin"',
  );
}

function widens(before: Bindings | null, after: Bindings): boolean {
  if (before?.enable_all_mcp_servers === true) return false;
  if (after.enable_all_mcp_servers) return true;
  const known = new Set(before?.mcp_servers.map((server) => server.toLowerCase()));
  return after.mcp_servers.some((server) => !known.has(server.toLowerCase()));
}
