import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ConnectionReport,
  type Logger,
  ParleyError,
  type PlatformContext,
  type WebhookRequest,
  type WebhookResponse,
} from '@parley/sdk';
import type { Update } from 'grammy/types';
import { sameSecret } from '../../lib/token.ts';
import { TelegramFailure } from './failure.ts';
import type { Inbox } from './inbox.ts';
import { lastReport, wantedUpdates } from './polling.ts';
import type { Timing } from './timing.ts';
import type { Transport } from './transport.ts';

/** Header with the webhook secret. @see https://core.telegram.org/bots/api#setwebhook */
const secretHeader = 'x-telegram-bot-api-secret-token';

/** What Telegram repeats with each update: the same on all replicas, and another one for another token. */
export function webhookSecret({ webhook_secret }: Pick<PlatformContext, 'webhook_secret'>, token: string): string {
  return createHmac('sha256', webhook_secret).update(token.trim()).digest('base64url');
}

/** Receives the updates that Telegram sends to a webhook. */
export class Webhook {
  readonly #transport: Transport;
  readonly #inbox: Inbox;
  readonly #report: (report: ConnectionReport) => void;
  readonly #logger: Logger;
  readonly #timing: Timing;
  readonly #address: string;
  readonly #secret: string;

  constructor(
    transport: Transport,
    inbox: Inbox,
    { address, secret }: { address: string; secret: string },
    { report, logger, timing }: { report: (report: ConnectionReport) => void; logger: Logger; timing: Timing },
  ) {
    this.#transport = transport;
    this.#inbox = inbox;
    this.#address = address;
    this.#secret = secret;
    this.#report = report;
    this.#logger = logger;
    this.#timing = timing;
  }

  /** Registers the webhook at Telegram. Pending updates are not dropped. */
  async register(): Promise<void> {
    await this.#transport.call((api) =>
      api.setWebhook({ url: this.#address, secret_token: this.#secret, allowed_updates: wantedUpdates }),
    );
  }

  /** Looks now and then whether Telegram still sends to this address and gets through. Runs until the signal. */
  async run(signal: AbortSignal): Promise<void> {
    for (let wasStuck = false; ; ) {
      await delay(this.#timing.webhookCheckMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        const fault = await this.#look();
        // One look may come just when something is on its way.
        if (fault === null || wasStuck) this.#report(fault === null ? { state: 'connected' } : unreachable(fault));
        wasStuck = fault !== null;
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof TelegramFailure && error.isUnauthorized) return this.#report(lastReport(error));
        this.#report(unreachable(error instanceof Error ? error.message : String(error)));
      }
    }
  }

  /**
   * @returns why updates wait at Telegram although it tried to deliver; null when they do not
   * @see https://core.telegram.org/bots/api#webhookinfo
   */
  async #look(): Promise<string | null> {
    const info = await this.#transport.call((api) => api.getWebhookInfo());
    if (info.url !== this.#address) {
      this.#logger.warn({}, 'another program changed the webhook at Telegram; setting it again');
      await this.register();
      return null;
    }
    if (info.last_error_message === undefined || !(info.pending_update_count > 0)) return null;
    return `Telegram cannot deliver to ${this.#address}: ${info.last_error_message}`;
  }

  /** As {@link takeRequest}. */
  handle(request: WebhookRequest): Promise<WebhookResponse> {
    return takeRequest(request, this.#secret, () => this.#inbox);
  }
}

/**
 * Responds only when the update's message is stored; after any other response Telegram sends the update again.
 * @param inboxOf called once the request is verified
 * @throws ParleyError `invalid_signature`, `invalid_request`, or the error of the storage
 */
export async function takeRequest(
  { method, path, headers, body }: WebhookRequest,
  secret: string,
  inboxOf: () => Pick<Inbox, 'take'>,
): Promise<WebhookResponse> {
  if (!sameSecret(headers[secretHeader] ?? '', secret)) {
    throw new ParleyError('invalid_signature', 'The secret of the webhook is missing or wrong');
  }
  if (method !== 'POST' || path !== '')
    throw new ParleyError('invalid_request', 'Updates must be posted to the webhook URL itself');
  const update = parseBody(body);
  await inboxOf().take(update);
  return { status: 200 };
}

function unreachable(message: string): ConnectionReport {
  return { state: 'reconnecting', reason: 'platform_failed', message };
}

function parseBody(body: Uint8Array): Update {
  let update: unknown;
  try {
    update = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new ParleyError('invalid_request', 'The body is not JSON');
  }
  if (typeof update === 'object' && update !== null && 'update_id' in update) return update as Update;
  throw new ParleyError('invalid_request', 'The body is not an update');
}
