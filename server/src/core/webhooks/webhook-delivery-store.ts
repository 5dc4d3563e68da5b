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

/** How a delivery goes on after an attempt. */
export interface DeliveryProgress {
  state: WebhookDeliveryState;
  /** When it is sent again, milliseconds since 1970; null when it ended. */
  due_at: number | null;
  /** The message is not to be answered here. */
  skips: boolean;
  /** The webhook is switched off, for this reason. */
  disables: 'gone' | null;
}

/** What one webhook said of a message so far. */
export interface FirstAnswer {
  webhook_id: number;
  name: string;
  skips: boolean;
  /** It was sent, whatever came of it. */
  isTried: boolean;
  isDelivered: boolean;
  /** It is not sent now: the webhook is switched off, or an earlier message of the conversation waits to be sent again. */
  isHeld: boolean;
}

export interface DeliveryPage {
  /** Newest first. */
  deliveries: WebhookDelivery[];
  /** Position of the last one when there are more. */
  next: number | null;
}

/**
 * What is sent to webhooks. Of the deliveries of a conversation to one webhook that are `pending`, only the first has a
 * moment at which it is due; the others wait for it. All moments are milliseconds since 1970.
 */
export interface WebhookDeliveryStore {
  /** Webhooks that are switched on. */
  receivers(): Promise<StoredReceiver[]>;
  /** What is due, that first which was never sent, then by when it was due. */
  due(webhookId: number, now: number, limit: number): Promise<DueDelivery[]>;
  /** When the next one is due after a moment; null when there is none. */
  nextDue(webhookId: number, after: number): Promise<number | null>;
  /** Stores what came of an attempt, and has the next one of the conversation sent when this one ended. */
  record(
    delivery: DueDelivery,
    attempt: Omit<WebhookAttempt, 'number'>,
    progress: DeliveryProgress,
    now: number,
  ): Promise<void>;
  /** What is known of each webhook that is told of a message. */
  firstAnswers(messageUuid: string): Promise<FirstAnswer[]>;
  /** Has everything that waits to be sent again sent at once. */
  retryNow(webhookId: number, now: number): Promise<void>;
  /** Makes the first of each conversation due where none is, since what they waited for was removed. */
  mend(now: number): Promise<void>;
  page(
    webhookId: number,
    state: WebhookDeliveryState | null,
    limit: number,
    before: number | null,
  ): Promise<DeliveryPage>;
  find(webhookId: number, uuid: string): Promise<{ delivery: WebhookDelivery; attempts: WebhookAttempt[] } | null>;
  /** Has a delivery sent again, and what it waits behind sent now. @returns false when there is no such delivery */
  redeliver(webhookId: number, uuid: string, times: { now: number; expires_at: number }): Promise<boolean>;
  /**
   * Removes what was made before a moment and is not sent any more: it ended, or its time was over before that moment.
   * @returns how many, at most `limit`
   */
  removeBefore(timestamp: number, limit: number): Promise<number>;
}
