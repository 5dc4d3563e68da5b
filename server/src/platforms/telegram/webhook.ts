import { setTimeout as delay } from 'node:timers/promises';
import {
  type ConnectionReport,
  type Logger,
  ParleyError,
  type WebhookRequest,
  type WebhookResponse,
} from '@parley/sdk';
import type { Update } from 'grammy/types';
import { randomToken, sameSecret } from '../../lib/token.ts';
import { TelegramFailure } from './failure.ts';
import type { Inbox } from './inbox.ts';
import { lastReport, wantedUpdates } from './polling.ts';
import type { Timing } from './timing.ts';
import type { Transport } from './transport.ts';

/** Where Telegram puts the secret it was given. @see https://core.telegram.org/bots/api#setwebhook */
const secretHeader = 'x-telegram-bot-api-secret-token';

/** Takes the updates that Telegram sends to an address of ours. */
export class Webhook {
  readonly #transport: Transport;
  readonly #inbox: Inbox;
  readonly #report: (report: ConnectionReport) => void;
  readonly #logger: Logger;
  readonly #timing: Timing;
  readonly #address: string;
  /** New with each start, so that what somebody learned of an earlier one is worth nothing. */
  readonly #secret = randomToken(192);

  constructor(
    transport: Transport,
    inbox: Inbox,
    address: string,
    { report, logger, timing }: { report: (report: ConnectionReport) => void; logger: Logger; timing: Timing },
  ) {
    this.#transport = transport;
    this.#inbox = inbox;
    this.#address = address;
    this.#report = report;
    this.#logger = logger;
    this.#timing = timing;
  }

  /** Tells Telegram where to send updates. What waits there is not dropped. */
  async register(): Promise<void> {
    await this.#transport.call((api) =>
      api.setWebhook({ url: this.#address, secret_token: this.#secret, allowed_updates: wantedUpdates }),
    );
  }

  /** Looks now and then whether Telegram still sends to this address and gets through. Runs until the signal. */
  async run(signal: AbortSignal): Promise<void> {
    for (let looked = Date.now(); ; ) {
      await delay(this.#timing.webhookCheckMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const since = looked;
      looked = Date.now();
      try {
        this.#report(await this.#look(since));
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof TelegramFailure && error.isUnauthorized) return this.#report(lastReport(error));
        const message = error instanceof Error ? error.message : String(error);
        this.#report({ state: 'reconnecting', reason: 'platform_failed', message });
      }
    }
  }

  /** @see https://core.telegram.org/bots/api#webhookinfo */
  async #look(since: number): Promise<ConnectionReport> {
    const {
      url,
      last_error_date: failedAt,
      last_error_message: fault,
    } = await this.#transport.call((api) => api.getWebhookInfo());
    if (url !== this.#address) {
      this.#logger.warn({}, 'another program changed the webhook at Telegram; it is set again');
      await this.register();
    } else if (failedAt !== undefined && failedAt * 1000 >= since) {
      const message = `Telegram cannot deliver to ${this.#address}: ${fault ?? 'no reason given'}`;
      return { state: 'reconnecting', reason: 'platform_failed', message };
    }
    return { state: 'connected' };
  }

  /**
   * Answers only when the update's message is stored; after any other answer Telegram sends the update again.
   * @throws ParleyError `invalid_signature`, `invalid_request`, or what storing threw
   */
  async handle({ method, path, headers, body }: WebhookRequest): Promise<WebhookResponse> {
    if (!sameSecret(headers[secretHeader] ?? '', this.#secret)) {
      throw new ParleyError('invalid_signature', 'The secret of the webhook is missing or wrong');
    }
    if (method !== 'POST' || path !== '')
      throw new ParleyError('invalid_request', 'Updates are posted to the address itself');
    const update = parseBody(body);
    await this.#inbox.take(update);
    return { status: 200 };
  }
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
