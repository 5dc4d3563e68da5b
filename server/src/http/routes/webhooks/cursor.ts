import { invalidFields } from '@parley/sdk';

/** Encodes the end of a page as an opaque cursor. */
export function cursorOf(position: number): string {
  return Buffer.from(String(position)).toString('base64url');
}

/** @throws ParleyError `invalid_request` if it is not a cursor of {@link cursorOf} */
export function positionOf(cursor: string): number {
  const position = Number(Buffer.from(cursor, 'base64url').toString('latin1'));
  // Other encodings of the same value are rejected.
  if (!Number.isSafeInteger(position) || position < 1 || cursorOf(position) !== cursor) {
    throw invalidFields([{ path: 'query.cursor', message: 'is not a next_cursor of this list' }]);
  }
  return position;
}
