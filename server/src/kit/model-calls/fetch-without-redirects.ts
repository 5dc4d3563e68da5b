import { ParleyError } from '@parley/sdk';

/**
 * Wraps a `fetch` so that it follows no redirects: a provider could otherwise send user content to any address, also in
 * the private network.
 * @throws ParleyError `provider_failed` from the returned function, with the origin of the redirect target
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
      {
        response: { status: response.status, text: '' },
        ...(target.startsWith('http') ? { hint: { code: 'redirected', parameters: { url: target } } } : {}),
      },
    );
  };
}

/** Without path and query, which may contain request data. */
function originOf(location: string, base: string): string {
  const url = URL.parse(location, base);
  if (url === null) return 'something that is not an address';
  return url.host === '' ? `a ${url.protocol} address` : `${url.protocol}//${url.host}`;
}
