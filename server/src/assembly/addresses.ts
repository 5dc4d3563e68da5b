import { createAddressRules } from '../core/addresses/address-rules.ts';
import { createFetchForRecord } from '../kit/fetch-for-record.ts';
import { isPrivateAddress } from '../kit/private-address.ts';

/** What decides where calls that records cause may lead. */
export function createAddresses() {
  return { addresses: createAddressRules((address) => isPrivateAddress(address)), fetchFor: createFetchForRecord() };
}
