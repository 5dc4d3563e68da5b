import { DeliveryError, type Logger, type MessageChain, ParleyError, type SessionType } from '@parley/sdk';
import { present } from '../../lib/clock.ts';
import { cutToBytes } from '../../lib/cut-text.ts';
import { hidingSecrets } from '../../lib/hiding-secrets.ts';
import { pause } from '../../lib/waiting.ts';
import { WorkerLoop } from '../../lib/worker-loop.ts';
import { deliveryLifetime, longestRetryAfter, nextAttemptAt } from '../webhooks/delivery-timing.ts';
import type { WebhookPayload } from '../webhooks/webhook-payload.ts';
import type { WebhookSender } from '../webhooks/webhook-sender.ts';
import type { AlertStore, DueNotice, NoticeProgress } from './alert-store.ts';
import type { ChatConfig, EmailConfig, NoticeTest, StoredAlertTarget } from './alert-target.ts';
import { type NoticeEvent, type NoticeText, noticeText, testText } from './notice-text.ts';

/** A message for an SMTP server. */
export interface Mail extends NoticeText {
  /** The same each time that it is sent, so that receivers can drop a repeated one. */
  id: string;
}

/**
 * Sends a message through an SMTP server, within a bounded time.
 * @param config with the password in clear
 * @throws Error; its message may be shown, without the password
 */
export type SendMail = (config: EmailConfig, mail: Mail, signal: AbortSignal) => Promise<void>;

export interface NoticeSenderOptions {
  sendMail: SendMail;
  webhooks: Pick<WebhookSender, 'send'>;
  /** Has a bot write to a chat; makes one attempt. */
  sendToChat: (botUuid: string, type: SessionType, targetId: string, chain: MessageChain) => Promise<void>;
  /** The secrets of a target, by the field of its configuration. */
  openSecrets: (target: StoredAlertTarget) => Record<string, string>;
  /** Whether this process may send. */
  isOwner: () => boolean;
  logger: Logger;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Time until another try when the store failed, milliseconds. Default 1000. */
  retryDelayMs?: number;
}

/** What was made of an attempt. */
interface Attempt {
  outcome: 'delivered' | 'failed' | 'refused' | 'uncertain';
  error: string | null;
  /** The pause that the receiver requests, milliseconds. */
  retryAfter?: number;
}

interface Event {
  uuid: string;
  event: NoticeEvent;
  text: NoticeText;
  data: Record<string, unknown>;
}

const longestError = 500;
const concurrency = 4;
/** Deadline of one e-mail, milliseconds. */
const mailTimeout = 30_000;

/** Sends recorded notices, each target by itself, and retries those that fail for a day. */
export class NoticeSender {
  readonly #store: AlertStore;
  readonly #options: Required<NoticeSenderOptions>;
  readonly #loop: WorkerLoop;
  /** Notices that are being sent. */
  readonly #running = new Set<string>();

