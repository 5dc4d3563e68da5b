import type { SocketRequest } from '@parley/sdk';

/** What a socket of a client carries: actions and their responses, events, or both. */
export interface ClientRole {
  takesActions: boolean;
  sendsEvents: boolean;
}

export const universal: ClientRole = { takesActions: true, sendsEvents: true };
const api: ClientRole = { takesActions: true, sendsEvents: false };
const event: ClientRole = { takesActions: false, sendsEvents: true };

const byHeader: Readonly<Record<string, ClientRole>> = { universal, api, event };
/** Paths that clients use, below the address of the bot. */
const byPath: Readonly<Record<string, ClientRole>> = { '': universal, ws: universal, 'ws/api': api, 'ws/event': event };

/** @returns null for a path that no client uses */
export function roleOf({ path, headers }: SocketRequest): ClientRole | null {
  const ofPath = Object.hasOwn(byPath, path) ? byPath[path] : undefined;
  if (ofPath === undefined) return null;
  const name = headers['x-client-role']?.trim().toLowerCase() ?? '';
  return (Object.hasOwn(byHeader, name) ? byHeader[name] : undefined) ?? ofPath;
}
