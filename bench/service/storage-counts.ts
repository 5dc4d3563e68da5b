import { type CommitWork, type StatementWork, storageWork } from '../../server/src/storage/storage-work.ts';
import type { StorageCounts } from './measurements.ts';

/** Counts what the storage of this process does from now on. */
export function countStorage(): StorageCounts {
  const counts: StorageCounts = { statements: 0, roundTrips: 0, transactions: 0, commits: 0 };
  storageWork.statement.subscribe((work) => {
    counts.statements += 1;
    if ((work as StatementWork).isRoundTrip) counts.roundTrips += 1;
  });
  storageWork.commit.subscribe((work) => {
    counts.commits += 1;
    counts.transactions += (work as CommitWork).members;
  });
  return counts;
}
