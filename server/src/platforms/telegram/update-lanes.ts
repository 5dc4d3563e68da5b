import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MessageReceipt, ParleyError } from '@parley/sdk';
import type { Update } from 'grammy/types';
import { inTime } from '../../lib/waiting.ts';
import { type Inbox, isRefusedForGood } from './inbox.ts';
import type { ParsedMessage } from './parse.ts';

/** An update as it was fetched. Its id is a number also where Telegram wrote a text. */
export interface FetchedUpdate {
  id: number;
  update: Update;
}

export interface UpdateLaneOptions {
  /** Retries a call until it succeeds. @throws what ends receiving permanently */
  insist<Result>(attempt: () => Promise<Result>): Promise<Result>;
}

interface Entry {
  id: number;
  message: ParsedMessage;
  /** Its files; undefined while not fetching, null when done. */
  files: Promise<void> | null | undefined;
}

/** Messages of one chat whose files are fetched in parallel. */
const fetchedAhead = 4;

/**
 * Stores updates: those of one chat in order, and all that are ready in one transaction. Only messages after one whose
 * file is still being fetched, in the same chat, wait for that file.
 */
export class UpdateLanes {
  readonly #inbox: Inbox;
  readonly #options: UpdateLaneOptions;
  /** Messages to store, by chat, oldest first. */
  readonly #lanes = new Map<string, Entry[]>();
  readonly #workers = new Set<Promise<void>>();
  /** Ids of updates that are not stored, and of later ones that are. */
  readonly #open = new Set<number>();
  readonly #done = new Set<number>();
  #failure: { error: unknown } | null = null;
  readonly #failed = Promise.withResolvers<never>();
  #ready: { messages: ParsedMessage[]; settle: (results: PromiseSettledResult<MessageReceipt>[]) => void }[] = [];
  #isStoring = false;

  constructor(inbox: Inbox, options: UpdateLaneOptions) {
    this.#inbox = inbox;
    this.#options = options;
    this.#failed.promise.catch(() => undefined);
  }

  /** The first update that is not stored: the next poll must start with it, since polling beyond it confirms it. */
  get firstOpen(): number | null {
    return this.#open.size === 0 ? null : Math.min(...this.#open);
  }

  /** Starts to store updates. Those known from an earlier poll are skipped. */
  add(updates: readonly FetchedUpdate[]): void {
    for (const { id, update } of updates) {
      if (this.#open.has(id) || this.#done.has(id)) continue;
      const message = this.#inbox.read(id, update);
      if (message === null) {
        this.#done.add(id);
        continue;
      }
      this.#open.add(id);
      const entry: Entry = { id, message, files: message.attachments.length === 0 ? null : undefined };
      const chat = message.event.session_id;
      const lane = this.#lanes.get(chat);
      if (lane === undefined) this.#begin(chat, [entry]);
      else lane.push(entry);
    }
    for (const lane of this.#lanes.values()) this.#fetchAhead(lane);
    this.#forget();
  }

  /**
   * Resolves when all updates are stored, or after a time in milliseconds.
   * @throws what ends receiving permanently
   */
  async idle(milliseconds: number): Promise<void> {
    await inTime(Promise.race([this.#failed.promise, this.#ended()]), milliseconds, () => undefined);
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Resolves when no work is in progress. Call it after the signal that ends `insist`. */
  async close(): Promise<void> {
    await this.#ended();
  }

  async #ended(): Promise<void> {
    while (this.#workers.size > 0) await Promise.all(this.#workers);
  }

  #begin(chat: string, lane: Entry[]): void {
    this.#lanes.set(chat, lane);
    const worker = this.#work(lane)
      .catch((error: unknown) => {
        this.#failure ??= { error };
        this.#failed.reject(error);
      })
      .finally(() => {
        this.#lanes.delete(chat);
        this.#workers.delete(worker);
      });
    this.#workers.add(worker);
  }

  async #work(lane: Entry[]): Promise<void> {
    for (let first = lane[0]; first !== undefined; first = lane[0]) {
      this.#fetchAhead(lane);
      await first.files;
      await this.#options.insist(() => this.#storeReady(lane));
    }
  }

  #fetchAhead(lane: readonly Entry[]): void {
    for (const entry of lane.slice(0, fetchedAhead)) {
      if (entry.files !== undefined) continue;
      const files = this.#options.insist(() => this.#inbox.fetchFiles(entry.id, entry.message));
      entry.files = files.then(() => {
        entry.files = null;
      });
      // It may fail before its turn.
      entry.files.catch(() => undefined);
    }
  }

  /** Stores the start of a lane up to the first message that waits for its file. @throws the error to retry after */
  async #storeReady(lane: Entry[]): Promise<void> {
    const end = lane.findIndex(({ files }) => files !== null);
    const ready = lane.slice(0, end === -1 ? lane.length : end);
    const results = await this.#store(ready.map(({ message }) => message));
    for (const [index, result] of results.entries()) {
      const { id } = ready[index] as Entry;
      if (result.status === 'rejected') {
        if (!isRefusedForGood(result.reason)) throw result.reason;
        this.#inbox.dropRefused(id, result.reason as ParleyError);
      }
      lane.shift();
      this.#open.delete(id);
      this.#done.add(id);
      // Messages after a rejected one were not processed.
      if (result.status === 'rejected') return;
    }
  }

  /** Stores messages in one transaction with all others that are ready. */
  #store(messages: ParsedMessage[]): Promise<PromiseSettledResult<MessageReceipt>[]> {
    const { promise, resolve } = Promise.withResolvers<PromiseSettledResult<MessageReceipt>[]>();
    this.#ready.push({ messages, settle: resolve });
    void this.#storeAll();
    return promise;
  }

  async #storeAll(): Promise<void> {
    if (this.#isStoring) return;
    this.#isStoring = true;
    // Every chat of a poll stores its messages in this turn.
    await nextTurn();
    while (this.#ready.length > 0) {
      const batch = this.#ready.splice(0);
      const results = await this.#inbox.storeAll(batch.flatMap(({ messages }) => messages));
      let from = 0;
      for (const { messages, settle } of batch) {
        settle(results.slice(from, from + messages.length));
        from += messages.length;
      }
      await nextTurn();
    }
    this.#isStoring = false;
  }

  /** Forgets updates that no poll brings again. */
  #forget(): void {
    const first = this.firstOpen ?? Number.POSITIVE_INFINITY;
    for (const id of this.#done) if (id < first) this.#done.delete(id);
  }
}
