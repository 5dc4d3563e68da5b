import { ParleyError } from '@parley/sdk';
import type { Author } from '../accounts/author.ts';
import type { FoundAddress } from './addresses-in.ts';

/** The stored record of who saved the addresses of a record. */
export interface SavedAddresses {
  addresses: readonly string[];
  /** The addresses that an admin saved; null for all of them, as in records from before this was stored. */
  admin_addresses: readonly string[] | null;
}

/**
 * Which of a record's addresses are an admin's, once it is written.
 * @param stored the record that is replaced; null for a new one
 * @throws ParleyError `private_address` when the author is no admin and brings a private address
 */
export type AddressDecision = (stored: SavedAddresses | null) => string[];

/** Decides, for every record with addresses, which of them may be in private networks. */
export interface AddressRules {
  /**
   * Names are resolved before the record is locked; the decision uses the stored record at that time.
   * @param found the addresses of the record to store
   */
  decide(found: readonly FoundAddress[], author: Author): Promise<AddressDecision>;
}

/** @param isPrivate whether an address leads, or may lead, into a private network */
export function createAddressRules(isPrivate: (address: string) => Promise<boolean>): AddressRules {
  return {
    decide: async (found, author) => {
      const offending = author === 'admin' ? [] : await privateOnes(found, isPrivate);
      return (stored) => {
        const known = new Set(stored?.addresses);
        const details = offending
          .filter(({ address }) => !known.has(address))
          .map(({ path }) => ({ path, message: 'is in a private network', rule: 'privateAddress' }));
        if (details.length > 0) throw privateAddress(details);
        const isAdmins = ({ address, isDefault }: FoundAddress) =>
          known.has(address) && !(isDefault && author === 'admin')
            ? stored?.admin_addresses == null || stored.admin_addresses.includes(address)
            : author === 'admin';
        return [...new Set(found.filter(isAdmins).map(({ address }) => address))];
      };
    },
  };
}

/** Addresses that the product itself offers are omitted: they are refused when they are called. */
async function privateOnes(found: readonly FoundAddress[], isPrivate: (address: string) => Promise<boolean>) {
  const judged = await Promise.all(
    found.map(async (one) => (!one.isDefault && (await isPrivate(one.address)) ? [one] : [])),
  );
  return judged.flat();
}

function privateAddress(details: { path: string; message: string }[]): ParleyError {
  return new ParleyError(
    'private_address',
    `${details[0]?.path}: is in a private network. Only an admin may save such an address: sign in to an admin account, or use an API key with the scope "admin"`,
    { details },
  );
}
