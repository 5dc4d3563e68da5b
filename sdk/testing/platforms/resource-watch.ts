import { AsyncLocalStorage, createHook } from 'node:async_hooks';

/** Whose code runs: that of an adapter, or a client that its context gave it. */
const current = new AsyncLocalStorage<{ watch: ResourceWatch; isClient: boolean }>();

/** Resources of Node.js that reach out of the process. */
const connecting = new Set(['TCPCONNECTWRAP', 'PIPECONNECTWRAP', 'GETADDRINFOREQWRAP', 'QUERYWRAP', 'UDPSENDWRAP']);

type Timer = NodeJS.Timeout & { _destroyed?: boolean };

/** Finds timers that an adapter leaves behind, and connections that it makes without the clients of its context. */
export class ResourceWatch {
  /** Connections and look-ups beside the clients, by the name that Node.js has for them. */
  readonly foreign: string[] = [];
  readonly #timers: Timer[] = [];
  readonly #hook = createHook({
    init: (_id, type, _trigger, resource) => {
      const running = current.getStore();
      if (running?.watch !== this || running.isClient) return;
      if (type === 'Timeout') this.#timers.push(resource as Timer);
      if (connecting.has(type)) this.foreign.push(type);
    },
    trackPromises: false,
  });

  constructor() {
    this.#hook.enable();
  }

  /** Runs code of the adapter. */
  adapter<Result>(run: () => Result): Result {
    return current.run({ watch: this, isClient: false }, run);
  }

  /** Runs a client that the adapter may use. */
  client<Result>(run: () => Result): Result {
    return current.run({ watch: this, isClient: true }, run);
  }

  /** Timers that keep the process alive. */
  get timers(): number {
    return this.#timers.filter((timer) => timer._destroyed !== true && timer.hasRef()).length;
  }

  end(): void {
    this.#hook.disable();
  }
}
