import { DeliveryError } from '../../../src/delivery-error.ts';
import type { MessageChain } from '../../../src/message-chain.ts';
import type { MessageStream, SendProgress, SentMessage } from '../../../src/platform.ts';
import type { Shared } from './config.ts';
import { cut, longest, streamedText } from './render.ts';
import type { Head, Sender } from './sender.ts';

/** What the platform gets when it polls. */
export interface Polled {
  text: string;
  done: boolean;
}

/** An answer to a person: the platform polls for its text until it is complete. */
export class PulledAnswer implements MessageStream {
  readonly #head: Head;
  readonly #progress: SendProgress;
  readonly #sender: Sender;
  readonly #shared: Shared;
  readonly #fetched = Promise.withResolvers<void>();
  #state: Polled = { text: '', done: false };
  /** The text that the platform has. */
  #shown = '';
  #begun: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #end: DeliveryError | null = null;

  constructor(head: Head, progress: SendProgress, sender: Sender, shared: Shared) {
    this.#head = head;
    this.#progress = progress;
    this.#sender = sender;
    this.#shared = shared;
  }

  async update(chain: MessageChain): Promise<void> {
    if (this.#end !== null) throw this.#end;
    await this.#begin();
    if (!this.#state.done) this.#state = { text: cut(streamedText(chain), longest.edit, this.#shared), done: false };
  }

  async finish(chain: MessageChain): Promise<SentMessage> {
    if (this.#end !== null) throw this.#end;
    await this.#begin();
    clearTimeout(this.#timer);
    const text = streamedText(chain);
    if (!this.#state.done) this.#state = { text: cut(text, longest.edit, this.#shared), done: true };
    await this.#untilFetched();
    await this.#sendRest(text);
    await this.#sender.sendFiles(this.#head, chain);
    return { platform_message_id: this.#head.uuid };
  }

  async abandon(): Promise<void> {
    if (!this.#shared.has('leaves an abandoned message unfinished')) this.#state = { ...this.#state, done: true };
  }

  /** @returns the present text; `sent` is called with whether the platform got it */
  poll(): Polled & { sent(wasWritten: boolean): void } {
    const { text, done } = this.#state;
    const sent = (wasWritten: boolean) => {
      if (!wasWritten) return;
      this.#shown = text;
      if (done) this.#fetched.resolve();
    };
    return { text, done, sent };
  }

  shows(id: string): boolean {
    return this.#head.uuid === id;
  }

  /** The platform does not poll any more: what it has not fetched follows as a message. */
  close(): void {
    this.#fetched.resolve();
  }

  stop(): void {
    this.end();
    this.#end = new DeliveryError('refused', 'cancelled', 'The user stopped the answer');
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#fetched.reject(new DeliveryError('unknown', 'platform_failed', 'The bot was stopped'));
    this.#fetched.promise.catch(() => undefined);
  }

  /** The id is that of the message, so that it goes on in the same stream after a crash. */
  #begin(): Promise<void> {
    this.#begun ??= this.#open();
    return this.#begun;
  }

  async #open(): Promise<void> {
    if (this.#progress.handle === null) await this.#sender.beginPull(this.#head);
    await this.#progress.store({ stream: this.#head.uuid });
    const close = () => {
      this.#state = { ...this.#state, done: true };
    };
    this.#timer = setTimeout(close, this.#shared.timing.stream);
  }

  async #untilFetched(): Promise<void> {
    const late = () => this.#fetched.reject(new DeliveryError('unknown', 'platform_failed', 'It was not fetched'));
    const timer = setTimeout(late, this.#shared.timing.pull);
    try {
      await this.#fetched.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  async #sendRest(text: string): Promise<void> {
    let rest = text.startsWith(this.#shown) ? text.slice(this.#shown.length) : text;
    for (let part = 1; rest !== ''; part += 1) {
      const next = cut(rest, longest.message, this.#shared);
      const key = `${this.#head.idempotency_token}/${part}`;
      await this.#sender.post({ ...this.#head, reply_to: null }, { text: next, notify: [], key });
      rest = rest.slice(next.length);
    }
  }
}
