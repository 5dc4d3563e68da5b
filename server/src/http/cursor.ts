import { invalidFields } from '@parley/sdk';
import type { RecordPage, RecordPlace } from '../core/knowledge/record-page.ts';
import type { MessagePlace } from '../core/messages/message-reader.ts';
import type { ChatConversationPlace } from '../core/web-chat/chat-conversation-store.ts';

/** Opaque text for the position where a page of a list ends: `next_cursor`. */
export interface Cursor<Position> {
  encode(position: Position): string;
  /** @throws ParleyError `invalid_request` for a text that `encode` does not return */
  decode(cursor: string): Position;
}

function cursor<Position>(
  write: (position: Position) => string,
  format: RegExp,
  read: (parts: string[]) => Position | null,
): Cursor<Position> {
  const encode = (position: Position) => Buffer.from(write(position)).toString('base64url');
  return {
    encode,
    decode: (text) => {
      const parts = format.exec(Buffer.from(text, 'base64url').toString('latin1'));
      const position = parts === null ? null : read(parts.slice(1));
      // Other base64 texts decode to the same bytes.
      if (position !== null && encode(position) === text) return position;
      throw invalidFields([{ path: 'query.cursor', message: 'is not a next_cursor of this list' }]);
    },
  };
}

function safe(digits: string | undefined): number | null {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : null;
}

/** Lists ordered by a number from 1. */
export const numberCursor = cursor<number>(String, /^([1-9]\d{0,15})$/, ([digits]) => safe(digits));

/** Lists of messages. */
export const messageCursor = cursor<MessagePlace>(
  ({ created_at, position }) => `${created_at}@${position}`,
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)@(\d{1,16})$/,
  ([created_at = '', digits]) => {
    const position = safe(digits);
    return position === null ? null : { created_at, position };
  },
);

/** Lists of records ordered by creation time and uuid. */
const recordCursor = cursor<RecordPlace>(
  ({ created_at, uuid }) => `${created_at}@${uuid}`,
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)@([0-9a-f-]{36})$/,
  ([created_at = '', uuid = '']) => ({ created_at, uuid }),
);

/** Lists of conversations ordered by their last message. */
export const conversationCursor = cursor<ChatConversationPlace>(
  ({ updated_at, uuid }) => `${updated_at}@${uuid}`,
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)@([0-9a-f-]{36})$/,
  ([updated_at = '', uuid = '']) => ({ updated_at, uuid }),
);

/**
 * Reads one record more than the page takes, to know whether another page follows.
 * @param read returns records ordered by creation time and uuid
 */
export async function pageOf<Entry extends RecordPlace>(
  { limit, cursor }: { limit?: number | undefined; cursor?: string | undefined },
  read: (page: RecordPage) => Promise<Entry[]>,
): Promise<{ records: Entry[]; next_cursor: string | null }> {
  const after = cursor === undefined ? undefined : recordCursor.decode(cursor);
  const found = await read({ after, limit: limit === undefined ? undefined : limit + 1 });
  const records = limit === undefined ? found : found.slice(0, limit);
  const last = records.at(-1);
  const hasMore = found.length > records.length && last !== undefined;
  return { records, next_cursor: hasMore ? recordCursor.encode(last) : null };
}
