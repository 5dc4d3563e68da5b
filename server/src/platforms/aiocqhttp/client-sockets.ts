import { type ConnectionReport, DeliveryError, type SocketConnection } from '@parley/sdk';
import { Actions, type CallOptions } from './actions.ts';
import type { ClientRole } from './client-role.ts';
import { type Fields, fieldsOf, idOf, numberOf } from './fields.ts';
import { readFrame } from './frames.ts';
import { SilenceWatch } from './silence-watch.ts';

export interface ClientSocketsOptions {
  /** Takes each event but those about the connection. */
  onEvent(event: Fields): void;
  report(report: ConnectionReport): void;
  /** Called when a client of another account than before has connected. */
  onAccount(account: string): void;
  /** Called once for each kind of fault of a client. */
  onFault(fault: string): void;
}

interface OpenClient {
  role: ClientRole;
  actions: Actions;
}

/** The open sockets of one QQ account. A client has one for all, or one for actions and one for events. */
export class ClientSockets {
  readonly #options: ClientSocketsOptions;
  /** Oldest first. */
  readonly #open = new Map<SocketConnection, OpenClient>();
  readonly #told = new Set<string>();
  #ready = Promise.withResolvers<void>();
  #isReady = false;
  #account: string | null = null;
  #isOnline = true;
  #isClosed = false;

  constructor(options: ClientSocketsOptions) {
    this.#options = options;
  }

  /** The QQ number of the bot; null until a client has connected. */
  get account(): string | null {
    return this.#account;
  }

  /** Names the account that was connected before, until a client connects. */
  remember(account: string | null): void {
    this.#account ??= account;
  }

  /** Resolves when actions can be called and events arrive. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Whether a socket of this account may be added: a bot has one account at a time. */
  mayBe(account: string): boolean {
    return this.#open.size === 0 || account === this.#account;
  }

  /** @param early what the client has sent before */
  add(account: string, role: ClientRole, socket: SocketConnection, early: readonly (string | Uint8Array)[] = []): void {
    if (this.#open.size === 0) this.#isOnline = true;
    if (account !== this.#account) this.#options.onAccount(account);
    this.#account = account;
    const actions = new Actions(socket);
    const watch = new SilenceWatch(socket);
    this.#open.set(socket, { role, actions });
    const read = (data: string | Uint8Array) => {
      const frame = readFrame(data);
      if (frame.type === 'response') actions.settle(frame.fields);
      else if (frame.type === 'event') this.#take(frame.fields, watch);
      else this.fault('a frame that is no event and no response');
    };
    socket.onMessage(read);
    void socket.closed.then(() => {
      this.#open.delete(socket);
      this.reportState();
    });
    this.reportState();
    for (const data of early) read(data);
  }

  /**
   * As {@link Actions.call}, over the newest socket that takes actions.
   * @throws DeliveryError `not_sent` while there is none
   */
  async call(action: string, params: Fields, options: CallOptions): Promise<unknown> {
    const client = [...this.#open.values()].findLast(({ role }) => role.takesActions);
    if (client === undefined) throw new DeliveryError('not_sent', 'platform_failed', this.#absence() ?? noActions);
    return client.actions.call(action, params, options);
  }

  /** Reports a fault of a client, once. */
  fault(fault: string): void {
    if (this.#told.has(fault) || this.#told.size >= 100) return;
    this.#told.add(fault);
    this.#options.onFault(fault);
  }

  /** Resolves once all has been taken that clients had sent before. */
  async arrived(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((socket) => socket.roundTrip()));
  }

  /**
   * Ends all sockets, and reports nothing any more. Resolves once they have ended: until then, the events are taken that
   * clients had sent before they knew.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    const sockets = [...this.#open.keys()];
    for (const socket of sockets) socket.close(1012);
    await Promise.all(sockets.map(({ closed }) => closed));
  }

  #take(event: Fields, watch: SilenceWatch): void {
    const self = idOf(event.self_id);
    if (self !== null && self !== this.#account) this.fault('an event of another account');
    else if (event.post_type !== 'meta_event') this.#options.onEvent(event);
    else if (event.meta_event_type === 'heartbeat') this.#beat(event, watch);
  }

  #beat({ interval, status }: Fields, watch: SilenceWatch): void {
    watch.expect(numberOf(interval) ?? 0);
    const { online } = fieldsOf(status);
    if (typeof online !== 'boolean' || online === this.#isOnline) return;
    this.#isOnline = online;
    this.reportState();
  }

  /** Reports whether the bot can receive and send. */
  reportState(): void {
    if (this.#isClosed) return;
    const absence = this.#absence();
    if (absence === null) {
      this.#isReady = true;
      this.#ready.resolve();
      this.#options.report({ state: 'connected' });
      return;
    }
    if (this.#isReady) this.#ready = Promise.withResolvers();
    this.#isReady = false;
    this.#options.report({ state: 'reconnecting', reason: 'platform_failed', message: absence });
  }

  /** What is missing; null when everything is there. */
  #absence(): string | null {
    const roles = [...this.#open.values()].map(({ role }) => role);
    if (roles.length === 0) return 'No QQ client is connected';
    if (!roles.some(({ takesActions }) => takesActions)) return noActions;
    if (!roles.some(({ sendsEvents }) => sendsEvents)) return 'The QQ client has not connected for events (role Event)';
    return this.#isOnline ? null : 'The QQ client is connected, but the QQ account is offline';
  }
}

const noActions = 'The QQ client has not connected for actions (role API)';
