import type { Message } from './message.ts';

/** The decision of the webhooks that receive a message on whether it is answered here. */
export type WebhookOutcome =
  /** It is. `answered` of them answered in time, the others failed or are late. */
  | { outcome: 'passed'; told: number; answered: number }
  /** It is not, because of this one. */
  | { outcome: 'skipped'; webhook: { id: number; name: string } }
  /** Some may still answer in time. */
  | { outcome: 'awaited'; told: number };

/** Asks what webhooks said of a message that waits, or waited, for them (`webhook_wait_until` is not null). */
export interface WebhookOutcomes {
  outcomeOf(message: Pick<Message, 'uuid' | 'webhook_wait_until'>): Promise<WebhookOutcome>;
}
