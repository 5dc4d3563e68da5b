import { isAddress } from '@parley/sdk';
import type { TObject, TSchema } from 'typebox';

/** An address in a configuration. */
export interface FoundAddress {
  /** The path, such as `ai.n8n-service-api.webhook-url`. */
  path: string;
  address: string;
  /** Whether the schema offers it as default, so that no caller chose it. */
  isDefault: boolean;
}

/** The non-empty addresses of a configuration, including the defaults of omitted fields. */
export function addressesIn(schema: TObject, config: object, place = ''): FoundAddress[] {
  return Object.entries(schema.properties as Record<string, TSchema>).flatMap(([field, inner]) => {
    const path = place === '' ? field : `${place}.${field}`;
    const value = Object.hasOwn(config, field) ? (config as Record<string, unknown>)[field] : undefined;
    if (isAddress(inner)) {
      const initial = (inner as { default?: unknown }).default;
      const address = value ?? initial;
      return typeof address === 'string' && address.trim() !== ''
        ? [{ path, address: address.trim(), isDefault: address === initial }]
        : [];
    }
    const isObject = typeof (inner as { properties?: unknown }).properties === 'object';
    return isObject && typeof value === 'object' && value !== null ? addressesIn(inner as TObject, value, path) : [];
  });
}
