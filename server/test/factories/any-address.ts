import type { AddressRules } from '../../src/core/addresses/address-rules.ts';

/** Accepts every URL from every caller. */
export const anyAddress: AddressRules = { decide: async () => () => [] };
