import type { WebhookAttempt, WebhookDelivery, WebhookDeliveryState } from './webhook-delivery.ts';
import type { WebhookMessage } from './webhook-payload.ts';

/** A webhook that is switched on. */
export interface StoredReceiver {
  id: number;
  url: string;
  /** Null for one of before there were any, until the service has started. */
  sealed_secret: string | null;
  /** End of the pause that it requested, milliseconds since 1970; null when it has requested none. */
  paused_until: number | null;
}

/** A delivery that is to be sent now, by this replica alone. */
export interface ClaimedDelivery extends WebhookMessage {
  /** Deliveries of a conversation to one webhook are sent in the order of these. */
  position: number;
  webhook_id: number;
  /** How often it was sent before. */
  attempts: number;
  /** Raised by each claim of the delivery. */
  claim: number;
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
  /** Until then nothing is sent to the webhook, milliseconds since 1970; null when it requested no pause. */
  paused_until: number | null;
}

/** The response of one webhook to a message so far. */
export interface FirstAnswer {
  webhook_id: number;
  name: string;
  skips: boolean;
  /** It was sent, whatever the result. */
  isTried: boolean;
  isDelivered: boolean;
  /** Not sent now: the webhook is disabled or requested a pause, or an earlier message of the conversation waits for a retry. */
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
  /**
   * Claims due deliveries: those never sent first, then by due time.
   * @param round.running positions of those that this replica sends; other claims of its own were lost, and it gets them
   *   again
   */
  claim(
    webhookId: number,
    round: { now: number; limit: number; running: readonly number[] },
  ): Promise<ClaimedDelivery[]>;
  /** When the next unclaimed one is due; null when there is none. */
  nextDue(webhookId: number): Promise<number | null>;
  /**
   * Stores the result of an attempt, and makes the next one of the conversation due when this one ended.
   * @returns false, having stored nothing, when the claim is outdated
   */
  record(
    delivery: ClaimedDelivery,
    attempt: Omit<WebhookAttempt, 'number'>,
    progress: DeliveryProgress,
    now: number,
  ): Promise<boolean>;
  /** The deliveries of a message to each webhook. */
  firstAnswers(messageUuid: string, now: number): Promise<FirstAnswer[]>;
  /** Ends a pause of the webhook, and makes all pending retries due now. */
  retryNow(webhookId: number, now: number): Promise<void>;
  /** At start: what no living replica sends may be claimed again. */
  recover(): Promise<void>;
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
