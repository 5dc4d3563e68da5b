const privateHost =
  /^(localhost$|.*\.(localhost|local|internal|lan|home\.arpa)$|(127|10|0)(\.\d+){3}$|(192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))(\.\d+){2}$|\[(::1|f[cd]|fe[89ab]))/i;

/** Whether a platform on the internet may be able to call a URL: HTTPS, and no host of a private network. */
export function isPublicAddress(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.protocol === 'https:' && !privateHost.test(url.hostname);
}
