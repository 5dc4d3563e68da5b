import type { ParleyApiErrorHint } from '@parley/client';

/** Failures of a change of many records. */
export interface BulkFailure<Id> {
  id: Id;
  name: string;
  reason: string;
  message: string;
  problem?: ParleyApiErrorHint;
}

/** How the server answers one request for a change of many records. */
export interface BulkAnswer<Id> {
  matched: number;
  changed: Id[];
  failures: BulkFailure<Id>[];
  next: Id | null;
}

/** The records to change: some, or all that match a filter. */
export type BulkTargets<Id, Filter> = { ids: Id[] } | { matching: Filter };

/** What is done with each of the records. */
export type BulkAction = 'enable' | 'disable' | 'retry' | 'delete';

export interface BulkOutcome<Id> {
  changed: Id[];
  failures: BulkFailure<Id>[];
  /** Why it ended before the last record; null if it did not. */
  error: unknown;
}

/** Ids that a request can name. */
const idsAtOnce = 500;

/**
 * Changes records with as many requests as it takes.
 * @param send makes one request
 * @param progress is called with the number of records that are done
 */
export async function changeMany<Id extends string | number, Filter>(
  targets: BulkTargets<Id, Filter>,
  send: (request: BulkTargets<Id, Filter> & { after?: Id }) => Promise<BulkAnswer<Id>>,
  progress: (done: number) => void,
): Promise<BulkOutcome<Id>> {
  const outcome: BulkOutcome<Id> = { changed: [], failures: [], error: null };
  let done = 0;
  try {
    for (const request of requestsFor(targets)) {
      let after: Id | null = null;
      do {
        const answer: BulkAnswer<Id> = await send({ ...request, ...(after !== null && { after }) });
        outcome.changed.push(...answer.changed);
        outcome.failures.push(...answer.failures);
        done += answer.matched;
        progress(done);
        after = answer.next;
      } while (after !== null);
    }
  } catch (error) {
    outcome.error = error;
  }
  return outcome;
}

function requestsFor<Id, Filter>(targets: BulkTargets<Id, Filter>): BulkTargets<Id, Filter>[] {
  if ('matching' in targets) return [targets];
  const requests: { ids: Id[] }[] = [];
  for (let start = 0; start < targets.ids.length; start += idsAtOnce) {
    requests.push({ ids: targets.ids.slice(start, start + idsAtOnce) });
  }
  return requests;
}