  constructor(store: AlertStore, options: NoticeSenderOptions) {
    this.#store = store;
    this.#options = { now: present, retryDelayMs: 1000, ...options };
    this.#loop = new WorkerLoop({
      look: () => this.#claim(),
      failed: (error) => this.#options.logger.error({ error }, 'notices of alerts could not be read or recorded'),
      retryDelayMs: this.#options.retryDelayMs,
      concurrency,
    });
  }

  /** Resumes notices that were being sent when a process ended. */
  async start(): Promise<void> {
    await this.#store.recoverNotices(this.#options.now());
    this.#loop.start();
  }

  /** There may be something to send. */
  wake(): void {
    this.#loop.wake();
  }

  /** A target was changed: its pending notices are sent now. */
  async changed(targetUuid: string): Promise<void> {
    await this.#store.hurryNotices(targetUuid, this.#options.now());
    this.wake();
  }

  /** Waits for running attempts; those that do not end in time are aborted. */
  async stop(timeoutMs: number): Promise<void> {
    await this.#loop.stop(timeoutMs, timeoutMs);
  }

  /** Sends a notice now that is not recorded. */
  async test(uuid: string, target: StoredAlertTarget): Promise<NoticeTest> {
    const text = testText(target.language);
    const event: Event = { uuid, event: 'test', text, data: { text: text.text } };
    const { outcome, error } = await this.#send(target, event, AbortSignal.timeout(mailTimeout));
    return { delivered: outcome === 'delivered', error };
  }

  /** @returns time until the next notice is due; null without one */
  async #claim(): Promise<number | null> {
    if (!this.#options.isOwner()) return this.#options.retryDelayMs;
    const now = this.#options.now();
    const due = await this.#store.dueNotices(now, now + 2 * longestRetryAfter, this.#running.size + concurrency);
    for (const notice of due) {
      if (!this.#loop.hasRoom) return null;
      if (this.#running.has(notice.uuid)) continue;
      this.#running.add(notice.uuid);
      void this.#loop.run(async (signal) => {
        try {
          await this.#run(notice, signal);
        } finally {
          this.#running.delete(notice.uuid);
        }
      });
    }
    const next = await this.#store.nextDue();
    return next === null ? null : Math.max(next - this.#options.now(), this.#options.retryDelayMs);
  }

  async #run(notice: DueNotice, signal: AbortSignal): Promise<void> {
    if (!(await this.#store.claimNotice(notice))) return;
    const target = await this.#store.target(notice.target_uuid);
    let attempt: Attempt = { outcome: 'refused', error: 'The target was deleted' };
    if (target !== null) {
      const { alert, facts, event, uuid } = notice;
      const text = noticeText(event, { ...alert, facts }, target.language);
      const data = { alert: { ...alert, facts }, text: text.text };
      try {
        attempt = await this.#send(target, { uuid, event, text, data }, signal);
      } catch (error) {
        // The service stops; the next start sends it again.
        if (signal.aborted) return;
        throw error;
      }
    }
    await this.#settle(notice, attempt, signal);
  }

  async #settle(notice: DueNotice, attempt: Attempt, signal: AbortSignal): Promise<void> {
    const { logger, retryDelayMs } = this.#options;
    const now = this.#options.now();
    const progress = progressAfter(notice, attempt, now);
    if (attempt.outcome !== 'delivered') {
      const fields = { notice: notice.uuid, target: notice.target_uuid, reason: attempt.error };
      logger.warn(fields, 'a notice of an alert was not delivered');
    }
    // The attempt was made; it must not be made again because the store failed.
    while (true) {
      try {
        // Nothing is to be done when the claim is outdated: another replica sends the notice.
        return void (await this.#store.settleNotice(notice, progress, now));
      } catch (error) {
        logger.error({ notice: notice.uuid, error }, 'the result of a notice could not be recorded; will retry');
        if (signal.aborted) return;
        await pause(retryDelayMs, signal);
      }
    }
  }

  async #send(target: StoredAlertTarget, event: Event, signal: AbortSignal): Promise<Attempt> {
    let secrets: Record<string, string>;
    try {
      secrets = this.#options.openSecrets(target);
    } catch {
      return { outcome: 'failed', error: 'The stored secret cannot be read; enter it again' };
    }
    const hide = hidingSecrets(Object.values(secrets));
    const shown = (text: string) => cutToBytes(hide(text), longestError);
    switch (target.kind) {
      case 'email':
        return this.#sendMail({ ...target.config, ...secrets } as EmailConfig, event, shown, signal);
      case 'webhook':
        return this.#sendWebhook({ url: target.config.url ?? '', secret: secrets.secret ?? '' }, event, signal);
      case 'chat':
        return this.#sendToChat(target.config as ChatConfig, event, shown);
    }
  }

  async #sendMail(
    config: EmailConfig,
    { uuid, text }: Event,
    shown: (text: string) => string,
    stopping: AbortSignal,
  ): Promise<Attempt> {
    try {
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(mailTimeout)]);
      await this.#options.sendMail(config, { id: uuid, ...text }, signal);
      return { outcome: 'delivered', error: null };
    } catch (error) {
      stopping.throwIfAborted();
      return { outcome: 'failed', error: shown(error instanceof Error ? error.message : String(error)) };
    }
  }

  async #sendWebhook(
    receiver: { url: string; secret: string },
    { uuid, event, data }: Event,
    signal: AbortSignal,
  ): Promise<Attempt> {
    const payload: WebhookPayload = { uuid, event_type: `alert.${event}`, data };
    const { outcome, error, retryAfter } = await this.#options.webhooks.send(receiver, payload, signal);
    if (outcome === 'delivered') return { outcome, error: null };
    const wait = retryAfter === null ? {} : { retryAfter };
    return { outcome: outcome === 'gone' ? 'refused' : 'failed', error, ...wait };
  }

  async #sendToChat(config: ChatConfig, { text }: Event, shown: (text: string) => string): Promise<Attempt> {
    const { bot_uuid, target_type, target_id } = config;
    try {
      await this.#options.sendToChat(bot_uuid, target_type, target_id, [{ type: 'Plain', text: text.text }]);
      return { outcome: 'delivered', error: null };
    } catch (error) {
      if (!(error instanceof ParleyError)) {
        this.#options.logger.error({ bot: bot_uuid, error }, 'a notice of an alert could not be sent to a chat');
        return { outcome: 'failed', error: 'Internal error; see the log' };
      }
      const message = shown(error.message);
      if (error instanceof DeliveryError && error.kind === 'unknown') return { outcome: 'uncertain', error: message };
      if (error instanceof DeliveryError && error.kind === 'refused' && error.rateLimit === undefined) {
        return { outcome: 'refused', error: message };
      }
      const seconds = error.retryAfterSeconds;
      return { outcome: 'failed', error: message, ...(seconds === undefined ? {} : { retryAfter: seconds * 1000 }) };
    }
  }
}

function progressAfter(notice: DueNotice, { outcome, error, retryAfter = 0 }: Attempt, now: number): NoticeProgress {
  if (outcome === 'delivered' || outcome === 'uncertain') return { state: outcome, due_at: null, error };
  // A clock that was set back does not prolong the retries.
  const expiresAt = Math.min(notice.expires_at, now + deliveryLifetime);
  const again = outcome === 'refused' ? null : nextAttemptAt(notice.attempts + 1, now, expiresAt, Math.random());
  if (again === null) return { state: 'failed', due_at: null, error };
  return { state: 'pending', due_at: Math.max(again, now + retryAfter), error };
}
