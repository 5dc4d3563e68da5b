import type { PlatformContext } from '@parley/sdk';
import { LRUCache } from 'lru-cache';

/**
 * Gives the HTTP client for the calls that a record causes.
 * @param adminAddresses those of its addresses that an admin saved, null for all: calls to their origins may reach private
 *   networks, others only the public internet
 */
export type FetchFor = (adminAddresses: readonly string[] | null) => typeof globalThis.fetch;

/**
 * Gives the clients for the platform of a bot, under the same rules.
 * @param proxy URL of its HTTP proxy; null for the one of all bots, if there is one
 */
export type PlatformNetwork = (
  adminAddresses: readonly string[] | null,
  proxy: string | null,
) => Pick<PlatformContext, 'fetch' | 'openSocket'>;

/** Clients in memory. There may be more, which are created when they are needed. */
const maximumClients = 1000;

/** Gives the same client for the same addresses, so that whatever is cached with a client is found again. */
export function cacheClients(fetchFor: FetchFor): FetchFor {
  const clients = new LRUCache<string, typeof globalThis.fetch>({ max: maximumClients });
  return (adminAddresses) => {
    const key = JSON.stringify(adminAddresses);
    const client = clients.get(key) ?? fetchFor(adminAddresses);
    clients.set(key, client);
    return client;
  };
}
