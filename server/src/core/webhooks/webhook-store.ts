import type { ListedRecords, NamedRecord, RecordListing } from '../records/record-listing.ts';
import type { Webhook, WebhookFilter } from './webhook.ts';

/** What can be changed of a webhook. */
export type WebhookChanges = Partial<Omit<Webhook, 'id' | 'secret' | 'created_at' | 'updated_at'>>;

/** A secret as it is stored: sealed, and what may be shown of it. */
export interface SealedSecret {
  sealed_secret: string;
  secret_mask: string;
}

/** Webhooks are returned with masked secrets. */
export interface WebhookStore {
  /** By number, oldest first. */
  list(): Promise<Webhook[]>;
  page(listing: RecordListing & WebhookFilter): Promise<ListedRecords<Webhook>>;
  /** All matches of a listing, by number. */
  names(listing: RecordListing & WebhookFilter): Promise<NamedRecord<number>[]>;
  byId(id: number): Promise<Webhook | null>;
  /** @param seal generates the secret of the webhook with this number */
  create(webhook: Omit<Webhook, 'id'>, seal: (id: number) => SealedSecret): Promise<Webhook>;
  /**
   * @param change receives the stored record, which is locked meanwhile; its errors are rethrown
   * @returns null when there is no such webhook
   */
  update(id: number, change: (stored: Webhook) => WebhookChanges, updatedAt: string): Promise<Webhook | null>;
  /** Removes it with its deliveries. @returns false when there is no such webhook */
  delete(id: number): Promise<boolean>;
  /** Null when there is no such webhook, or it has none yet. */
  sealedSecret(id: number): Promise<string | null>;
  /** @returns false when there is no such webhook */
  replaceSecret(id: number, secret: SealedSecret, updatedAt: string): Promise<boolean>;
  /** Gives a webhook a secret if it still has none: two processes may start at the same time. */
  addSecret(id: number, secret: SealedSecret, updatedAt: string): Promise<void>;
  /** Numbers of those from before there were secrets. */
  withoutSecret(): Promise<number[]>;
}
