import { invalidFields } from '@parley/sdk';
import type { RecordPage, RecordPlace } from '../../../core/knowledge/record-page.ts';

const shape = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)@([0-9a-f-]{36})$/;

/** Encodes the end of a page as an opaque cursor. */
function cursorOf({ created_at, uuid }: RecordPlace): string {
  return Buffer.from(`${created_at}@${uuid}`).toString('base64url');
}

/** @throws ParleyError `invalid_request` if it is not a cursor of {@link cursorOf} */
function placeOf(cursor: string): RecordPlace {
  const [, created_at = '', uuid = ''] = shape.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  // Other encodings of the same value are rejected.
  if (uuid === '' || cursorOf({ created_at, uuid }) !== cursor) {
    throw invalidFields([{ path: 'query.cursor', message: 'is not a next_cursor of this list' }]);
  }
  return { created_at, uuid };
}

/**
 * Reads a page, and one record more, to detect whether there is another page.
 * @param read returns the records in order
 */
export async function pageOf<Entry extends RecordPlace>(
  { limit, cursor }: { limit?: number | undefined; cursor?: string | undefined },
  read: (page: RecordPage) => Promise<Entry[]>,
): Promise<{ records: Entry[]; next_cursor: string | null }> {
  const after = cursor === undefined ? undefined : placeOf(cursor);
  const found = await read({ after, limit: limit === undefined ? undefined : limit + 1 });
  const records = limit === undefined ? found : found.slice(0, limit);
  const last = records.at(-1);
  return { records, next_cursor: found.length > records.length && last !== undefined ? cursorOf(last) : null };
}
