import { type MessageChain, ParleyError } from '@parley/sdk';
import type { MessageOutcome } from '../messages/message-ledger.ts';
import { markdownOf } from './answer-text.ts';

/** A program that waits for an answer. */
export class WaitingCaller {
  readonly #gone = new AbortController();
  readonly #end = Promise.withResolvers<MessageOutcome>();
  readonly #pieces: MessageChain[] = [];
  #partial = '';
  #grew: () => void = () => undefined;

  constructor() {
    // Also without a listener.
    this.#end.promise.catch(() => undefined);
  }

  /** Aborted with a ParleyError when the caller has disconnected. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  /** The outcome of the message. @throws ParleyError why the caller does not wait for it any more */
  get ended(): Promise<MessageOutcome> {
    return this.#end.promise;
  }

  /** As much of the answer as can be shown. */
  get partial(): string {
    return this.#partial;
  }

  /** All that was sent. */
  get text(): string {
    return this.#pieces.map(markdownOf).join('\n\n');
  }

  /** @param grew called when there is more to show */
  onGrowth(grew: () => void): void {
    this.#grew = grew;
  }

  show(chain: MessageChain): void {
    this.#partial = markdownOf(chain);
    this.#grew();
  }

  take(chain: MessageChain): void {
    this.#pieces.push(chain);
  }

  end(outcome: MessageOutcome): void {
    this.#end.resolve(outcome);
  }

  /** The caller has disconnected, and the answer is cancelled. */
  leave(why: ParleyError): void {
    this.#end.reject(why);
    this.#gone.abort(why);
  }
}

/** The programs that wait, by what names their messages on the platform of the model API. */
export class WaitingCallers {
  readonly #callers = new Map<string, WaitingCaller>();

  open(id: string): WaitingCaller {
    const caller = new WaitingCaller();
    this.#callers.set(id, caller);
    return caller;
  }

  find(id: string): WaitingCaller | null {
    return this.#callers.get(id) ?? null;
  }

  /** The answer was delivered, or the caller has disconnected. */
  close(id: string): void {
    this.#callers.delete(id);
  }

  /** Sends all away. */
  stop(): void {
    for (const caller of this.#callers.values()) caller.leave(new ParleyError('not_ready', 'The server is stopping'));
  }
}
