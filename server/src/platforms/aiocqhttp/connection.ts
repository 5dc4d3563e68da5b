import { ParleyError, type PlatformContext } from '@parley/sdk';
import type { ArrivalQueues } from '../../kit/retry/arrival-queue.ts';
import { inTime, untilAborted } from '../../lib/waiting.ts';
import { universal } from './client-role.ts';
import { ClientSockets } from './client-sockets.ts';
import type { OneBotSettings } from './config.ts';
import type { Fields } from './fields.ts';
import { forwardConnection } from './forward-connection.ts';
import { Inbox } from './inbox.ts';
import { ReverseListener } from './reverse-listener.ts';
import { Sender } from './sender.ts';
import type { Timing } from './timing.ts';
import { WireIds } from './wire-ids.ts';

/** The value of the adapter's state with the QQ number of the bot. */
const accountState = 'account';

export interface ConnectionOptions {
  timing: Timing;
  /** What bots have received and not stored yet. */
  queues: ArrivalQueues;
}

/** Everything between a bot and its QQ client, from the start of the bot to its end. */
export class Connection {
  readonly clients: ClientSockets;
  readonly sender: Sender;
  readonly reverse: ReverseListener | null;
  readonly ids = new WireIds();
  readonly #inbox: Inbox;
  readonly #context: PlatformContext;
  readonly #timing: Timing;
  readonly #end = new AbortController();
  readonly #openLink: () => Promise<void>;
  #closeLink: () => Promise<void> = async () => undefined;

  /** @throws ParleyError `invalid_request` for an unusable configuration */
  constructor(settings: OneBotSettings, context: PlatformContext, { timing, queues }: ConnectionOptions) {
    this.#context = context;
    this.#timing = timing;
    const { logger, bot_uuid } = context;
    this.clients = new ClientSockets({
      onEvent: (event) => this.#inbox.take(event),
      report: (report) => context.reportConnection(report),
      onAccount: (account) => void this.#store(account),
      onFault: (fault) => logger.warn({ bot: bot_uuid }, `a QQ client sent ${fault}`),
    });
    const parts = { context, timing, ids: this.ids, account: () => this.clients.account };
    this.sender = new Sender({ ...parts, call: (...call) => this.clients.call(...call) });
    this.#inbox = new Inbox({
      ...parts,
      queues,
      lookUp: (...call) => this.lookUp(...call),
      isOwn: (id) => this.sender.isOwn(id),
      onFault: (fault) => this.clients.fault(fault),
    });
    const reverse = settings.connection === 'forward' ? null : new ReverseListener(settings, this.clients);
    this.reverse = reverse;
    this.#openLink = () => (reverse === null ? this.#connect(settings) : this.#listen(reverse));
  }

  /** @throws ParleyError as `start` of an adapter */
  async start(): Promise<void> {
    this.clients.remember(await this.#context.state.read(accountState));
    this.#end.signal.throwIfAborted();
    await this.#openLink();
    this.#end.signal.throwIfAborted();
    this.clients.reportState();
  }

  /**
   * Stores what has arrived and ends the sockets, in bounded time. In this order: clients connect again at once, and what
   * they send then, perhaps to another replica, would be stored before.
   */
  async stop(): Promise<void> {
    this.#end.abort(new ParleyError('bot_not_running', 'The bot was stopped'));
    const { arrivalMs, arrivedMs, closeMs } = this.#timing;
    await inTime(this.clients.arrived(), arrivalMs, () => undefined);
    await inTime(this.#inbox.idle(), arrivedMs, () => undefined);
    await Promise.all([inTime(this.clients.close(), closeMs, () => undefined), this.#closeLink()]);
    await this.#inbox.stop();
  }

  /** Calls an action that changes nothing. @throws DeliveryError; the signal's reason */
  lookUp(action: string, params: Fields, signal: AbortSignal): Promise<unknown> {
    const either = AbortSignal.any([signal, this.#end.signal]);
    return this.clients.call(action, params, { timeoutMs: this.#timing.actionMs, signal: either, isRepeatable: true });
  }

  async #connect(settings: OneBotSettings): Promise<void> {
    const context = this.#context;
    const socket = forwardConnection(settings, {
      openSocket: (address, options) => context.openSocket(address, options),
      take: (account, taken, early) => this.clients.add(account, universal, taken, early),
      report: (report) => context.reportConnection(report),
      timing: this.#timing,
    });
    this.#closeLink = () => socket.stop();
    await socket.start();
  }

  /** Clients connect when they please: after a few seconds, the bot has started without one. */
  async #listen(reverse: ReverseListener): Promise<void> {
    const listener = await reverse.listen(this.#context);
    this.#closeLink = () => listener.close();
    if (this.#end.signal.aborted) await listener.close();
    const { signal } = this.#end;
    await inTime(untilAborted(this.clients.ready, signal), this.#timing.firstClientMs, () => undefined);
  }

  async #store(account: string): Promise<void> {
    try {
      await this.#context.state.write({ [accountState]: account });
    } catch (error) {
      this.#context.logger.warn({ bot: this.#context.bot_uuid, error }, 'the account of a bot was not stored');
    }
  }
}
