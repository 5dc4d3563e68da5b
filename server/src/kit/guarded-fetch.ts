import { ParleyError, problemError } from '@parley/sdk';
import type * as Undici from 'undici';
import { guardedLookup, requireAllowedLiteral } from './address-guard.ts';
import type { AddressPolicy } from './address-policy.ts';
import { type CallFence, fenceRequests } from './call-fence.ts';
import { isTextPost, postText } from './post-text.ts';
import { type HttpProxy, openTunnel } from './proxy-tunnel.ts';
import { type Resolve, resolveWithSystem } from './resolve.ts';

export interface GuardedFetchOptions {
  /** Which addresses may be reached. */
  policy: AddressPolicy;
  /** Time for the connection to stand, milliseconds. Default 10 000. */
  connectTimeoutMs?: number;
  /** Time until the first byte of an answer and between two bytes, milliseconds. Default 300 000. */
  idleTimeoutMs?: number;
  /** How many redirects are followed before the call fails. Default 5. */
  maximumRedirects?: number;
  /** Connections are made through it. Default: none. */
  proxy?: HttpProxy | undefined;
  /** Resolves a host name. Default: the operating system's resolver. */
  resolve?: Resolve;
  /** Checked before each request. Default: none. */
  fence?: CallFence | undefined;
}

/** Headers that may be sent to another origin; any other could contain a credential. */
const harmlessHeaders = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'range',
  'user-agent',
]);
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/**
 * Creates the HTTP client for every outbound call. It has the parameters of `fetch` and connects only to addresses that
 * the policy allows. The address of the actual connection is checked, for each connection and each redirect, so DNS
 * rebinding has no effect. Through a proxy, the address that is found here is checked. Proxy variables of the environment are ignored.
 *
 * @throws ParleyError `address_not_allowed` from the returned function when the address, or one it is redirected to, is
 *   refused; otherwise it fails as `fetch` does
 */
export function createGuardedFetch(options: GuardedFetchOptions): typeof fetch {
  const resolve = options.resolve ?? resolveWithSystem;
  const maximumRedirects = options.maximumRedirects ?? 5;

  let client: Promise<{ undici: typeof Undici; agent: Undici.Dispatcher }> | undefined;
  // Loaded on first use, to save memory without outbound calls.
  async function open() {
    const undici = await import('undici');
    const timeout = options.connectTimeoutMs ?? 10_000;
    const connect = undici.buildConnector({
      timeout,
      lookup: guardedLookup(resolve, options.policy),
      allowH2: false,
    });
    const connectThrough = (
      proxy: HttpProxy,
      target: Undici.buildConnector.Options,
      callback: Undici.buildConnector.Callback,
    ) => {
      const { hostname, protocol, port } = target;
      const isSecure = protocol === 'https:';
      const signal = AbortSignal.timeout(timeout);
      openTunnel(hostname, Number(port) || (isSecure ? 443 : 80), { ...options, proxy, resolve, signal }).then(
        (httpSocket) => (isSecure ? connect({ ...target, httpSocket }, callback) : callback(null, httpSocket)),
        (error: Error) => callback(error, null),
      );
    };
    const idleTimeout = options.idleTimeoutMs ?? 300_000;
    const agent = new undici.Agent({
      headersTimeout: idleTimeout,
      bodyTimeout: idleTimeout,
      connect: (target, callback) => {
        try {
          requireAllowedLiteral(target.hostname, options.policy);
        } catch (error) {
          callback(error as ParleyError, null);
          return;
        }
        if (options.proxy === undefined) connect(target, callback);
        else connectThrough(options.proxy, target, callback);
      },
    });
    return { undici, agent: options.fence === undefined ? agent : agent.compose(fenceRequests(options.fence)) };
  }

  return async function guardedFetch(input, init) {
    client ??= open();
    const { undici, agent } = await client;
    const send = (url: URL, request: RequestInit) =>
      isTextPost(request)
        ? postText(agent, url, request)
        : (undici.fetch(url, {
            ...request,
            redirect: 'manual',
            dispatcher: agent,
          } as Undici.RequestInit) as unknown as Promise<Response>);
    // Global and imported requests are different classes, so a `Request` is taken apart.
    const given = input instanceof Request ? input : undefined;
    const url = parseAddress(given?.url ?? String(input));
    const request: RequestInit = given === undefined ? { ...init } : { ...partsOf(given), ...init };
    return followRedirects(
      (address, asked) =>
        send(address, asked).catch((error: unknown) => {
          throw refusalIn(error) ?? error;
        }),
      url,
      request,
      maximumRedirects,
    );
  };
}

/**
 * Sends a request and follows redirects as the `redirect` of the request says.
 * @param send sends one request, to an address that it checks, without following redirects
 * @throws TypeError when there are too many, or one where none is wanted; what `send` throws
 */
export async function followRedirects(
  send: (url: URL, request: RequestInit) => Promise<Response>,
  address: URL,
  asked: RequestInit,
  maximumRedirects: number,
): Promise<Response> {
  const redirect = asked.redirect ?? 'follow';
  let url = address;
  let request = asked;
  for (let redirects = 0; ; redirects += 1) {
    const response = await send(url, request);
    const location = response.headers.get('location');
    if (!redirectStatuses.has(response.status) || location === null || redirect === 'manual') return response;
    await response.body?.cancel();
    if (redirect === 'error') throw new TypeError('The server answered with a redirect');
    if (redirects === maximumRedirects) throw new TypeError(`More than ${maximumRedirects} redirects`);
    const next = parseAddress(location, url);
    request = redirected(request, response.status, next.origin === url.origin);
    url = next;
  }
}

/** The refusal inside whatever the client and the socket wrapped around it. */
function refusalIn(error: unknown): ParleyError | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof ParleyError) return current;
  }
  return undefined;
}

/** @throws ParleyError for what is no address of HTTP, or has an account */
export function parseAddress(address: string, base?: URL): URL {
  const url = URL.parse(address, base);
  if (url === null) throw problemError('address_unreadable');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw problemError('address_of_other_scheme');
  }
  if (url.username !== '' || url.password !== '') {
    throw problemError('address_with_account');
  }
  return url;
}

function partsOf(request: Request): RequestInit {
  const { method, headers, body, redirect, signal } = request;
  return { method, headers, body, redirect, signal, ...(body === null ? {} : { duplex: 'half' }) } as RequestInit;
}

/** The request to make after a redirect, as the Fetch standard has it, with fewer headers across origins. */
function redirected(request: RequestInit, status: number, sameOrigin: boolean): RequestInit {
  const method = (request.method ?? 'GET').toUpperCase();
  const becomesGet = (status === 303 && method !== 'HEAD') || ((status === 301 || status === 302) && method === 'POST');
  if (!becomesGet && request.body instanceof ReadableStream) {
    throw new TypeError('A streamed body cannot be sent again after a redirect');
  }
  const headers = new Headers(request.headers);
  for (const name of [...headers.keys()]) {
    const describesBody = name.startsWith('content-');
    if ((becomesGet && describesBody) || (!sameOrigin && !harmlessHeaders.has(name))) headers.delete(name);
  }
  return { ...request, headers, ...(becomesGet ? { method: 'GET', body: null } : {}) };
}
