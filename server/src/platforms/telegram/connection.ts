import { setTimeout as delay } from 'node:timers/promises';
import {
  type AccountProfile,
  type ConnectionReport,
  type DeliveryTarget,
  type MessageStream,
  type OutgoingMessage,
  ParleyError,
  type PlatformAccount,
  type PlatformContext,
  type PlatformTestContext,
  type SendProgress,
  type SentMessage,
  type WebhookRequest,
  type WebhookResponse,
} from '@parley/sdk';
import { ChatPace } from '../../kit/pace/chat-pace.ts';
import { settingFault } from '../../kit/setting-fault.ts';
import { requireStoredAccount } from '../../kit/webhooks/signed-request.ts';
import { fetchAttachment } from './attachments.ts';
import { chatOf } from './chat.ts';
import { defaultApiBaseUrl, type TelegramSettings } from './config.ts';
import { asDeliveryError, TelegramFailure } from './failure.ts';
import { Inbox } from './inbox.ts';
import { Outbox } from './outbox.ts';
import type { BotAccount } from './parse.ts';
import { Poller } from './polling.ts';
import { Sender } from './sender.ts';
import type { Timing } from './timing.ts';
import { Transport } from './transport.ts';
import { takeRequest, Webhook, webhookSecret } from './webhook.ts';

export interface ConnectOptions {
  timing: Timing;
  report(report: ConnectionReport): void;
  /** Ends the connection, also during setup. */
  signal: AbortSignal;
}

/** `<number of the bot>:<secret>`. @see https://core.telegram.org/bots/api#authorizing-your-bot */
const tokenShape = /^\d+:[A-Za-z0-9_-]+$/;

/**
 * Connects one bot: identifies it, and starts to receive.
 * @throws ParleyError `platform_unauthorized`, `invalid_request` when a setting is missing, or `platform_failed`
 */
export async function connect(
  settings: TelegramSettings,
  context: PlatformContext,
  { timing, report, signal }: ConnectOptions,
): Promise<Connection> {
  const closed = new AbortController();
  const transport = await openTransport(settings, context, { timing, closing: signal, closed: closed.signal });
  const abandon = () => closed.abort(signal.reason);
  signal.addEventListener('abort', abandon, { once: true });
  try {
    signal.throwIfAborted();
    const { id, username = '' } = await transport.call((api) => api.getMe());
    const parts = { transport, context, timing, report, signal, closed };
    const connection = new Connection({ id, username }, settings, parts);
    await connection.begin();
    return connection;
  } catch (error) {
    throw startFailure(error);
  } finally {
    signal.removeEventListener('abort', abandon);
  }
}

/**
 * Identifies the bot of a token.
 * @throws ParleyError as {@link connect}
 */
export async function identify(
  settings: TelegramSettings,
  context: PlatformTestContext,
  timing: Timing,
): Promise<PlatformAccount> {
  const { signal } = context;
  const transport = await openTransport(settings, context, { timing, closing: signal, closed: signal });
  try {
    const { id, username } = await transport.call((api) => api.getMe());
    return { id: String(id), name: username === undefined ? null : `@${username}` };
  } catch (error) {
    throw startFailure(error);
  }
}

/** @throws ParleyError when a setting cannot be right */
async function openTransport(
  settings: TelegramSettings,
  context: Pick<PlatformContext, 'fetch' | 'webhook_url'>,
  parts: { timing: Timing; closing: AbortSignal; closed: AbortSignal },
): Promise<Transport> {
  const token = settings.token.trim();
  if (!tokenShape.test(token)) {
    throw new ParleyError('platform_unauthorized', 'The token was not issued by @BotFather');
  }
  if (settings['enable-webhook'] && context.webhook_url === null) {
    const message =
      'A webhook needs the public address of this service: set PARLEY_PUBLIC_URL, or switch the webhook off';
    throw settingFault('enable-webhook', message, 'publicAddress');
  }
  const apiBaseUrl = settings.api_base_url.trim().replace(/\/+$/, '') || defaultApiBaseUrl;
  return Transport.open({ token, apiBaseUrl, fetch: context.fetch, ...parts });
}

function startFailure(error: unknown): unknown {
  if (!(error instanceof TelegramFailure)) return error;
  const [reason, prefix] = error.isUnauthorized
    ? (['platform_unauthorized', 'Telegram refuses the token'] as const)
    : (['platform_failed', 'Connecting to Telegram failed'] as const);
  return new ParleyError(reason, `${prefix}: ${error.message}`);
}

/**
 * Takes a request for a bot that is not connected here.
 * @throws ParleyError as `handleWebhook` of an adapter; `bot_not_running` while the account of the token is not known
 */
