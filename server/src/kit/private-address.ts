import { isIP } from 'node:net';
import { inTime } from '../lib/waiting.ts';
import { isAddressAllowed } from './address-policy.ts';
import { type Resolve, resolveWithSystem } from './resolve.ts';

/** Longest look-up of a name, milliseconds. */
const patience = 5000;

/**
 * Whether a URL leads outside of the public internet, by at least one of its addresses. A name that cannot be resolved
 * does not count: the address is checked again when connecting.
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
