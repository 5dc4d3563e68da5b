import type { Webhook } from './webhook.ts';

/** What can be changed of a webhook. */
export type WebhookChanges = Partial<Omit<Webhook, 'id' | 'created_at' | 'updated_at'>>;

export interface WebhookStore {
  /** By number, oldest first. */
  list(): Promise<Webhook[]>;
  byId(id: number): Promise<Webhook | null>;
  create(webhook: Omit<Webhook, 'id'>): Promise<Webhook>;
  /** Null when there is no such webhook. */
  update(id: number, changes: WebhookChanges, updatedAt: string): Promise<Webhook | null>;
  /** False when there is no such webhook. */
  delete(id: number): Promise<boolean>;
}
