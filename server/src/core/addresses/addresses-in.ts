import { isAddress, isProxyAddress } from '@parley/sdk';
import type { TObject, TSchema } from 'typebox';
import { isMasked } from '../../lib/mask.ts';
import { proxyOrigin } from '../../lib/proxy-url.ts';

/** An address in a configuration. */
export interface FoundAddress {
  /** The path, such as `ai.n8n-service-api.webhook-url`. */
  path: string;
  address: string;
  /** Whether the schema offers it as default, so that no caller chose it. */
  isDefault: boolean;
}

/**
 * The non-empty addresses of a configuration, including the defaults of omitted fields. Of a proxy it is the origin, since
 * its account is a secret.
 * @param secretAt what a masked text stands for, by its path without `place`
 */
export function addressesIn(
  schema: TObject,
  config: object,
  place = '',
  secretAt: (path: string) => string | undefined = () => undefined,
): FoundAddress[] {
  return Object.entries(schema.properties as Record<string, TSchema>).flatMap(([field, inner]) => {
    const path = place === '' ? field : `${place}.${field}`;
    const value = Object.hasOwn(config, field) ? (config as Record<string, unknown>)[field] : undefined;
    if (isProxyAddress(inner)) {
      const text = typeof value === 'string' && isMasked(value) ? secretAt(field) : value;
      const address = typeof text === 'string' ? proxyOrigin(text) : null;
      return address === null ? [] : [{ path, address, isDefault: false }];
    }
    if (isAddress(inner)) {
      const initial = (inner as { default?: unknown }).default;
      const address = value ?? initial;
      return typeof address === 'string' && address.trim() !== ''
        ? [{ path, address: address.trim(), isDefault: address === initial }]
        : [];
    }
    const isObject = typeof (inner as { properties?: unknown }).properties === 'object';
    return isObject && typeof value === 'object' && value !== null
      ? addressesIn(inner as TObject, value, path, (below) => secretAt(`${field}.${below}`))
      : [];
  });
}
