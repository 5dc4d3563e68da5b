import { createGuardedFetch } from './guarded-fetch.ts';

/**
 * Creates the HTTP clients for calls that records cause.
 * @returns the client for a record, by those of its addresses that an admin saved: calls to their origins may reach
 *   private networks, others only the public internet. Null means all addresses
 */
export function createFetchForRecord(): (adminAddresses: readonly string[] | null) => typeof fetch {
  const saved = createGuardedFetch({ policy: 'saved' });
  const content = createGuardedFetch({ policy: 'content' });
  return (adminAddresses) => {
    if (adminAddresses === null) return saved;
    if (adminAddresses.length === 0) return content;
    const origins = new Set(adminAddresses.map(originOf));
    return (input, init) => {
      const origin = originOf(input instanceof Request ? input.url : String(input));
      return (origin !== undefined && origins.has(origin) ? saved : content)(input, init);
    };
  };
}

function originOf(address: string): string | undefined {
  return URL.parse(address)?.origin;
}
