import { ParleyError, type PluginSettings } from '@parley/sdk';
import type { FetchFor } from '../../core/addresses/fetch-for.ts';
import type { HostHandlers } from '../../core/plugins/host/plugin-host-api.ts';
import { allowsAddress } from '../../core/plugins/package/host-pattern.ts';
import { followRedirects, parseAddress } from '../../kit/guarded-fetch.ts';

export interface HostFetchOptions {
  /** Settings of a plugin, secrets in the clear. */
  settings: (pluginId: string) => Promise<Record<string, unknown>>;
  fetchFor: FetchFor;
  /** How long the response may take to begin, milliseconds. Default 60 s. */
  timeoutMs?: number;
}

const maximumRedirects = 5;
/** Longest response, bytes. */
const longestResponse = 100 << 20;
/** Headers that the connection decides. */
const ownHeaders = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Sends HTTP requests for plugins, to the hosts that they were granted, and to addresses in their settings, which may be
 * private ones if an admin saved them. Each redirect is checked as the first address is.
 */
export function hostFetch({ settings, fetchFor, timeoutMs = 60_000 }: HostFetchOptions): Pick<HostHandlers, 'fetch'> {
  return {
    fetch: async ({ url, method, headers, body, redirect }, { plugin, signal }) => {
      const { permissions, settings: schema } = plugin.manifest;
      const configured = addressesIn(schema, await settings(plugin.id));
      const origins = new Set(configured.map(({ origin }) => origin));
      // Only what is set may be private: a host that was granted is not, whatever its name resolves to.
      const { admin_addresses } = plugin;
      const saved = configured.filter(({ address }) => admin_addresses === null || admin_addresses.includes(address));
      const client = fetchFor(saved.map(({ address }) => address));
      const limit = new AbortController();
      const timer = setTimeout(
        () => limit.abort(new ParleyError('plugin_timeout', 'The server did not respond in time')),
        timeoutMs,
      );
      const request: RequestInit = {
        method: method.toUpperCase(),
        headers: Object.entries(headers).filter(([name]) => !ownHeaders.has(name.toLowerCase())),
        body: body === null ? null : Buffer.from(body, 'base64'),
        redirect,
        signal: AbortSignal.any([signal, limit.signal]),
      };
      const send = (address: URL, asked: RequestInit) => {
        const isGranted = permissions?.fetch?.some((entry) => allowsAddress(entry, address)) === true;
        if (!isGranted && !origins.has(address.origin)) {
          throw new ParleyError('plugin_permission_denied', `The plugin may not send requests to ${address.host}`);
        }
        return client(address.href, { ...asked, redirect: 'manual' });
      };
      try {
        // The first address is checked like those that it redirects to.
        const response = await followRedirects(
          async (...one) => send(...one),
          parseAddress(url),
          request,
          maximumRedirects,
        );
        return {
          result: {
            status: response.status,
            status_text: response.statusText,
            headers: [...response.headers].filter(([name]) => name !== 'content-encoding' && name !== 'content-length'),
            url: response.url,
          },
          bytes: bounded(response.body, signal),
        };
      } catch (error) {
        throw failureOf(error, signal);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** The addresses that are set. */
function addressesIn(
  schema: PluginSettings | undefined,
  settings: Record<string, unknown>,
): { address: string; origin: string }[] {
  const fields = Object.entries(schema?.properties ?? {}).filter(([, field]) => field['x-address'] === true);
  return fields.flatMap(([name]) => {
    const address = String(settings[name] ?? '');
    const origin = URL.parse(address)?.origin;
    return origin === undefined ? [] : [{ address, origin }];
  });
}

async function* bounded(body: ReadableStream<Uint8Array> | null, signal: AbortSignal): AsyncIterable<Uint8Array> {
  let size = 0;
  try {
    for await (const chunk of body ?? []) {
      size += chunk.byteLength;
      if (size > longestResponse) throw new ParleyError('too_large', 'The response is longer than 100 MB');
      yield chunk;
    }
  } catch (error) {
    throw failureOf(error, signal);
  }
}

/** What the plugin gets. @throws the reason of the signal when it is aborted */
function failureOf(error: unknown, signal: AbortSignal): ParleyError {
  if (error instanceof ParleyError) return error;
  signal.throwIfAborted();
  return new ParleyError('platform_failed', describe(error), { cause: error });
}

/** The cause that the client wraps, without addresses. */
function describe(error: unknown): string {
  const { code } = (error as { cause?: { code?: unknown } }).cause ?? {};
  return typeof code === 'string' ? `The request failed: ${code}` : 'The request failed';
}
