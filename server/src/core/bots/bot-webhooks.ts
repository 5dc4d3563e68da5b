import {
  type Logger,
  ParleyError,
  problemError,
  type SocketRequest,
  type WebhookRequest,
  type WebhookResponse,
} from '@parley/sdk';
import { isUuid } from '../../lib/uuid.ts';
import { inTime, pause } from '../../lib/waiting.ts';
import type { Bot } from './bot.ts';
import type { BotReceivers, HandleRequest } from './bot-receivers.ts';
import type { BotRuntime } from './bot-runtime.ts';
import type { TakeSocket } from './bot-sockets.ts';
import type { BotStore } from './bot-store.ts';

/** Platforms stop listening sooner; this only ends what never would. Milliseconds. */
const patience = 30_000;

/** How long a platform that opens a websocket waits for its bot, milliseconds: a few beats, and its start. */
const arrivalMs = 8000;
const arrivalPauseMs = 50;

/** With the defaults of what was omitted. `onWritten` may be called several times: the first one counts. */
export type CheckedResponse = Required<WebhookResponse>;

export interface BotWebhooksOptions {
  runtime: BotRuntime;
  /** Of bots that are not connected here. */
  receivers: Pick<BotReceivers, 'of' | 'drop'>;
  logger: Logger;
}

/**
 * Hands what platforms send to an adapter of the bot that it is for, which verifies it: the one that is connected here,
 * else a receiver, where messages come by requests.
 */
export class BotWebhooks {
  readonly #store: BotStore;
  readonly #runtime: BotRuntime;
  readonly #receivers: BotWebhooksOptions['receivers'];
  readonly #logger: Logger;

  constructor(store: BotStore, { runtime, receivers, logger }: BotWebhooksOptions) {
    this.#store = store;
    this.#runtime = runtime;
    this.#receivers = receivers;
    this.#logger = logger;
  }

  /**
   * The bot that a platform calls, found without reading the request.
   * @throws ParleyError `not_found`, `bot_disabled`, `webhook_unsupported` or `bot_not_running`
   */
  async find(botUuid: string): Promise<Bot> {
    const bot = await this.#enabled(botUuid);
    const platform = this.#runtime.platform(bot.adapter);
    if (platform === undefined || !platform.capabilities.webhook) throw unsupported();
    // A request to verify the address, or one that brings messages, may come where the bot is not connected.
    const isTaken = platform.receives !== undefined || (await platform.load()).verifyAddress !== undefined;
    if (!isTaken) this.#webhookOf(bot);
    return bot;
  }

  /**
   * Lets a bot decide on a websocket that its platform opens. Nothing of it was read.
   * @returns what takes the socket, to be called at once
   * @throws ParleyError as {@link find}, or the refusal of the adapter
   */
  async acceptSocket(botUuid: string, request: SocketRequest): Promise<TakeSocket> {
    const bot = await this.#enabled(botUuid);
    if (this.#runtime.platform(bot.adapter)?.capabilities.inbound_sockets !== true) throw noSockets();
    this.#runtime.bring(bot.uuid);
    await this.#arrival(bot.uuid);
    const { adapter, capabilities, sockets } = this.#runtime.listening(bot.uuid);
    const accept = adapter.acceptSocket?.bind(adapter);
    if (accept === undefined || capabilities.inbound_sockets !== true) throw noSockets();
    return sockets.accept(() => accept(request));
  }

  /**
   * Waits for a bot that is on its way. The next attempt of the platform may reach another replica, which would take it away
   * again.
   */
  async #arrival(botUuid: string): Promise<void> {
    const end = AbortSignal.timeout(arrivalMs);
    const runtime = this.#runtime;
    while (!end.aborted && !runtime.isListening(botUuid) && runtime.mayCome(botUuid)) await pause(arrivalPauseMs, end);
  }

  /** @throws ParleyError `not_found`, `bot_disabled` */
  async #enabled(botUuid: string): Promise<Bot> {
    const bot = isUuid(botUuid) ? await this.#store.byUuid(botUuid.toLowerCase()) : null;
    if (bot?.enable !== true) this.#receivers.drop(botUuid.toLowerCase());
    if (bot === null) throw problemError('bot_not_found');
    if (!bot.enable) throw new ParleyError('bot_disabled', 'Bot is disabled');
    return bot;
  }

  /**
   * @throws ParleyError `bot_not_running` when the bot stopped meanwhile, or the error of the adapter; `internal` for
   * errors that must not be exposed
   */
  async handle(bot: Bot, request: WebhookRequest): Promise<CheckedResponse> {
    try {
      const answered = this.#answer(bot, request);
      const late = () => {
        // Its response is not used any more.
        answered.then(({ onWritten }) => onWritten(false)).catch(() => undefined);
        throw new ParleyError('not_ready', 'The bot did not answer in time');
      };
      return requireStatus(await inTime(answered, patience, late));
    } catch (error) {
      if (error instanceof ParleyError) throw error;
      this.#logger.error({ bot: bot.uuid, adapter: bot.adapter, error }, 'an adapter failed to handle a webhook');
      throw new ParleyError('internal', 'An unexpected fault', { cause: error });
    }
  }

  async #answer(bot: Bot, request: WebhookRequest): Promise<CheckedResponse> {
    const response = (await this.#verification(bot, request)) ?? (await (await this.#handlerOf(bot))(request));
    const { status, content_type = 'text/plain; charset=utf-8', body = '' } = response;
    return { status, content_type, body, onWritten: this.#writtenNotice(bot, response) };
  }

  /** Calls that of a response once. */
  #writtenNotice({ uuid, adapter }: Bot, response: WebhookResponse): (wasWritten: boolean) => void {
    let isCalled = false;
    return (wasWritten) => {
      if (isCalled) return;
      isCalled = true;
      const notify = async () => response.onWritten?.(wasWritten);
      notify().catch((error: unknown) => {
        this.#logger.error({ bot: uuid, adapter, error }, 'an adapter failed after its response to a webhook');
      });
    };
  }

  /** The answer to a request that only verifies the address; null for any other. */
  async #verification(bot: Bot, request: WebhookRequest): Promise<WebhookResponse | null> {
    const implementation = await this.#runtime.platform(bot.adapter)?.load();
    if (implementation?.verifyAddress === undefined) return null;
    return implementation.verifyAddress(await this.#runtime.configOf(bot.uuid), request);
  }

  /** @throws ParleyError `bot_not_running` where messages come over a connection, which is not here */
  async #handlerOf(bot: Bot): Promise<HandleRequest> {
    if (this.#runtime.isListening(bot.uuid)) {
      this.#receivers.drop(bot.uuid);
      return this.#webhookOf(bot);
    }
    return (await this.#receivers.of(bot)) ?? this.#webhookOf(bot);
  }

  #webhookOf(bot: Bot): HandleRequest {
    const { adapter } = this.#runtime.listening(bot.uuid);
    if (adapter.handleWebhook === undefined) throw unsupported();
    return adapter.handleWebhook.bind(adapter);
  }
}

function unsupported(): ParleyError {
  return new ParleyError('webhook_unsupported', 'Adapter does not support unified webhook');
}

function noSockets(): ParleyError {
  return new ParleyError('webhook_unsupported', 'The adapter takes no websockets');
}

function requireStatus(response: CheckedResponse): CheckedResponse {
  const { status, onWritten } = response;
  if (Number.isInteger(status) && status >= 200 && status <= 599) return response;
  onWritten(false);
  throw new TypeError(`no status: ${status}`);
}
