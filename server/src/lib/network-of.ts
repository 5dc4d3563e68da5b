import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Longest stored text that is no address: behind proxies it is from a header of the client. */
const longestText = 64;

/**
 * What counts as one place on the network: an IPv4 address, or the /64 of an IPv6 address, all of which one subscriber
 * has. Another text stays as it is, cut to 64 characters.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address.slice(0, longestText);
  // Also an IPv4 address that is written as an IPv6 one.
  const parsed = ipaddr.process(address.replace(/%.*$/, ''));
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const parts = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${parts.join(':')}::/64`;
}
