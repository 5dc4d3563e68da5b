import { type MessageChain, ParleyError } from '@parley/sdk';
import type { MessageOutcome } from '../messages/message-store.ts';
import { markdownOf } from './answer-text.ts';

/** A program that asked and waits for the answer. */
export class WaitingCaller {
  readonly #gone = new AbortController();
  readonly #end = Promise.withResolvers<MessageOutcome>();
  readonly #pieces: MessageChain[] = [];
  #growing = '';
  #grew: () => void = () => undefined;

  constructor() {
    // Whether anybody hears of it or not.
    this.#end.promise.catch(() => undefined);
  }

  /** Aborted with a ParleyError when nobody waits any more. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  /** How the message ended. @throws ParleyError why nobody waits for that any more */
  get ended(): Promise<MessageOutcome> {
    return this.#end.promise;
  }

  /** As much of the answer as can be shown. */
  get growing(): string {
    return this.#growing;
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
    this.#growing = markdownOf(chain);
    this.#grew();
  }

  take(chain: MessageChain): void {
    this.#pieces.push(chain);
  }

  end(outcome: MessageOutcome): void {
    this.#end.resolve(outcome);
  }

  /** Nobody waits any more, and the answer is given up. */
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

  /** The answer was given, or nobody waits for it. */
  close(id: string): void {
    this.#callers.delete(id);
  }

  /** Sends all away. */
  stop(): void {
    for (const caller of this.#callers.values()) caller.leave(new ParleyError('not_ready', 'The server is stopping'));
  }
}
