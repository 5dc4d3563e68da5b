import { isIP } from 'node:net';

const networkWords = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** Whether the text is an IP address, a network in CIDR form, or a word for one: loopback, linklocal, uniquelocal. */
export function isNetwork(text: string): boolean {
  if (networkWords.has(text)) return true;
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

/** Whether the text is a host name or an IP address, in brackets when it is of IPv6, with a port. */
export function isReplicaAddress(text: string): boolean {
  const [, bracketed, host = '', port] = /^(?:\[([^\]]*)\]|([A-Za-z0-9._-]+)):(\d{1,5})$/.exec(text) ?? [];
  return Number(port) <= 65_535 && (bracketed === undefined ? host !== '' : isIP(bracketed) === 6);
}

/** Whether the text is an http or https address without account, query or fragment. */
export function isPublicUrl(text: string): boolean {
  const url = httpUrl(text);
  return url !== null && !/[?#]/.test(text) && url.username === '' && url.password === '';
}

/** Whether the text is exactly what a browser sends as `Origin`: scheme, host and a port that is not the default one. */
export function isOrigin(text: string): boolean {
  return httpUrl(text)?.origin === text;
}

function httpUrl(text: string): URL | null {
  return /^https?:\/\//i.test(text) ? URL.parse(text) : null;
}
