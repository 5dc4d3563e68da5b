/*
 * For pages of plugins. It runs in the browser, in the frame that the console shows a page in, and depends on nothing.
 * Import it from a script of the HTML file: the console connects when the document has loaded.
 */

/** How the console looks. */
export interface PluginPageLook {
  theme: 'light' | 'dark';
  /** BCP 47: `en`, `zh-Hans`, `ja`. */
  language: string;
}

export interface PluginPageRequest {
  /** In upper case. Default `GET`. Requests with other methods are recorded in the audit log, without their body. */
  method?: string;
  /** Of JSON. With endpoint and method at most 1,000,000 characters. */
  body?: unknown;
  /** Cancels the call, also in the plugin. */
  signal?: AbortSignal;
}

/** The connection of a page to its plugin, and to the console around it. */
export interface PluginPage extends Readonly<PluginPageLook> {
  /**
   * Calls the handler of the page in the plugin, `pages[name]` of its module. Four calls run at once, others wait.
   * @throws PluginPageError; the reason of the signal
   */
  call(endpoint: string, request?: PluginPageRequest): Promise<unknown>;
  /**
   * Calls the listener when theme or language change.
   * @returns a function that ends it
   */
  onLook(listener: (look: PluginPageLook) => void): () => void;
}

/** Why a call failed. */
export class PluginPageError extends Error {
  /** Of the handler, if it is one of docs/errors.md; else of the server. `cancelled` once the console has disconnected. */
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.name = 'PluginPageError';
    this.reason = reason;
  }
}

/** What a page sends to the console. */
export type MessageOfPage =
  /** `request` is JSON: `endpoint`, `method` and `body`. Ids are unique in a document. */
  { type: 'call'; id: number; request: string } | { type: 'cancel'; id: number };
/** What the console sends to a page. */
export type MessageToPage =
  | { type: 'result'; id: number; result: unknown }
  | { type: 'failure'; id: number; reason: string; message: string }
  | { type: 'look'; look: PluginPageLook }
  /** Nothing follows. */
  | { type: 'closed' };
/** What the console sends to the window of a page when it has loaded, with the port for all else. */
export interface PageGreeting {
  type: 'parley-page';
  look: PluginPageLook;
}

/** Most calls at once. */
const mostCalls = 4;
/** Longest request as JSON, characters. */
const longestRequest = 1_000_000;

interface Greeted {
  port: MessagePort;
  look: PluginPageLook;
}

// From the start, so that the greeting is not missed. Elsewhere than in a browser, there is nothing to wait for.
const greeted = typeof window === 'undefined' || window.parent === window ? null : nextGreeting();
let opened: Promise<PluginPage> | undefined;

/**
 * Waits for the console to connect. Calling it again returns the same page.
 * @throws Error outside of the console
 */
export function openPluginPage(): Promise<PluginPage> {
  if (greeted === null) return Promise.reject(new Error('A page of a plugin is opened by the console.'));
  opened ??= greeted.then(({ port, look }) => new ConnectedPage(port, look));
  return opened;
}

function nextGreeting(): Promise<Greeted> {
  return new Promise((resolve) => {
    window.addEventListener('message', function greet({ source, data, ports: [port] }: MessageEvent) {
      if (source !== window.parent || port === undefined || data?.type !== 'parley-page') return;
      window.removeEventListener('message', greet);
      // The console sends what its type says.
      resolve({ port, look: (data as PageGreeting).look });
    });
  });
}

class ConnectedPage implements PluginPage {
  readonly #port: MessagePort;
  readonly #calls = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #waiting: (() => void)[] = [];
  readonly #listeners = new Set<(look: PluginPageLook) => void>();
  #look: PluginPageLook;
  #isClosed = false;
  #lastId = 0;

  constructor(port: MessagePort, look: PluginPageLook) {
    this.#port = port;
    this.#look = look;
    // The console sends what its type says.
    port.onmessage = ({ data }) => this.#receive(data as MessageToPage);
  }

  get theme() {
    return this.#look.theme;
  }

  get language() {
    return this.#look.language;
  }

  async call(endpoint: string, { method = 'GET', body, signal }: PluginPageRequest = {}): Promise<unknown> {
    const request = JSON.stringify({ endpoint, method, body });
    if (request.length > longestRequest) throw new PluginPageError('too_large', 'The request is too large.');
    if (this.#calls.size >= mostCalls) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      signal?.throwIfAborted();
      return await this.#send(request, signal);
    } finally {
      this.#waiting.shift()?.();
    }
  }

  onLook(listener: (look: PluginPageLook) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  async #send(request: string, signal: AbortSignal | undefined): Promise<unknown> {
    if (this.#isClosed) throw disconnected();
    this.#lastId += 1;
    const id = this.#lastId;
    const call = Promise.withResolvers<unknown>();
    const cancel = () => {
      this.#post({ type: 'cancel', id });
      call.reject(signal?.reason);
    };
    this.#calls.set(id, call);
    signal?.addEventListener('abort', cancel, { once: true });
    this.#post({ type: 'call', id, request });
    try {
      return await call.promise;
    } finally {
      this.#calls.delete(id);
      signal?.removeEventListener('abort', cancel);
    }
  }

  #post(message: MessageOfPage): void {
    this.#port.postMessage(message);
  }

  #receive(message: MessageToPage): void {
    if (message.type === 'look') {
      this.#look = message.look;
      for (const listener of this.#listeners) listener(message.look);
    } else if (message.type === 'closed') {
      this.#isClosed = true;
      for (const call of this.#calls.values()) call.reject(disconnected());
    } else if (message.type === 'result') {
      this.#calls.get(message.id)?.resolve(message.result);
    } else {
      this.#calls.get(message.id)?.reject(new PluginPageError(message.reason, message.message));
    }
  }
}

function disconnected(): PluginPageError {
  return new PluginPageError('cancelled', 'The console has disconnected the page. Reload it.');
}
