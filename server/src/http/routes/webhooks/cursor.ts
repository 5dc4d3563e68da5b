import { invalidFields } from '@parley/sdk';

/** Writes where a page ended so that nobody is tempted to read it. */
export function cursorOf(position: number): string {
  return Buffer.from(String(position)).toString('base64url');
}

/** @throws ParleyError `invalid_request` when it is not one of {@link cursorOf} */
export function positionOf(cursor: string): number {
  const position = Number(Buffer.from(cursor, 'base64url').toString('latin1'));
  // What reads the same but is written in another way was not given out by us.
  if (!Number.isSafeInteger(position) || position < 1 || cursorOf(position) !== cursor) {
    throw invalidFields([{ path: 'query.cursor', message: 'is not a next_cursor of this list' }]);
  }
  return position;
}
