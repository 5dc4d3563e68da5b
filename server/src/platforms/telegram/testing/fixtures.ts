import type { Message, Update, User } from 'grammy/types';

/** A message of an update, with required fields and the given ones. */
export type IncomingMessage = NonNullable<Update['message']>;

export const parrot = { id: 987_654_321, is_bot: true, first_name: 'Parrot', username: 'parrot_bot' } as const;
export const ada: User = { id: 1001, is_bot: false, first_name: 'Ada', last_name: 'Lovelace', username: 'ada' };
export const bob: User = { id: 1002, is_bot: false, first_name: 'Bob' };

/** The private chat of a user; its id is the user's. */
export const privateChat = (user: User) => ({ id: user.id, type: 'private', first_name: user.first_name }) as const;
export const group = { id: -4001, type: 'group', title: 'Poultry' } as const;
export const supergroup = { id: -1_001_234_567_890, type: 'supergroup', title: 'Aviary' } as const;
export const forum = { id: -1_009_876_543_210, type: 'supergroup', title: 'Topics', is_forum: true } as const;

let lastMessageId = 0;

/**
 * A message as documented, from Ada in a private chat by default.
 * @see https://core.telegram.org/bots/api#message
 */
export function incoming(fields: Partial<Message>): IncomingMessage {
  lastMessageId += 1;
  const from = fields.from ?? ada;
  const message = { message_id: lastMessageId, date: 1_764_000_000, from, chat: privateChat(from), ...fields };
  return message as IncomingMessage;
}

/** A place of a text in UTF-16 code units, as entities have it. */
export function placeOf(text: string, part: string): { offset: number; length: number } {
  const offset = text.indexOf(part);
  if (offset < 0) throw new Error(`"${text}" does not hold "${part}"`);
  return { offset, length: part.length };
}

/** A file as messages describe it. */
export function fileFields(id: string, size: number) {
  return { file_id: id, file_unique_id: `unique-${id}`, file_size: size };
}
