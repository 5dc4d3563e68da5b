import { setTimeout as delay } from 'node:timers/promises';

/** An update that waits. */
export interface WaitingUpdate {
  chat: number;
  content: object;
}

/** Shortest and longest pause before an update is delivered again, milliseconds. */
const pauses = [200, 2000] as const;
/** How long a webhook may take, milliseconds. */
const patienceMs = 10_000;
/** Updates that are delivered at once. @see https://core.telegram.org/bots/api#setwebhook */
const mostAtOnce = 40;

/**
 * Delivers the updates of a bot to its webhook, until they are answered with 2xx; those of a chat one after the other.
 * @see https://core.telegram.org/bots/webhooks
 */
export class WebhookDelivery<Update extends WaitingUpdate> {
  readonly #taken: (update: Update) => void;
  readonly #queues = new Map<number, Update[]>();
  #active = 0;
  #target: { url: string; secret: string } | null = null;
  /** Why the last attempt failed, seconds since 1970; null when it did not. */
  lastError: { message: string; at: number } | null = null;

  /** @param taken an update was answered with 2xx */
  constructor(taken: (update: Update) => void) {
    this.#taken = taken;
  }

  get url(): string {
    return this.#target?.url ?? '';
  }

  set(url: string, secret: string): void {
    this.#target = url === '' ? null : { url, secret };
    this.lastError = null;
    this.#next();
  }

  push(update: Update): void {
    const queue = this.#queues.get(update.chat);
    if (queue !== undefined) return void queue.push(update);
    this.#queues.set(update.chat, [update]);
    this.#next();
  }

  /** Chats that are being delivered. */
  readonly #running = new Set<number>();

  #next(): void {
    for (const chat of this.#queues.keys()) {
      if (this.#active >= mostAtOnce || this.#target === null) return;
      if (!this.#running.has(chat)) void this.#deliver(chat);
    }
  }

  async #deliver(chat: number): Promise<void> {
    const queue = this.#queues.get(chat) as Update[];
    this.#running.add(chat);
    this.#active += 1;
    let pause: number = pauses[0];
    while (queue[0] !== undefined && this.#target !== null) {
      if (await this.#attempt(queue[0], this.#target)) {
        this.#taken(queue.shift() as Update);
        pause = pauses[0];
      } else {
        await delay(pause);
        pause = Math.min(pause * 2, pauses[1]);
      }
    }
    this.#active -= 1;
    this.#running.delete(chat);
    if (queue.length === 0) this.#queues.delete(chat);
    this.#next();
  }

  async #attempt({ content }: Update, { url, secret }: { url: string; secret: string }): Promise<boolean> {
    const headers = { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret };
    const body = JSON.stringify(content);
    const signal = AbortSignal.timeout(patienceMs);
    try {
      const response = await fetch(url, { method: 'POST', headers, body, signal });
      await response.arrayBuffer();
      if (!response.ok) this.#failed(`Wrong response from the webhook: ${response.status}`);
      return response.ok;
    } catch (error) {
      this.#failed(String(error));
      return false;
    }
  }

  #failed(message: string): void {
    this.lastError = { message, at: Math.floor(Date.now() / 1000) };
  }
}
