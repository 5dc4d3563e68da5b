/** Who saves a record. Addresses that an admin saved may be in private networks, those of others may not. */
export type AddressAuthor = 'admin' | 'other';
