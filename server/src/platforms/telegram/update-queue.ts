import type { MessageEvent, ParleyError, PlatformNotice } from '@parley/sdk';
import type { Update } from 'grammy/types';
import { type Inbox, isRefusedForGood } from './inbox.ts';

/** An update as it was fetched. Its id is a number also where Telegram wrote a text. */
export interface FetchedUpdate {
  id: number;
  update: Update;
}

/** Updates that were fetched and are not stored yet. Those of a chat are stored in order, all others beside them. */
export class UpdateQueue {
  readonly #inbox: Inbox;
  /** Messages to store by update, oldest first. */
  readonly #open = new Map<number, MessageEvent>();
  /** What became of messages, by update, oldest first. Handed over after the messages are stored. */
  readonly #notices = new Map<number, PlatformNotice>();
  /** Ids of stored updates that a poll may bring again, because an earlier one is not stored. */
  readonly #done = new Set<number>();

  constructor(inbox: Inbox) {
    this.#inbox = inbox;
  }

  /** The first update that is not stored: the next poll must start with it, since polling beyond it confirms it. */
  get firstOpen(): number | null {
    const open = [...this.#open.keys(), ...this.#notices.keys()];
    return open.length === 0 ? null : Math.min(...open);
  }

  /** Adds updates. Those known from an earlier poll are skipped. */
  add(updates: readonly FetchedUpdate[]): void {
    for (const { id, update } of updates) {
      if (this.#open.has(id) || this.#notices.has(id) || this.#done.has(id)) continue;
      const { event, notice } = this.#inbox.read(id, update);
      if (event !== null) this.#open.set(id, event);
      else if (notice !== null) this.#notices.set(id, notice);
      else this.#done.add(id);
    }
    const first = this.firstOpen ?? Number.POSITIVE_INFINITY;
    for (const id of this.#done) if (id < first) this.#done.delete(id);
  }

  /**
   * Stores all of them, in one transaction if possible. A message that can never be stored is dropped, and later ones in
   * its chat are stored without it.
   * @throws the error of the first message that has to be stored later
   */
  async store(): Promise<void> {
    for (let isSettled = false; !isSettled; ) isSettled = await this.#storeOpen();
    for (const [id, notice] of this.#notices) {
      await this.#inbox.note(id, notice);
      this.#notices.delete(id);
      this.#done.add(id);
    }
  }

  /** @returns false when messages remain because one before them was dropped */
  async #storeOpen(): Promise<boolean> {
    const open = [...this.#open];
    if (open.length === 0) return true;
    const results = await this.#inbox.storeAll(open.map(([, event]) => event));
    const failed = new Set<string>();
    let isSettled = true;
    let failure: { error: unknown } | null = null;
    for (const [index, result] of results.entries()) {
      const [id, { session_id }] = open[index] as (typeof open)[number];
      if (result.status === 'fulfilled') {
        this.#settle(id);
        continue;
      }
      // Messages after a rejected one were not processed.
      if (failed.has(session_id)) continue;
      failed.add(session_id);
      if (!isRefusedForGood(result.reason)) {
        failure ??= { error: result.reason };
        continue;
      }
      this.#inbox.dropRefused(id, result.reason as ParleyError);
      this.#settle(id);
      isSettled = false;
    }
    if (isSettled && failure !== null) throw failure.error;
    return isSettled;
  }

  #settle(id: number): void {
    this.#open.delete(id);
    this.#done.add(id);
  }
}
