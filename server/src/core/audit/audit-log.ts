import { now, secondsFromNow } from '../../lib/clock.ts';
import { Signal } from '../../lib/signal.ts';
import type { AuditEntry, AuditFilter, NewAuditEntry } from './audit-entry.ts';
import type { AuditStore } from './audit-store.ts';

const secondsPerDay = 86_400;
/** Longest stored name or address, characters. */
const longestText = 255;

/** Who did what. Entries are only ever added, until they are too old. */
export class AuditLog {
  readonly #store: AuditStore;
  readonly #retentionDays: number;
  /** Something was recorded here, so a change of this process is committed. */
  readonly recorded = new Signal<void>();

  constructor(store: AuditStore, options: { retentionDays: number }) {
    this.#store = store;
    this.#retentionDays = options.retentionDays;
  }

  /** @param entry without secrets */
  async record(entry: NewAuditEntry): Promise<void> {
    await this.#store.record({
      ...entry,
      actor_name: entry.actor_name.slice(0, longestText),
      address: entry.address.slice(0, longestText),
      created_at: now(),
    });
    this.recorded.emit();
  }

  /**
   * The newest entries first.
   * @param cursor where the page before ended; null for the first page
   * @returns a page and where it ends; null when it is the last one
   */
  async list(
    filter: AuditFilter,
    limit: number,
    cursor: number | null,
  ): Promise<{ entries: AuditEntry[]; next: number | null }> {
    const entries = await this.#store.list(filter, limit + 1, cursor);
    const page = entries.slice(0, limit);
    return { entries: page, next: entries.length > limit ? (page.at(-1)?.id ?? null) : null };
  }

  /** Removes entries past their retention time. @returns how many, at most `limit` */
  prune(limit: number): Promise<number> {
    return this.#store.removeBefore(secondsFromNow(-this.#retentionDays * secondsPerDay), limit);
  }
}
