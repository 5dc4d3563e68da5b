import { setTimeout as delay } from 'node:timers/promises';
import {
  type AccountProfile,
  type ConnectionReport,
  type DeliveryTarget,
  type MessageNames,
  type MessageStream,
  type OutgoingMessage,
  ParleyError,
  type PlatformContext,
  type SendProgress,
  type SentMessage,
  type WebhookRequest,
  type WebhookResponse,
} from '@parley/sdk';
import { ChatPace } from '../../kit/pace/chat-pace.ts';
import { settingFault } from '../../kit/setting-fault.ts';
import { noProgress } from '../../kit/streams/no-progress.ts';
import { takeFirstUse } from '../../kit/webhooks/signed-request.ts';
import { objectOf, textOf } from '../../lib/loose-values.ts';
import { botInfo } from './bot-info.ts';
import { Cards } from './cards.ts';
import { apiAddress, type LarkSettings } from './config.ts';
import { asDeliveryError, startFailure } from './failure.ts';
import { Inbox } from './inbox.ts';
import { LarkApi, type Tokens } from './lark-api.ts';
import { LongConnection } from './long-connection.ts';
import { fetchMedia } from './media.ts';
import { Outbox, type Place } from './outbox.ts';
import { Quotes } from './quotes.ts';
import { StreamedMessage } from './streamed-message.ts';
import type { Timing } from './timing.ts';
import { OwnTokens, StoreTokens } from './tokens.ts';
import { oldestRequest, readEvent } from './webhook.ts';

/** The connection of one bot, from its creation to its end. */
export class Connection {
  readonly #settings: LarkSettings;
  readonly #timing: Timing;
  readonly #ended = new AbortController();
  readonly #api: LarkApi;
  readonly #tokens: Tokens;
  readonly #store: StoreTokens | null;
  readonly #inbox: Inbox;
  readonly #outbox: Outbox;
  readonly #cards: Cards;
  readonly #pace = new ChatPace();
  readonly #receiver: LongConnection | null;
  /** Work in progress that should not be interrupted. */
  readonly #work = new Set<Promise<unknown>>();
  readonly #context: PlatformContext;
  #account: { id: string; name: string } | null = null;

