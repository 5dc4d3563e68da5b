import { ParleyApiError } from '@parley/client';
import type { MessageOfPage, MessageToPage, PageGreeting, PluginPageLook } from '@parley/sdk/page';

export interface PageRequest {
  endpoint: string;
  method: string;
  body: unknown;
}

export interface PagePortOptions {
  /** @throws what the page is told of as a failure */
  request: (request: PageRequest, signal: AbortSignal) => Promise<unknown>;
  /** The page broke a rule; the port is closed. */
  onBroken: () => void;
}

/** Most calls at once. The client of pages makes fewer. */
const mostCalls = 16;
/** Most calls in a minute. */
const mostCallsInMinute = 1000;
const minute = 60_000;
/** Longest request as JSON, characters. */
const longestRequest = 1_000_000;

/**
 * The console's end of the connection to a page, which may send anything: what no client of pages sends closes the port,
 * so that nothing of it is read any more.
 */
export class PagePort {
  readonly #port: MessagePort;
  readonly #options: PagePortOptions;
  readonly #calls = new Map<number, AbortController>();
  /** In the present minute. */
  #counted = { since: 0, calls: 0, cancels: 0 };
  #lastId = 0;

  /** Gives the other end to the window of a page. */
  constructor(page: Window, look: PluginPageLook, options: PagePortOptions) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#options = options;
    port1.onmessage = ({ data }) => this.#receive(data);
    const greeting: PageGreeting = { type: 'parley-page', look };
    // The frame has an origin that no address names. It is ours, and shows nothing but the files of the page.
    page.postMessage(greeting, '*', [port2]);
  }

  setLook(look: PluginPageLook): void {
    this.#send({ type: 'look', look });
  }

  /** Ends the calls that run. */
  close(): void {
    this.#send({ type: 'closed' });
    this.#port.onmessage = null;
    this.#port.close();
    for (const call of this.#calls.values()) call.abort();
    this.#calls.clear();
  }

  #receive(data: unknown): void {
    const message = messageOf(data);
    this.#count(message?.type);
    if (message === null || this.#isTooMuch(message)) {
      this.close();
      this.#options.onBroken();
    } else if (message.type === 'cancel') this.#calls.get(message.id)?.abort();
    else void this.#call(message.id, message.request);
  }

  #count(type: MessageOfPage['type'] | undefined): void {
    if (Date.now() - this.#counted.since > minute) this.#counted = { since: Date.now(), calls: 0, cancels: 0 };
    if (type === 'call') this.#counted.calls += 1;
    if (type === 'cancel') this.#counted.cancels += 1;
  }

  #isTooMuch({ type, id }: MessageOfPage): boolean {
    const { calls, cancels } = this.#counted;
    if (Math.max(calls, cancels) > mostCallsInMinute) return true;
    return type === 'call' && (this.#calls.size >= mostCalls || id <= this.#lastId);
  }

  async #call(id: number, text: string): Promise<void> {
    this.#lastId = id;
    const controller = new AbortController();
    this.#calls.set(id, controller);
    try {
      const result = await this.#options.request(requestOf(text), controller.signal);
      this.#answer(controller, { type: 'result', id, result });
    } catch (error) {
      this.#answer(controller, { type: 'failure', id, ...failureOf(error) });
    }
    this.#calls.delete(id);
  }

  /** A page that has cancelled a call does not wait for its end. */
  #answer({ signal }: AbortController, message: MessageToPage): void {
    if (!signal.aborted) this.#send(message);
  }

  #send(message: MessageToPage): void {
    this.#port.postMessage(message);
  }
}

/** A message of a page; null for anything else. */
function messageOf(data: unknown): MessageOfPage | null {
  if (typeof data !== 'object' || data === null) return null;
  const { type, id, request } = data as Partial<Record<string, unknown>>; // Its fields are checked next.
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return null;
  if (type === 'cancel') return { type, id };
  if (type !== 'call' || typeof request !== 'string' || request.length > longestRequest) return null;
  return { type, id, request };
}

/** @throws ParleyApiError as the server would refuse it */
function requestOf(text: string): PageRequest {
  try {
    const { endpoint, method, body = null } = JSON.parse(text);
    if (typeof endpoint === 'string' && typeof method === 'string') return { endpoint, method, body };
  } catch {
    // As below.
  }
  throw new ParleyApiError('A request has an endpoint and a method.', { status: 400, reason: 'invalid_request' });
}

/** What a page is told of a failure: that of the handler, where it has a reason of its own. */
function failureOf(error: unknown): { reason: string; message: string } {
  if (!(error instanceof ParleyApiError)) return { reason: 'internal', message: 'The request failed.' };
  const { reason, message, details } = error;
  const own = reason === 'plugin_failed' ? details.find(({ path }) => path === 'reason') : undefined;
  return { reason: own?.message ?? reason, message };
}
