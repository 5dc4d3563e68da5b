import { channel } from 'node:diagnostics_channel';

/** A statement that an engine runs, `begin` and `commit` included. */
export interface StatementWork {
  sql: string;
  /** False on SQLite, and where it was sent while statements before it were on their way over the same connection. */
  isRoundTrip: boolean;
}

/** A commit, which is flushed to the disk once. */
export interface CommitWork {
  /** Transactions that are in it. */
  members: number;
}

/**
 * What the storage does, for programs that count it: without a subscriber, nothing is published. Published are
 * {@link StatementWork} and {@link CommitWork}.
 */
export const storageWork = {
  statement: channel('parley:storage:statement'),
  commit: channel('parley:storage:commit'),
};
