import { invalidFields } from '@parley/sdk';
import type { MessagePlace } from '../../../core/messages/message-reader.ts';

const shape = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)@(\d{1,16})$/;

/** Encodes the end of a page as an opaque cursor. */
export function cursorOf({ created_at, position }: MessagePlace): string {
  return Buffer.from(`${created_at}@${position}`).toString('base64url');
}

/** @throws ParleyError `invalid_request` if it is not a cursor of {@link cursorOf} */
export function placeOf(cursor: string): MessagePlace {
  const [, created_at = '', digits = ''] = shape.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  const place = { created_at, position: Number(digits) };
  // Other encodings of the same value are rejected.
  if (!Number.isSafeInteger(place.position) || cursorOf(place) !== cursor) {
    throw invalidFields([{ path: 'query.cursor', message: 'is not a next_cursor of this list' }]);
  }
  return place;
}
