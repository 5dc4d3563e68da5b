import { accountStorage } from '../../lib/account-storage.ts';
import type { OutgoingMessage } from './conversation.ts';

/** Where the browser keeps what was not sent in a conversation of the account. */
export interface ConversationKeys {
  /** Of the text in the input. */
  text: string;
  /** Prefix of the outgoing messages; their ids follow. */
  messages: string;
}

export function conversationKeys(
  pipelineUuid: string,
  sessionType: string,
  { version, model, compared }: { version?: string; model?: string; compared?: true } = {},
): ConversationKeys {
  const place = ['chat', pipelineUuid, sessionType, compared && 'compared', version, model]
    .filter((part) => part !== undefined)
    .join(':');
  return { text: `${place}:text`, messages: `${place}:message:` };
}

/**
 * The outgoing messages of a conversation. Each is an item of its own, so that tabs do not overwrite each other's; tabs
 * send it under the same id, which the server accepts once.
 */
export class KeptMessages {
  readonly #prefix: string;

  /** @param prefix see {@link ConversationKeys} */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Oldest first. */
  list(): OutgoingMessage[] {
    return accountStorage
      .keys(this.#prefix)
      .flatMap((key) => this.#read(key) ?? [])
      .sort((one, other) => one.written_at - other.written_at);
  }

  /** False if it could not be stored. */
  set({ message_id, ...content }: OutgoingMessage): boolean {
    return accountStorage.set(this.#prefix + message_id, content);
  }

  remove(messageId: string): void {
    accountStorage.remove(this.#prefix + messageId);
  }

  /** Calls the listener with the id of each message that another tab removes, because it was sent or by hand. */
  onRemoved(listener: (messageId: string) => void): () => void {
    return accountStorage.subscribe((key) => {
      if (key.startsWith(this.#prefix) && accountStorage.get(key) === undefined) listener(this.#idIn(key));
    });
  }

  #read(key: string): OutgoingMessage | undefined {
    const { text, written_at, failed } = (accountStorage.get(key) ?? {}) as Record<string, unknown>;
    if (typeof text !== 'string' || typeof written_at !== 'number') return undefined;
    return { message_id: this.#idIn(key), text, written_at, failed: failed === true };
  }

  #idIn(key: string): string {
    return key.slice(this.#prefix.length);
  }
}
