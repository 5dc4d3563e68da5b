import { ParleyApiError, type Tagged } from '@parley/client';

/** Makes the server refuse a change of a record that was changed since it was read. */
export type IfMatch = { 'If-Match'?: string };

interface SaveIfKnownOptions<Stored> {
  read: () => Promise<Tagged<Stored>>;
  /** Whether a state of the record is the one that was edited, as far as the save would overwrite it. */
  isKnown: (current: Stored) => boolean;
  save: (headers: IfMatch, current: Stored) => Promise<unknown>;
}

/**
 * Saves a record, unless another user has changed it meanwhile.
 * @returns the stored state that is not known; null if it was saved
 */
export async function saveIfKnown<Stored>({ read, isKnown, save }: SaveIfKnownOptions<Stored>): Promise<Stored | null> {
  for (let attempt = 1; ; attempt += 1) {
    const { data: current, etag } = await read();
    if (!isKnown(current)) return current;
    try {
      await save(etag === null ? {} : { 'If-Match': etag }, current);
      return null;
    } catch (error) {
      // Another user was faster.
      if (!isChanged(error) || attempt === mostAttempts) throw error;
    }
  }
}

/** Of a save, while others change the record between reading and writing it. */
const mostAttempts = 3;

function isChanged(error: unknown): boolean {
  return error instanceof ParleyApiError && error.reason === 'record_changed';
}
