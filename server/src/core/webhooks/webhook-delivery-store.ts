import type { WebhookAttempt, WebhookDelivery, WebhookDeliveryState } from './webhook-delivery.ts';
import type { WebhookMessage } from './webhook-payload.ts';

/** A webhook that is switched on. */
export interface StoredReceiver {
  id: number;
  url: string;
  /** Null for one of before there were any, until the service has started. */
  sealed_secret: string | null;
}

/** A delivery that is to be sent now. */
export interface DueDelivery extends WebhookMessage {
  /** Deliveries of a conversation to one webhook are sent in the order of these. */
  position: number;
  webhook_id: number;
  /** How often it was sent before. */
  attempts: number;
  /** Until when it is tried, milliseconds since 1970. */
  expires_at: number;
}

/** The next state of a delivery after an attempt. */
export interface DeliveryProgress {
  state: WebhookDeliveryState;
  /** Time of the retry, milliseconds since 1970; null when it ended. */
  due_at: number | null;
  /** The message is not to be answered here. */
  skips: boolean;
  /** The webhook is switched off, for this reason. */
  disables: 'gone' | null;
}

/** The response of one webhook to a message so far. */
export interface FirstAnswer {
  webhook_id: number;
  name: string;
  skips: boolean;
  /** It was sent, whatever the result. */
  isTried: boolean;
  isDelivered: boolean;
  /** Not sent now: the webhook is disabled, or an earlier message of the conversation waits for a retry. */
  isHeld: boolean;
}

export interface DeliveryPage {
  /** Newest first. */
  deliveries: WebhookDelivery[];
  /** Position of the last one when there are more. */
  next: number | null;
}

/**
 * Webhook deliveries. Of the `pending` deliveries of a conversation to one webhook, only the first has a due time; the
 * others wait for it. All timestamps are milliseconds since 1970.
 */
export interface WebhookDeliveryStore {
  /** Webhooks that are switched on. */
  receivers(): Promise<StoredReceiver[]>;
  /** Due deliveries: those never sent first, then by due time. */
  due(webhookId: number, now: number, limit: number): Promise<DueDelivery[]>;
  /** The next due time after a timestamp; null when there is none. */
  nextDue(webhookId: number, after: number): Promise<number | null>;
  /** Stores the result of an attempt, and makes the next one of the conversation due when this one ended. */
  record(
    delivery: DueDelivery,
    attempt: Omit<WebhookAttempt, 'number'>,
    progress: DeliveryProgress,
    now: number,
  ): Promise<void>;
  /** The deliveries of a message to each webhook. */
  firstAnswers(messageUuid: string): Promise<FirstAnswer[]>;
  /** Makes all pending retries due now. */
  retryNow(webhookId: number, now: number): Promise<void>;
  /** Makes the first of each conversation due if none is, since the one they waited for was removed. */
  mend(now: number): Promise<void>;
  page(
    webhookId: number,
    state: WebhookDeliveryState | null,
    limit: number,
    before: number | null,
  ): Promise<DeliveryPage>;
  find(webhookId: number, uuid: string): Promise<{ delivery: WebhookDelivery; attempts: WebhookAttempt[] } | null>;
  /** Resends a delivery, and makes the ones that it waits for due now. @returns false when there is no such delivery */
  redeliver(webhookId: number, uuid: string, times: { now: number; expires_at: number }): Promise<boolean>;
  /**
   * Removes deliveries from before a timestamp that are not sent any more: ended, or expired before that timestamp.
   * @returns how many, at most `limit`
   */
  removeBefore(timestamp: number, limit: number): Promise<number>;
}
