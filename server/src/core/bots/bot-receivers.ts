import type { Logger, WebhookRequest, WebhookResponse } from '@parley/sdk';
import { inTime } from '../../lib/waiting.ts';
import type { Bot, StoredBot } from './bot.ts';
import type { BotConfigs } from './bot-configs.ts';
import type { BotContexts } from './bot-contexts.ts';
import type { BotStore } from './bot-store.ts';
import type { PassedRequests } from './passed-requests.ts';

export interface BotReceiversOptions {
  bots: Pick<BotStore, 'storedByUuid'>;
  configs: BotConfigs;
  contexts: BotContexts;
  /** What the replica does that has connected a bot. */
  elsewhere: Pick<PassedRequests, 'passOn' | 'greet'>;
  logger: Logger;
}

/** What handles a request. */
export type HandleRequest = (request: WebhookRequest) => Promise<WebhookResponse>;

/** Takes the requests of a bot with one configuration. */
interface Receiver {
  handle: HandleRequest;
  stop(): Promise<void>;
}

/** Receivers that are kept. They hold no connection. */
const most = 1000;
/** How long one may take to stop, milliseconds. */
const patience = 5000;

/**
 * Adapters that are not started, for bots that this replica has not connected and whose messages come by requests. One
 * is made with the first request, and replaced once the record of the bot is another one.
 */
export class BotReceivers {
  readonly #options: BotReceiversOptions;
  /** By bot. A receiver is null where messages come over a connection. */
  readonly #receivers = new Map<string, { updatedAt: string; receiver: Promise<Receiver | null> }>();
  readonly #stopping = new Set<Promise<void>>();
  #isClosed = false;

  constructor(options: BotReceiversOptions) {
    this.#options = options;
  }

  /**
   * What takes a request to a bot; null where only its connection does, and after `close`.
   * @param bot as its record is now
   * @throws ParleyError when its configuration cannot be used
   */
  async of({ uuid, updated_at: updatedAt }: Bot): Promise<HandleRequest | null> {
    let kept = this.#receivers.get(uuid);
    if (kept?.updatedAt !== updatedAt) {
      if (this.#isClosed) return null;
      this.drop(uuid);
      kept = { updatedAt, receiver: this.#create(uuid) };
      this.#receivers.set(uuid, kept);
      const [oldest = uuid] = this.#receivers.keys();
      if (this.#receivers.size > most) this.drop(oldest);
    }
    try {
      return (await kept.receiver)?.handle ?? null;
    } catch (error) {
      if (this.#receivers.get(uuid) === kept) this.#receivers.delete(uuid);
      throw error;
    }
  }

  /** A bot is connected here, disabled or deleted. */
  drop(botUuid: string): void {
    const kept = this.#receivers.get(botUuid);
    if (kept === undefined) return;
    this.#receivers.delete(botUuid);
    const stopping = kept.receiver
      .then((receiver) => receiver?.stop())
      .catch(() => undefined)
      .finally(() => this.#stopping.delete(stopping));
    this.#stopping.add(stopping);
  }

  /** Ends all, in bounded time. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const uuid of [...this.#receivers.keys()]) this.drop(uuid);
    await Promise.all(this.#stopping);
  }

  async #create(uuid: string): Promise<Receiver | null> {
    const record = await this.#options.bots.storedByUuid(uuid);
    return record === null ? null : this.#receiverOf(record);
  }

  async #receiverOf(record: StoredBot): Promise<Receiver | null> {
    const { configs, contexts, elsewhere, logger } = this.#options;
    const { uuid } = record;
    const wanted = configs.wantedBy(record);
    const { platform, config } = wanted;
    if (platform.receives?.(config) !== 'requests') return null;
    const implementation = await platform.load();
    const context = contexts.ofReceiver(uuid, wanted, {
      passOn: (request) => elsewhere.passOn(uuid, request),
      greet: (notice) => elsewhere.greet(uuid, notice),
    });
    const adapter = implementation.create(config, context);
    const fields = { bot: uuid, adapter: platform.name };
    const handle = adapter.handleWebhook?.bind(adapter);
    const stop = async () => {
      const stopped = adapter
        .stop()
        .catch((error: unknown) => logger.warn({ ...fields, error }, 'a receiver failed to stop'));
      await inTime(stopped, patience, () => logger.error(fields, 'a receiver did not stop in time'));
    };
    if (handle !== undefined) return { handle, stop };
    await stop();
    return null;
  }
}
