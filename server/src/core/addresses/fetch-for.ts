import type { PlatformContext } from '@parley/sdk';

/**
 * Gives the HTTP client for the calls that a record causes.
 * @param adminAddresses those of its addresses that an admin saved, null for all: calls to their origins may reach private
 *   networks, others only the public internet
 */
export type FetchFor = (adminAddresses: readonly string[] | null) => typeof globalThis.fetch;

/** Gives the websocket client for the connections that a record causes, under the same rules. */
export type SocketFor = (adminAddresses: readonly string[] | null) => PlatformContext['openSocket'];
