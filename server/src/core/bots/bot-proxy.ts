import { invalidFields, isProxyAddress, type Platform } from '@parley/sdk';
import type { TSchema } from 'typebox';
import { isProxyUrl } from '../../lib/proxy-url.ts';

/** URL of the HTTP proxy of a configuration in clear; null when it has none. */
export function proxyOf({ config: schema }: Platform, config: Record<string, unknown>): string | null {
  const field = (schema.properties as Record<string, TSchema>).proxy;
  const { proxy } = config;
  return field !== undefined && isProxyAddress(field) && typeof proxy === 'string' && proxy !== '' ? proxy : null;
}

/** @throws ParleyError `invalid_request` when the proxy of a configuration in clear is no URL of one */
export function requireProxyUrl(platform: Platform, config: Record<string, unknown>): void {
  const proxy = proxyOf(platform, config);
  if (proxy === null || isProxyUrl(proxy)) return;
  const message = 'must be the address of a proxy, such as http://user:password@proxy.example:3128';
  throw invalidFields([{ path: 'adapter_config.proxy', message, rule: 'proxy' }]);
}