  constructor(settings: LarkSettings, context: PlatformContext, timing: Timing) {
    this.#settings = settings;
    this.#context = context;
    this.#timing = timing;
    const address = apiAddress(settings);
    const api = new LarkApi({ address, fetch: context.fetch, closed: this.#ended.signal, timing });
    this.#api = api;
    this.#store = settings.app_type === 'isv' ? new StoreTokens(api, settings, context.state) : null;
    this.#tokens = this.#store ?? new OwnTokens(api, settings);
    const tokens = this.#tokens;
    const appId = settings.app_id.trim();
    const quotes = new Quotes({ api, tokens, appId, timeoutMs: timing.quoteMs });
    this.#inbox = new Inbox({ context, quotes, accountId: () => this.accountId, appId, store: this.#store });
    this.#outbox = new Outbox({ api, tokens, context, timing });
    this.#cards = new Cards(this.#outbox);
    this.#receiver = settings['enable-webhook']
      ? null
      : new LongConnection({
          api,
          settings,
          address,
          timing,
          openSocket: context.openSocket,
          take: (event) => this.#track(this.#inbox.take(event)),
          report: (report: ConnectionReport) => context.reportConnection(report),
          logger: context.logger,
        });
  }

  /** @throws ParleyError `platform_unauthorized`, `invalid_request` when a setting is missing, or `platform_failed` */
  async start(): Promise<void> {
    requireSettings(this.#settings);
    try {
      this.#account = await this.#ownAccount();
      await this.#receiver?.start();
    } catch (error) {
      throw startFailure(error);
    }
  }

  get accountId(): string | null {
    return this.#account?.id ?? null;
  }

  get profile(): AccountProfile | null {
    const name = this.#account?.name ?? '';
    return name === '' ? null : { name };
  }

  send(message: OutgoingMessage, progress: SendProgress = noProgress): Promise<SentMessage> {
    return this.#track(this.#message(message, progress).finish(message.message_chain));
  }

  stream(message: Omit<OutgoingMessage, 'message_chain'>, progress: SendProgress = noProgress): MessageStream {
    const stream = this.#message(message, progress);
    return {
      update: (chain) => this.#track(stream.update(chain)),
      finish: (chain) => this.#track(stream.finish(chain)),
      abandon: () => this.#track(stream.abandon()),
    };
  }

  /** @throws the signal's reason */
  awaitTurn({ session_id }: DeliveryTarget, signal: AbortSignal): Promise<void> {
    const { sendMs: intervalMs, sendBurst: burst } = this.#timing;
    return this.#pace.waitTurn(session_id, { intervalMs, burst }, signal);
  }

  fetchMedia(value: unknown, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    return fetchMedia(value, { api: this.#api, tokens: this.#tokens, signal });
  }

  /** Checks the connection. A refusal counts as an answer: sending will fail and report it. */
  async probe(): Promise<void> {
    try {
      await botInfo(this.#api, this.#tokens);
    } catch (error) {
      const failure = asDeliveryError(error);
      if (failure.kind !== 'refused') throw failure;
    }
  }

  async namesOf({ session_type, session_id }: DeliveryTarget, senderId: string): Promise<MessageNames> {
    const [user, chat] = await Promise.all([
      this.#nameAt(`/open-apis/contact/v3/users/${encodeURIComponent(senderId)}`, (data) => objectOf(data.user).name),
      session_type === 'group'
        ? this.#nameAt(`/open-apis/im/v1/chats/${encodeURIComponent(session_id)}`, (data) => data.name)
        : '',
    ]);
    return { ...(user === '' ? {} : { sender_name: user }), ...(chat === '' ? {} : { group_name: chat }) };
  }

  async handleWebhook(request: WebhookRequest): Promise<WebhookResponse> {
    if (!this.#settings['enable-webhook']) {
      throw new ParleyError('webhook_unsupported', 'This bot uses a long connection; its webhook is disabled');
    }
    const { event, id, sentAt } = readEvent(this.#settings['encrypt-key'].trim(), request);
    // Whether the platform signs an event again that was not stored is not documented.
    await takeFirstUse(this.#context, { id, sentAt, window: oldestRequest }, () =>
      this.#track(this.#inbox.take(event)),
    );
    return { status: 200, content_type: 'application/json', body: '{}' };
  }

  /** Waits a limited time for work in progress, then aborts it. */
  async stop(): Promise<void> {
    const done = Promise.allSettled(this.#work);
    const patience = new AbortController();
    const late = delay(this.#timing.stopMs, undefined, { signal: patience.signal }).catch(() => undefined);
    await Promise.all([this.#receiver?.stop(), Promise.race([done, late])]);
    patience.abort();
    this.#ended.abort(new ParleyError('bot_not_running', 'The bot was stopped'));
    await Promise.race([done, delay(this.#timing.stopMs / 5, undefined, { ref: false })]);
  }

  /** The account of the bot; an app of the store may not know a company to ask for yet. */
  async #ownAccount(): Promise<{ id: string; name: string } | null> {
    if (this.#store !== null && (await this.#store.lastTenant()) === null) return null;
    const { open_id: id, name } = await botInfo(this.#api, this.#tokens);
    return { id, name };
  }

  async #nameAt(path: string, read: (data: Record<string, unknown>) => unknown): Promise<string> {
    try {
      const { data = {} } = await this.#api.call({ method: 'GET', path, tokens: this.#tokens, limit: 'names' });
      return textOf(read(data));
    } catch {
      // The permission for names is optional.
      return '';
    }
  }

  #message(message: Omit<OutgoingMessage, 'message_chain'>, progress: SendProgress): StreamedMessage {
    return new StreamedMessage(placeOf(message), {
      outbox: this.#outbox,
      cards: this.#cards,
      pace: this.#pace,
      progress,
      isStreamed: this.#settings['enable-stream-reply'] && message.reply_to !== null,
      token: message.idempotency_token,
      timing: this.#timing,
    });
  }

  #track<Result>(work: Promise<Result>): Promise<Result> {
    const tracked = work.finally(() => this.#work.delete(tracked));
    this.#work.add(tracked);
    return tracked;
  }
}

/** Answers in a thread are replies, because only replies reach it. */
function placeOf({ target, reply_to }: Omit<OutgoingMessage, 'message_chain'>): Place {
  const isThread = target.thread_id !== '';
  const { tenant } = objectOf(reply_to?.context);
  return {
    target,
    replyTo: isThread ? (reply_to?.platform_message_id ?? null) : null,
    tenant: textOf(tenant) || null,
  };
}

/** @throws ParleyError when a setting cannot be right */
export function requireSettings(settings: LarkSettings): void {
  const { app_id, app_secret, app_type } = settings;
  if (app_id.trim() === '' || app_secret.trim() === '') {
    const field = app_id.trim() === '' ? 'app_id' : 'app_secret';
    throw settingFault(field, 'Enter the app ID and the app secret', 'required');
  }
  if (!settings['enable-webhook']) {
    if (app_type === 'isv')
      throw settingFault('enable-webhook', 'Apps of the store can only receive via webhook', 'required');
    return;
  }
  if (settings['encrypt-key'].trim() === '') {
    throw settingFault('encrypt-key', 'A webhook needs the encrypt key, which requests are verified with', 'required');
  }
}
