import { accountStorage } from '../../lib/account-storage.ts';
import { randomName } from '../../lib/random-name.ts';
import type { ChatSearch } from './routes.ts';

/** A conversation as the chat addresses it. */
export type ChatPlace = Required<ChatSearch>;

const storageKey = 'chat:place';

/** The conversation that was open last; null if there is none. */
export function keptPlace(): ChatPlace | null {
  const { pipeline, conversation } = (accountStorage.get(storageKey) ?? {}) as Record<string, unknown>;
  return typeof pipeline === 'string' && typeof conversation === 'string' ? { pipeline, conversation } : null;
}

export function keepPlace(place: ChatPlace): void {
  accountStorage.set(storageKey, place);
}

/** A name for a conversation. */
export function newConversationName(): string {
  return randomName().replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}
