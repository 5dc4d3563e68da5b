import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Where the address of a call comes from. `saved`: an administrator stored it, so loopback and private networks are
 * allowed (a model server on the same machine). `content`: it came in a message, a page or a tool result, so only the
 * public internet is allowed.
 */
export type AddressPolicy = 'saved' | 'content';

/** Addresses outside the link-local range at which clouds serve instance credentials. */
const metadataAddresses = new Set([
  '100.100.100.200', // Alibaba Cloud
  '192.0.0.192', // Oracle Cloud
  '168.63.129.16', // Azure's host agent
  'fd00:ec2::254', // AWS
  'fd20:ce::254', // Google Cloud
]);

/** Ranges without legitimate services. */
const neverAllowed = new Set(['linkLocal', 'unspecified', 'multicast', 'broadcast']);

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
const translated = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * Whether a call may connect to an address.
 * @param address an IP address from a resolver; anything else is refused
 */
export function isAddressAllowed(address: string, policy: AddressPolicy): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (metadataAddresses.has(parsed.toString())) return false;
  return policy === 'saved' ? isAllowedWhenSaved(parsed) : isPublic(parsed);
}

function isAllowedWhenSaved(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (neverAllowed.has(address.range())) return false;
  const carried = carriedAddress(address);
  return carried === undefined || isAddressAllowed(carried.toString(), 'saved');
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast';
  // A network that only has IPv6 reaches the IPv4 internet through these two; the address inside decides.
  if (address.isIPv4MappedAddress() || address.match(translated)) {
    return isAddressAllowed(lastFourBytes(address).toString(), 'content');
  }
  // `range` reports unknown ranges such as `::/96` as unicast, so the public block is checked as well.
  return address.match(globalUnicast) && address.range() === 'unicast';
}

/** The IPv4 address that an IPv6 address carries packets to, through a mapping, a translator or a tunnel. */
function carriedAddress(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | undefined {
  if (address instanceof ipaddr.IPv4) return undefined;
  switch (address.range()) {
    case 'ipv4Mapped':
    case 'rfc6145':
    case 'rfc6052':
      return lastFourBytes(address);
    case '6to4':
      return new ipaddr.IPv4(address.toByteArray().slice(2, 6));
    case 'teredo':
      return new ipaddr.IPv4(lastFourBytes(address).octets.map((octet) => octet ^ 0xff));
    default:
      return address.parts.slice(0, 6).every((part) => part === 0) && address.range() === 'unicast'
        ? lastFourBytes(address)
        : undefined;
  }
}

function lastFourBytes(address: ipaddr.IPv6): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}
