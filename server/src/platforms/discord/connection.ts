import {
  type AccountProfile,
  type ConnectionReport,
  type DeliveryTarget,
  type MessageStream,
  type OutgoingMessage,
  ParleyError,
  type PlatformContext,
  type SendProgress,
  type SentMessage,
} from '@parley/sdk';
import { pause } from '../../lib/waiting.ts';
import { fetchAttachment } from './attachments.ts';
import type { DiscordSettings } from './config.ts';
import { Directory } from './directory.ts';
import { baseUrlOf, checkedToken, DiscordApi } from './discord-api.ts';
import { Gateway } from './gateway.ts';
import { Inbox } from './inbox.ts';
import type { Format } from './markdown.ts';
import { Sender } from './sender.ts';
import type { Timing } from './timing.ts';

export interface ConnectionOptions {
  timing: Timing;
  format: Format;
  report(report: ConnectionReport): void;
}

/** One bot at Discord: its gateway, and its calls. */
export class Connection {
  readonly #context: PlatformContext;
  readonly #timing: Timing;
  readonly #api: DiscordApi;
  readonly #directory: Directory;
  readonly #gateway: Gateway;
  readonly #sender: Sender;
  readonly #closed = new AbortController();
  #isConnected = false;
  /** Work in progress that should not be interrupted. */
  readonly #work = new Set<Promise<unknown>>();

  /** @throws ParleyError `platform_unauthorized` for a token that cannot be right */
  constructor(settings: DiscordSettings, context: PlatformContext, { timing, format, report }: ConnectionOptions) {
    const token = checkedToken(settings);
    const baseUrl = baseUrlOf(settings);
    this.#context = context;
    this.#timing = timing;
    this.#api = new DiscordApi({
      token,
      baseUrl,
      fetch: context.fetch,
      closed: this.#closed.signal,
      timing,
      onUnauthorized: ({ reason, message }) => {
        // The start, and each further connection, report it by themselves.
        if (this.#isConnected) report({ state: 'failed', reason, message });
        this.#isConnected = false;
      },
    });
    const api = this.#api;
    const directory = new Directory(api);
    const inbox = new Inbox({ context, directory, timing });
    this.#directory = directory;
    this.#gateway = new Gateway({ api, token, baseUrl, context, directory, inbox, timing, report });
    this.#sender = new Sender({ api, directory, context, format, timing });
  }

  /** @throws ParleyError as the adapter's `start` */
  async start(): Promise<void> {
    await this.#gateway.start();
    this.#isConnected = true;
  }

  get accountId(): string | null {
    return this.#directory.userId || null;
  }

  get profile(): AccountProfile | null {
    const { userId, userName } = this.#directory;
    return userName === '' ? null : { name: userName, url: `https://discord.com/users/${userId}` };
  }

  send(message: OutgoingMessage, progress?: SendProgress): Promise<SentMessage> {
    return this.#track(this.#sender.send(message, progress));
  }

  stream(message: Omit<OutgoingMessage, 'message_chain'>, progress?: SendProgress): MessageStream {
    const stream = this.#sender.stream(message, progress);
    return {
      update: (chain) => this.#track(stream.update(chain)),
      finish: (chain) => this.#track(stream.finish(chain)),
    };
  }

  awaitTurn(target: DeliveryTarget, signal: AbortSignal): Promise<void> {
    return this.#sender.awaitTurn(target, signal);
  }

  showTyping(target: DeliveryTarget): Promise<void> {
    return this.#sender.showTyping(target);
  }

  probe(): Promise<void> {
    return this.#sender.probe();
  }

  fetchMedia(value: unknown, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    return fetchAttachment(value, { api: this.#api, context: this.#context, timing: this.#timing, signal });
  }

  /** Stops to receive, waits a limited time for work in progress, then aborts it. */
  async stop(): Promise<void> {
    const receiving = this.#gateway.stop();
    const patience = new AbortController();
    const done = Promise.allSettled(this.#work).then(() => patience.abort());
    await pause(this.#timing.stopMs, patience.signal);
    this.#closed.abort(new ParleyError('bot_not_running', 'The bot was stopped'));
    await Promise.all([receiving, done]);
  }

  #track<Result>(work: Promise<Result>): Promise<Result> {
    const tracked = work.finally(() => this.#work.delete(tracked));
    this.#work.add(tracked);
    return tracked;
  }
}
