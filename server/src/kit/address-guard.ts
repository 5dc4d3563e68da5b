import { isIP, type LookupFunction } from 'node:net';
import { type ParleyError, problemError } from '@parley/sdk';
import { type AddressPolicy, isAddressAllowed } from './address-policy.ts';
import type { Resolve } from './resolve.ts';

/** A socket lookup that returns allowed addresses only. */
export function guardedLookup(resolve: Resolve, policy: AddressPolicy): LookupFunction {
  return (hostname, lookupOptions, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const allowed = addresses.filter(({ address }) => isAddressAllowed(address, policy));
        const first = allowed[0];
        if (first === undefined) callback(refusal(hostname), []);
        else if (lookupOptions.all === true) callback(null, allowed);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

/**
 * Checks a host that is an IP address, which is never looked up. The URL parser has already turned every spelling
 * (`0x7f.1`, `2130706433`) into the plain one.
 * @throws ParleyError `address_not_allowed`
 */
export function requireAllowedLiteral(hostname: string, policy: AddressPolicy): void {
  const literal = plain(hostname);
  if (isIP(literal) !== 0 && !isAddressAllowed(literal, policy)) throw refusal(literal);
}

/**
 * Checks a host to which someone else connects.
 * @param hostname as in a URL
 * @throws ParleyError `address_not_allowed`; the error of the resolver
 */
export async function requireAllowedHost(hostname: string, resolve: Resolve, policy: AddressPolicy): Promise<void> {
  requireAllowedLiteral(hostname, policy);
  if (isIP(plain(hostname)) !== 0) return;
  const addresses = await resolve(hostname);
  // Which of them is used is not ours to choose.
  if (addresses.length === 0 || !addresses.every(({ address }) => isAddressAllowed(address, policy))) {
    throw refusal(hostname);
  }
}

/** An IPv6 address without its brackets. */
function plain(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

function refusal(hostname: string): ParleyError {
  return problemError('address_refused', { host: hostname });
}
