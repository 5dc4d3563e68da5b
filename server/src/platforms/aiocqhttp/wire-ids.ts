import type { Fields } from './fields.ts';

/** Writes ids as the client does: as numbers, which the protocol defines, or as texts. */
export class WireIds {
  #accountsAreTexts = false;
  #messagesAreTexts = false;

  /** Looks at the ids of an event. */
  learn({ self_id, user_id, message_id }: Fields): void {
    const account = user_id ?? self_id;
    if (account !== undefined) this.#accountsAreTexts = typeof account === 'string';
    if (message_id !== undefined) this.#messagesAreTexts = typeof message_id === 'string';
  }

  /** Of a user or a group. */
  account(id: string): string | number {
    return this.#accountsAreTexts ? id : numbered(id);
  }

  message(id: string): string | number {
    return this.#messagesAreTexts ? id : numbered(id);
  }
}

function numbered(id: string): string | number {
  return /^-?\d{1,16}$/.test(id) && Number.isSafeInteger(Number(id)) ? Number(id) : id;
}
