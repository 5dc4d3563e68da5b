import type { Logger } from '@parley/sdk';
import { present } from '../../lib/clock.ts';
import { pause } from '../../lib/waiting.ts';
import { WorkerLoop } from '../../lib/worker-loop.ts';
import type { Message } from '../messages/message.ts';
import type { WebhookOutcome, WebhookOutcomes } from '../messages/webhook-outcomes.ts';
import { nextAttemptAt } from './delivery-timing.ts';
import type {
  ClaimedDelivery,
  DeliveryProgress,
  StoredReceiver,
  WebhookDeliveryStore,
} from './webhook-delivery-store.ts';
import { messagePayload } from './webhook-payload.ts';
import type { WebhookResult, WebhookSender } from './webhook-sender.ts';

export interface WebhookDispatcherOptions {
  sender: Pick<WebhookSender, 'send'>;
  /** Fetches the content of a message that its platform still holds. */
  completed: (message: Message, signal: AbortSignal) => Promise<Message>;
  /** Opens the secret of a webhook. */
  openSecret: (webhookId: number, sealed: string) => string;
  /** Called when the webhooks have decided on the messages of a conversation that wait. */
  answered: (conversationUuid: string) => Promise<void>;
  logger: Logger;
  /** False while another replica works. To be woken when it is true again. Default: always true. */
  maySend?: () => boolean;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Requests at the same time, to one webhook and to all. Default 8 and 64. */
  concurrency?: { each: number; all: number };
  /** Time until another try when the store failed, milliseconds. Default 1000. */
  retryDelayMs?: number;
}

/** A message that waits for webhooks. */
type WaitingMessage = Pick<Message, 'uuid' | 'conversation_uuid' | 'webhook_wait_until'>;

/**
 * Sends due deliveries: those of one conversation in order, others in parallel, up to a limit. The queue is in the
 * store, so a restart loses nothing; interrupted deliveries are resent with the same id.
 */
export class WebhookDispatcher implements WebhookOutcomes {
  readonly #store: WebhookDeliveryStore;
  readonly #options: Required<WebhookDispatcherOptions>;
  readonly #running = new Set<ClaimedDelivery>();
  readonly #loop: WorkerLoop;

