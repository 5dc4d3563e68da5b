import type { ListedRecords, NamedRecord, RecordListing } from '../records/record-listing.ts';
import type { ApiKey, ApiKeyFilter, UpdateApiKey } from './api-key.ts';

export interface ApiKeyStore {
  list(): Promise<ApiKey[]>;
  /** @param now as a timestamp, by which keys have expired */
  page(listing: RecordListing & ApiKeyFilter, now: string): Promise<ListedRecords<ApiKey>>;
  /** All matches of a listing, by id. */
  names(listing: RecordListing & ApiKeyFilter, now: string): Promise<NamedRecord<number>[]>;
  byId(id: number): Promise<ApiKey | null>;
  /** @param hash SHA-256 of the key */
  byHash(hash: string): Promise<ApiKey | null>;
  /** @param key masked, as it is shown from now on */
  create(key: Omit<ApiKey, 'id' | 'account_name' | 'account_role' | 'last_used_at'>, hash: string): Promise<ApiKey>;
  /**
   * @param change receives the stored record, which is locked meanwhile; its errors are rethrown
   * @returns null when there is no such key
   */
  update(id: number, change: (stored: ApiKey) => UpdateApiKey, updatedAt: string): Promise<ApiKey | null>;
  /** False when there is no such key. */
  delete(id: number): Promise<boolean>;
  touch(id: number, usedAt: string): Promise<void>;
}
