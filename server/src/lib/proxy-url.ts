/** Whether a text is the URL of an HTTP proxy: http or https, a host, and nothing but an account and a port besides. */
export function isProxyUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && url.pathname === '/' && !/[\s?#]/.test(text) && isDecodable(url.username + url.password);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Scheme, host and port of a proxy, without its account; null for any other text. */
export function proxyOrigin(text: string): string | null {
  return isProxyUrl(text) ? new URL(text).origin : null;
}
