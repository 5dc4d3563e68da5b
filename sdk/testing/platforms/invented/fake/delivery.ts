import { createHmac, randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import type { Delivered } from '../../fake-platform.ts';

type Outcome = Delivered['outcome'];

/** What the bot has to answer to an event, milliseconds. */
const timeLimit = 1000;

/** A websocket of the bot. */
interface Socket {
  socket: WebSocket;
  isMuted: boolean;
  isReady: boolean;
}

interface Pending {
  id: string;
  event: object;
  wasSent: boolean;
  settle(outcome: Outcome, response: unknown): void;
}

/** Brings events to the bot: as signed requests, or as frames over its websocket. */
export class FakeDelivery {
  readonly sockets = new Set<Socket>();
  readonly isWebhook: boolean;
  url = '';
  isAway = false;
  /** The last signed request, to be replayed. */
  last: { body: Uint8Array; headers: Record<string, string> } | null = null;
  readonly #key: string;
  readonly #pending = new Map<string, Pending>();
  readonly #waiting: (() => void)[] = [];

  constructor(key: string, isWebhook: boolean) {
    this.#key = key;
    this.isWebhook = isWebhook;
  }

  /** Delivers an event. @returns how the bot responded, with the body of its response */
  async deliver(event: object): Promise<{ outcome: Outcome; response: unknown }> {
    if (!this.isWebhook) return this.#deliverFrame(event);
    while (this.isAway) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return this.post(Buffer.from(JSON.stringify(event)));
  }

  /** Posts a body, signed rightly unless headers say otherwise. */
  async post(body: Uint8Array, over: Record<string, string | null> = {}) {
    const time = over['x-invented-time'] ?? String(Math.floor(Date.now() / 1000));
    const nonce = randomUUID();
    const signed = {
      'x-invented-time': time,
      'x-invented-nonce': nonce,
      'x-invented-signature': this.sign([time, nonce, body]),
    };
    this.last = { body, headers: signed };
    const headers = Object.entries<string | null>({ ...signed, ...over }).filter(([, value]) => value !== null);
    return this.send({ body, headers: Object.fromEntries(headers) as Record<string, string> });
  }

  async send({ body, headers }: NonNullable<FakeDelivery['last']>): Promise<{ outcome: Outcome; response: unknown }> {
    const signal = AbortSignal.timeout(timeLimit);
    try {
      const response = await fetch(this.url, { method: 'POST', body: Buffer.from(body), headers, signal });
      const text = await response.text();
      return { outcome: response.ok ? 'acknowledged' : 'refused', response: parsed(text) };
    } catch {
      return { outcome: 'none', response: undefined };
    }
  }

  sign(parts: (string | Uint8Array)[], key = this.#key): string {
    const hmac = createHmac('sha256', key);
    for (const part of parts) hmac.update(part).update('\n');
    return hmac.digest('hex');
  }

  /** The bot can be reached again. */
  flush(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
    for (const pending of this.#pending.values()) this.#sendFrame(pending);
  }

  /** A frame of the bot that answers an event. @returns whether there is such an event */
  settle(id: string, outcome: Outcome, response: unknown): boolean {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.settle(outcome, response);
    return pending !== undefined;
  }

  /** Sends a frame to the bot's present connection. */
  frame(data: object | Uint8Array): void {
    for (const { socket, isMuted, isReady } of this.sockets) {
      if (isMuted || !isReady) continue;
      socket.send(data instanceof Uint8Array ? data : JSON.stringify(data), { binary: false });
      return;
    }
  }

  /** No one waits for an event any more. */
  end(): void {
    this.isAway = false;
    for (const { id } of [...this.#pending.values()]) this.settle(id, 'none', undefined);
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #deliverFrame(event: object): Promise<{ outcome: Outcome; response: unknown }> {
    const { promise, resolve } = Promise.withResolvers<{ outcome: Outcome; response: unknown }>();
    const settle = (outcome: Outcome, response: unknown) => resolve({ outcome, response });
    const pending: Pending = { id: randomUUID(), event, wasSent: false, settle };
    this.#pending.set(pending.id, pending);
    this.#sendFrame(pending);
    return promise;
  }

  /** It stays pending until it is acknowledged; only the waiting for it has an end. */
  #sendFrame(pending: Pending): void {
    if (![...this.sockets].some(({ isReady }) => isReady)) return;
    this.frame({ op: 'event', id: pending.id, event: pending.event });
    if (!pending.wasSent) setTimeout(() => pending.settle('none', undefined), timeLimit).unref();
    pending.wasSent = true;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
