import type { AddressPolicy } from './address-policy.ts';
import type { CallFence } from './call-fence.ts';
import { createGuardedFetch } from './guarded-fetch.ts';
import type { HttpProxy } from './proxy-tunnel.ts';
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

/** The clients for the platform of a bot. */
interface PlatformClients {
  fetch: typeof fetch;
  openSocket: OpenSocket;
}

/**
 * Creates the clients for the platforms of bots, under the same rules. `wss:` has the origin of `https:`.
 * @param defaultProxy URL of the proxy for bots that have none; null for none
 * @param fence checked before each request and each message of a websocket
 * @returns the clients of a bot, by those of its addresses that an admin saved and the URL of its proxy; the proxy's
 *   address counts as one of them
 */
export function createPlatformNetwork(
  defaultProxy: string | null,
  fence?: CallFence,
): (adminAddresses: readonly string[] | null, proxy: string | null) => PlatformClients {
  const withDefault = createClients(defaultProxy === null ? undefined : { url: defaultProxy, policy: 'saved' }, fence);
  return (adminAddresses, proxy) => {
    const policyOf = policyFor(adminAddresses);
    const clients = proxy === null ? withDefault : createClients({ url: proxy, policy: policyOf(proxy) }, fence);
    return {
      fetch: (input, init) =>
        clients[policyOf(input instanceof Request ? input.url : String(input))].fetch(input, init),
      openSocket: (address, options) => clients[policyOf(address)].openSocket(address, options),
    };
  };
}

function createClients(
  proxy: HttpProxy | undefined,
  fence: CallFence | undefined,
): Record<AddressPolicy, PlatformClients> {
  const clients = (policy: AddressPolicy) => ({
    fetch: createGuardedFetch({ policy, proxy, fence }),
    openSocket: createGuardedSocket({ policy, proxy, fence }),
  });
  return { saved: clients('saved'), content: clients('content') };
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
