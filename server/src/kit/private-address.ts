import { isIP } from 'node:net';
import { inTime } from '../lib/waiting.ts';
import { isAddressAllowed } from './address-policy.ts';
import { type Resolve, resolveWithSystem } from './resolve.ts';

/** Longest look-up of a name, milliseconds. */
const patience = 5000;

/**
 * Whether a URL leads outside of the public internet, by one of its addresses at least. A name that cannot be looked up
 * does not count: the connection is checked again when it is made.
 */
export async function isPrivateAddress(url: string, resolve: Resolve = resolveWithSystem): Promise<boolean> {
  const hostname = URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? '';
  if (hostname === '') return false;
  if (isIP(hostname) !== 0) return !isAddressAllowed(hostname, 'content');
  const found = await inTime(
    resolve(hostname).catch(() => []),
    patience,
    () => [],
  );
  return found.some(({ address }) => !isAddressAllowed(address, 'content'));
}