export async function receive(
  settings: TelegramSettings,
  context: PlatformContext,
  request: WebhookRequest,
): Promise<WebhookResponse> {
  if (!settings['enable-webhook']) throw noWebhook();
  return takeRequest(request, webhookSecret(context, settings.token), () => {
    const { id, profile } = requireStoredAccount(context);
    // A token begins with the id of its bot.
    if (!settings.token.trim().startsWith(`${id}:`)) {
      throw new ParleyError('bot_not_running', 'The bot was not connected with this token yet');
    }
    return new Inbox(context, { id: Number(id), username: profile?.name.slice(1) ?? '' });
  });
}

function noWebhook(): ParleyError {
  return new ParleyError('webhook_unsupported', 'This bot fetches its messages itself; its webhook is disabled');
}

interface Parts extends ConnectOptions {
  transport: Transport;
  context: PlatformContext;
  closed: AbortController;
}

/** A bot that is connected. */
export class Connection {
  readonly accountId: string;
  /** @see https://core.telegram.org/api/links#public-username-links */
  readonly profile: AccountProfile | null;
  readonly #parts: Parts;
  readonly #sender: Sender;
  readonly #poller: Poller | null;
  readonly #webhook: Webhook | null;
  /** Work in progress that should not be interrupted. */
  readonly #work = new Set<Promise<unknown>>();

  constructor(account: BotAccount, settings: TelegramSettings, parts: Parts) {
    const { transport, context, timing, report } = parts;
    this.accountId = String(account.id);
    const { username } = account;
    this.profile = username === '' ? null : { name: `@${username}`, url: `https://t.me/${username}` };
    this.#parts = parts;
    this.#sender = new Sender({
      transport,
      outbox: new Outbox(transport),
      pace: new ChatPace(),
      context,
      markdown: settings.markdown_card,
      timing,
    });
    const inbox = new Inbox(context, account);
    const options = { report, logger: context.logger, timing };
    const address = settings['enable-webhook'] ? context.webhook_url : null;
    const secret = webhookSecret(context, settings.token);
    this.#webhook = address === null ? null : new Webhook(transport, inbox, { address, secret }, options);
    this.#poller = address === null ? new Poller(transport, inbox, options) : null;
  }

  /** Starts to receive. */
  async begin(): Promise<void> {
    await this.#webhook?.register();
    const receiving = this.#poller ?? this.#webhook;
    if (receiving !== null) void this.#track(receiving.run(this.#parts.signal));
  }

  async send({ target, message_chain }: OutgoingMessage, progress?: SendProgress): Promise<SentMessage> {
    return this.#track(this.#sender.send(target, message_chain, progress));
  }

  stream({ target }: Pick<OutgoingMessage, 'target'>, progress?: SendProgress): MessageStream {
    const stream = this.#sender.stream(target, progress);
    return {
      update: (chain) => this.#track(stream.update(chain)),
      finish: (chain) => this.#track(stream.finish(chain)),
    };
  }

  /** @throws the signal's reason */
  async awaitTurn(target: DeliveryTarget, signal: AbortSignal): Promise<void> {
    await this.#sender.awaitTurn(target, signal);
  }

  /** @see https://core.telegram.org/bots/api#sendchataction */
  async showTyping(target: DeliveryTarget): Promise<void> {
    const { place } = chatOf(target);
    await this.#parts.transport.call((api) => api.sendChatAction({ ...place, action: 'typing' }));
  }

  /** Checks the connection. A refusal counts as an answer: sending will fail and report it. */
  async probe(): Promise<void> {
    try {
      await this.#parts.transport.call((api) => api.getMe());
    } catch (error) {
      const failure = asDeliveryError(error);
      if (failure.kind !== 'refused') throw failure;
    }
  }

  /** @param value of {@link mediaReferenceOf} */
  fetchMedia(value: unknown, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    return fetchAttachment(value, this.#parts.transport, signal);
  }

  async handleWebhook(request: WebhookRequest): Promise<WebhookResponse> {
    if (this.#webhook === null) throw noWebhook();
    return this.#track(this.#webhook.handle(request));
  }

  /** Waits a limited time for work in progress, then aborts it. The connection's signal is aborted before. */
  async stop(): Promise<void> {
    const { timing, closed, signal } = this.#parts;
    const done = Promise.allSettled(this.#work);
    const patience = new AbortController();
    await Promise.race([done, delay(timing.stopMs, undefined, { signal: patience.signal }).catch(() => undefined)]);
    patience.abort();
    closed.abort(signal.reason);
    await Promise.race([done, delay(timing.stopMs / 5, undefined, { ref: false })]);
  }

  #track<Result>(work: Promise<Result>): Promise<Result> {
    const tracked = work.finally(() => this.#work.delete(tracked));
    this.#work.add(tracked);
    return tracked;
  }
}
