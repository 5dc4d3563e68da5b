import type {
  OpenSocketOptions,
  PlatformAdapter,
  PlatformContext,
  PlatformImplementation,
  SocketConnection,
  SocketDecision,
} from '../../src/platform.ts';
import type { ResourceWatch } from './resource-watch.ts';

type Clients = Pick<PlatformContext, 'fetch' | 'fetchContent' | 'openSocket' | 'listen'>;

export interface AdapterLifeOptions {
  implementation: PlatformImplementation;
  config: Record<string, unknown>;
  context: PlatformContext;
  clients: Clients;
  watch: ResourceWatch;
  /** Called with everything that a method of the adapter throws. */
  failed(error: unknown): void;
  /** What it wrote into responses has arrived. */
  settled(): Promise<void>;
}

/** An adapter from its creation to its stop, or to a crash: then it can neither reach the platform nor store anything. */
export class AdapterLife {
  readonly adapter: PlatformAdapter;
  /** Attempts to reach the platform so far. */
  attempts = 0;
  readonly #options: AdapterLifeOptions;
  readonly #crashed = new AbortController();
  /** Rejects with the crash: requests to the adapter end with it. */
  readonly #crash = Promise.withResolvers<never>();
  readonly #sockets = new Set<SocketConnection>();
  readonly #listeners = new Set<unknown>();

  constructor(options: AdapterLifeOptions) {
    this.#options = options;
    this.#crash.promise.catch(() => undefined);
    const { implementation, config, watch } = options;
    const adapter = watch.adapter(() => implementation.create(config, this.#context()));
    this.adapter = this.#watched(adapter);
  }

  /** Cuts it off, as the end of its process does. */
  crash(): void {
    const ended = new Error('The process ended');
    this.#crashed.abort(ended);
    this.#crash.reject(ended);
    for (const socket of this.#sockets) socket.terminate();
  }

  /** Websockets and servers for them that are open. */
  get openSockets(): number {
    return this.#sockets.size + this.#listeners.size;
  }

  #context(): PlatformContext {
    const { context, clients, watch } = this.#options;
    const stored = <Arguments extends unknown[], Result>(store: (...given: Arguments) => Promise<Result>) => {
      return async (...given: Arguments): Promise<Result> => {
        const result = this.#crashed.signal.aborted ? undefined : await watch.client(() => store(...given));
        // Nothing that happens after a crash comes back to the adapter.
        if (this.#crashed.signal.aborted) return new Promise(() => undefined);
        return result as Result;
      };
    };
    const fetching = (fetch: typeof globalThis.fetch): typeof globalThis.fetch => {
      return (input, init = {}) => {
        this.attempts += 1;
        const signals = [this.#crashed.signal, ...(init.signal ? [init.signal] : [])];
        return watch.client(() => fetch(input, { ...init, signal: AbortSignal.any(signals) }));
      };
    };
    return {
      ...context,
      receive: stored(context.receive),
      receiveAll: stored(context.receiveAll),
      receiveNotice: stored(context.receiveNotice),
      reportFailure: stored(context.reportFailure),
      isFirstUse: stored(context.isFirstUse),
      reportConnection: (report) => {
        if (!this.#crashed.signal.aborted) context.reportConnection(report);
      },
      fetch: fetching(clients.fetch),
      fetchContent: fetching(clients.fetchContent),
      openSocket: (address, options) => this.#openSocket(address, options),
      listen: async (address, accept) => {
        const listener = await watch.client(() => clients.listen(address, (request) => this.#taken(accept(request))));
        this.#listeners.add(listener);
        const close = async () => {
          await watch.client(() => listener.close());
          this.#listeners.delete(listener);
        };
        return { port: listener.port, close };
      },
    };
  }

  async #openSocket(address: string, options: OpenSocketOptions): Promise<SocketConnection> {
    this.attempts += 1;
    this.#crashed.signal.throwIfAborted();
    const { clients, watch } = this.#options;
    return this.#kept(await watch.client(() => clients.openSocket(address, options)));
  }

  /** A socket that is known until it ends, and whose listeners count as code of the adapter. */
  #kept(socket: SocketConnection): SocketConnection {
    const { watch } = this.#options;
    this.#sockets.add(socket);
    void socket.closed.then(() => this.#sockets.delete(socket));
    if (this.#crashed.signal.aborted) socket.terminate();
    const live = () => !this.#crashed.signal.aborted;
    return {
      send: (data) => watch.client(() => socket.send(data)),
      ping: () => watch.client(() => socket.ping()),
      roundTrip: () => watch.client(() => socket.roundTrip()),
      close: (code, reason) => watch.client(() => socket.close(code, reason)),
      terminate: () => watch.client(() => socket.terminate()),
      onMessage: (listener) => socket.onMessage((data) => live() && watch.adapter(() => listener(data))),
      onActivity: (listener) => socket.onActivity(() => live() && watch.adapter(listener)),
      closed: socket.closed,
    };
  }

  #taken(decision: SocketDecision): SocketDecision {
    if (typeof decision !== 'function') return decision;
    return (socket) => this.#options.watch.adapter(() => decision(this.#kept(socket)));
  }

  /** The adapter, with its methods watched. */
  #watched<Target extends object>(target: Target): Target {
    const { watch, failed, settled } = this.#options;
    const noted = (error: unknown): never => {
      failed(error);
      throw error;
    };
    return new Proxy(target, {
      get: (_target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...given: unknown[]) => {
          try {
            const result: unknown = watch.adapter(() => member.apply(target, given));
            if (name === 'acceptSocket') return this.#taken(result as SocketDecision);
            if (!(result instanceof Promise)) return result;
            if (name === 'handleWebhook') return Promise.race([result.catch(noted), this.#crash.promise]);
            return result.then(async (value) => {
              if (name === 'send' || name === 'finish') await settled();
              return name === 'stream' ? this.#watched(value as object) : value;
            }, noted);
          } catch (error) {
            return noted(error);
          }
        };
      },
    });
  }
}
