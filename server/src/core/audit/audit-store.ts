import type { AuditEntry, AuditFilter } from './audit-entry.ts';

export interface AuditStore {
  record(entry: Omit<AuditEntry, 'id'>): Promise<void>;
  /**
   * The newest entries first.
   * @param before only entries with a smaller id; null for all
   */
  list(filter: AuditFilter, limit: number, before: number | null): Promise<AuditEntry[]>;
  /**
   * Removes the oldest entries from before a timestamp, ISO 8601 UTC.
   * @returns how many, at most `limit`
   */
  removeBefore(timestamp: string, limit: number): Promise<number>;
}