  constructor(store: WebhookDeliveryStore, options: WebhookDispatcherOptions) {
    this.#store = store;
    this.#options = {
      maySend: () => true,
      now: present,
      concurrency: { each: 8, all: 64 },
      retryDelayMs: 1000,
      ...options,
    };
    this.#loop = new WorkerLoop({
      look: () => this.#claim(),
      failed: (error) => this.#options.logger.error({ error }, 'failed to read due webhook deliveries'),
      retryDelayMs: this.#options.retryDelayMs,
      concurrency: this.#options.concurrency.all,
    });
  }

  /** Repairs the queue after a crash and after removed rows, and starts sending. */
  async start(): Promise<void> {
    await this.#store.recover();
    await this.#store.mend(this.#options.now());
    this.#loop.start();
  }

  /** There may be something to send. Until the start, it waits. */
  wake(): void {
    this.#loop.wake();
  }

  /** Handles a stored message that webhooks receive. */
  notifyWebhooks(message: WaitingMessage): void {
    this.wake();
    this.#endWait(message).catch((error: unknown) => {
      // It waits no longer than it may anyway.
      this.#options.logger.error({ message: message.uuid, error }, 'a message may wait for webhooks in vain');
    });
  }

  /** A webhook was changed: its pending retries are made now. */
  async changed(webhookId: number): Promise<void> {
    await this.#store.retryNow(webhookId, this.#options.now());
    this.wake();
  }

  /** Waits for running deliveries; those that do not end in time are aborted, and resent after the next start. */
  async stop(timeoutMs: number): Promise<void> {
    await this.#loop.stop(timeoutMs);
  }

  async outcomeOf({ uuid, webhook_wait_until }: Pick<Message, 'uuid' | 'webhook_wait_until'>): Promise<WebhookOutcome> {
    const now = this.#options.now();
    const answers = await this.#store.firstAnswers(uuid, now);
    const skipping = answers.find(({ skips }) => skips);
    if (skipping !== undefined) {
      return { outcome: 'skipped', webhook: { id: skipping.webhook_id, name: skipping.name } };
    }
    const receivers = answers.length;
    const isOver = now >= Date.parse(webhook_wait_until ?? '1970-01-01T00:00:00Z');
    const isAwaited = ({ isTried, isHeld }: (typeof answers)[number]) => !isTried && !isHeld;
    if (!isOver && answers.some(isAwaited)) return { outcome: 'awaited', told: receivers };
    return { outcome: 'passed', told: receivers, answered: answers.filter(({ isDelivered }) => isDelivered).length };
  }

  /** @returns time until the next delivery is due; null without one */
  async #claim(): Promise<number | null> {
    if (!this.#options.maySend()) return null;
    const now = this.#options.now();
    const receivers = await this.#store.receivers();
    for (const receiver of receivers) {
      if (this.#loop.isStopped) return null;
      await this.#sendDue(receiver, now);
    }
    return this.#pauseUntilDue(receivers);
  }

  async #sendDue(receiver: StoredReceiver, now: number): Promise<void> {
    if ((receiver.paused_until ?? 0) > now) return;
    const running = [...this.#running];
    const ofReceiver = running.filter(({ webhook_id }) => webhook_id === receiver.id).length;
    const limit = Math.min(this.#options.concurrency.each - ofReceiver, this.#loop.room);
    if (limit <= 0) return;
    const positions = running.map(({ position }) => position);
    for (const delivery of await this.#store.claim(receiver.id, { now, limit, running: positions })) {
      this.#running.add(delivery);
      void this.#loop.run(async (signal) => {
        await this.#run(delivery, receiver, signal);
        this.#running.delete(delivery);
      });
    }
  }

  async #pauseUntilDue(receivers: readonly StoredReceiver[]): Promise<number | null> {
    const { now, retryDelayMs } = this.#options;
    let next = Number.POSITIVE_INFINITY;
    for (const { id, paused_until } of receivers) {
      const due = await this.#store.nextDue(id);
      if (due !== null) next = Math.min(next, Math.max(due, paused_until ?? 0));
    }
    // What is due and was not claimed is one too many, or was locked briefly.
    return next === Number.POSITIVE_INFINITY ? null : Math.max(next - now(), retryDelayMs);
  }

  async #run(delivery: ClaimedDelivery, receiver: StoredReceiver, signal: AbortSignal): Promise<void> {
    const { logger, retryDelayMs } = this.#options;
    try {
      await this.#attempt(delivery, receiver, signal);
    } catch (error) {
      if (signal.aborted) return;
      const fields = { webhook: receiver.id, message: delivery.message.uuid, error };
      logger.error(fields, 'failed to record webhook attempt; will retry');
      // It is claimed still, and sent again; a store that fails must not have it sent without end.
      await pause(retryDelayMs, signal);
    }
  }

  async #attempt(
    delivery: ClaimedDelivery,
    { id, url, sealed_secret }: StoredReceiver,
    signal: AbortSignal,
  ): Promise<void> {
    if (sealed_secret === null) throw new Error(`The webhook ${id} has no secret`);
    const receiver = { url, secret: this.#options.openSecret(id, sealed_secret) };
    const message = await this.#options.completed(delivery.message, signal);
    const payload = messagePayload({ ...delivery, message });
    const result = await this.#options.sender.send(receiver, payload, signal);
    const now = this.#options.now();
    const { started_at, milliseconds, status, error, answer } = result;
    const progress = progressAfter(delivery, result, now);
    const attempt = { started_at, milliseconds, status, error, answer };
    if (!(await this.#store.record(delivery, attempt, progress, now))) return;
    if (progress.disables !== null)
      this.#options.logger.warn({ webhook: id }, 'a webhook is gone and was switched off');
    if (delivery.attempts === 0) await this.#endWait(delivery.message);
  }

  /** Ends the wait of a message without outstanding responses; there may have been none at all. */
  async #endWait(message: WaitingMessage): Promise<void> {
    if (message.webhook_wait_until === null) return;
    const { outcome } = await this.outcomeOf(message);
    if (outcome !== 'awaited') await this.#options.answered(message.conversation_uuid);
  }
}

function progressAfter(delivery: ClaimedDelivery, result: WebhookResult, now: number): DeliveryProgress {
  const { webhook_wait_until: until } = delivery.message;
  const isFirst = delivery.attempts === 0;
  const skips = result.skips && isFirst && until !== null && now <= Date.parse(until);
  const pause = result.retryAfter ?? 0;
  const ended = { due_at: null, skips, disables: null, paused_until: pause > 0 ? now + pause : null };
  if (result.outcome === 'delivered') return { ...ended, state: 'delivered' };
  if (result.outcome === 'gone') return { ...ended, state: 'failed', disables: 'gone' };
  const again = nextAttemptAt(delivery.attempts + 1, now, delivery.expires_at, Math.random());
  if (again === null) return { ...ended, state: 'failed' };
  return { ...ended, state: 'pending', due_at: Math.max(again, now + pause) };
}
