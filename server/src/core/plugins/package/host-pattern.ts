const pattern =
  /^(?:\*|(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9]))(?::([1-9][0-9]{0,4}))?$/;

/**
 * Why an entry of the permission `fetch` is refused; null for `api.example.com`, `api.example.com:8443`,
 * `*.example.com` and `*`. Addresses and names of the local network are none: those are settings.
 */
export function hostFault(host: string): string | null {
  const found = pattern.exec(host);
  if (found === null || Number(found[1] ?? 443) > 65_535) {
    return 'must be a host name in lower case, perhaps with a port: api.example.com, *.example.com or *';
  }
  return host.startsWith('*:') ? 'must be * without a port' : null;
}

/** Whether an entry of the permission `fetch` allows an address. */
export function allowsAddress(entry: string, { protocol, hostname, port }: URL): boolean {
  if (protocol !== 'https:') return false;
  const name = hostname.toLowerCase().replace(/\.$/, '');
  // An address of a network has no name that could be granted.
  if (entry === '*') return port === '' && hostFault(name) === null;
  const [host = '', granted = ''] = entry.split(':');
  if ((granted === '443' ? '' : granted) !== port) return false;
  return host.startsWith('*.') ? name.endsWith(host.slice(1)) : name === host;
}
