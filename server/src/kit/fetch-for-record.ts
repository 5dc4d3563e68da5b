import type { AddressPolicy } from './address-policy.ts';
import { createGuardedFetch } from './guarded-fetch.ts';
import { createGuardedSocket, type OpenSocket } from './sockets/guarded-socket.ts';

/**
 * Creates the HTTP clients for calls that records cause.
 * @returns the client for a record, by those of its addresses that an admin saved: calls to their origins may reach
 *   private networks, others only the public internet. Null means all addresses
 */
export function createFetchForRecord(): (adminAddresses: readonly string[] | null) => typeof fetch {
  const clients = {
    saved: createGuardedFetch({ policy: 'saved' }),
    content: createGuardedFetch({ policy: 'content' }),
  };
  return (adminAddresses) => {
    const policyOf = policyFor(adminAddresses);
    return (input, init) => clients[policyOf(input instanceof Request ? input.url : String(input))](input, init);
  };
}

/** Creates the websocket clients of records, under the same rules. `wss:` has the origin of `https:`. */
export function createSocketForRecord(): (adminAddresses: readonly string[] | null) => OpenSocket {
  const clients = {
    saved: createGuardedSocket({ policy: 'saved' }),
    content: createGuardedSocket({ policy: 'content' }),
  };
  return (adminAddresses) => {
    const policyOf = policyFor(adminAddresses);
    return (address, options) => clients[policyOf(address)](address, options);
  };
}

function policyFor(adminAddresses: readonly string[] | null): (address: string) => AddressPolicy {
  if (adminAddresses === null) return () => 'saved';
  const origins = new Set(adminAddresses.map(originOf));
  return (address) => {
    const origin = originOf(address);
    return origin !== undefined && origins.has(origin) ? 'saved' : 'content';
  };
}

function originOf(address: string): string | undefined {
  return URL.parse(address.replace(/^ws/i, 'http'))?.origin;
}
