import { ParleyError } from '@parley/sdk';

/**
 * Wraps a `fetch` so that it follows no redirect: a provider would otherwise choose which address, also of the private
 * network, is called with what users wrote.
 * @throws ParleyError `provider_failed` from the returned function, with the origin that the redirect points to
 */
export function fetchWithoutRedirects(inner: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await inner(input, { ...init, redirect: 'manual' });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) return response;
    await response.body?.cancel();
    const target = originOf(location, input instanceof Request ? input.url : String(input));
    throw new ParleyError(
      'provider_failed',
      `The model provider redirects the call to ${target}. Redirects are not followed; ` +
        'if that is where the provider is, save its address.',
    );
  };
}

/** Without path and query, which may hold what was sent. */
function originOf(location: string, base: string): string {
  const url = URL.parse(location, base);
  if (url === null) return 'something that is not an address';
  return url.host === '' ? `a ${url.protocol} address` : `${url.protocol}//${url.host}`;
}
