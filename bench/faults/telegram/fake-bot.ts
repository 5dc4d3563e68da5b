import { readQuestion } from '../answer-text.ts';
import { type EvaluatedQuestion, type PollConflict, present, type VisibleMessage } from '../record.ts';
import { badRequest, conflict, Refusal } from './refusal.ts';
import { type WaitingUpdate, WebhookDelivery } from './webhook-delivery.ts';

interface ChatMessage {
  text: string;
  entities: string;
  sentAt: number;
}

interface Chat {
  /** Users and the bot share the numbers of a chat. */
  lastMessageId: number;
  /** Messages of the bot that were not deleted. */
  messages: Map<number, ChatMessage>;
}

interface PendingUpdate extends WaitingUpdate {
  id: number;
  question: EvaluatedQuestion | null;
}

/** Longest text of a message. @see https://core.telegram.org/bots/api#sendmessage */
const longestText = 4096;
/** Most updates of one poll. @see https://core.telegram.org/bots/api#getupdates */
const mostUpdates = 100;

/** What Telegram keeps of one bot: the updates that wait for it and the chats it writes to. */
export class FakeBot {
  readonly token: string;
  readonly questions: EvaluatedQuestion[] = [];
  readonly conflicts: PollConflict[] = [];
  readonly #name: string;
  readonly #chats = new Map<number, Chat>();
  #updates: PendingUpdate[] = [];
  #lastUpdate = 1000;
  readonly #delivery = new WebhookDelivery<PendingUpdate>((update) => this.#delivered(update));
  /** Id of the process that polled last; null before the first. */
  lastPoller: number | null = null;
  #poll: { process: number; isReplaced: boolean; wake(): void } | null = null;

  constructor(name: string, token: string) {
    this.#name = name;
    this.token = token;
  }

  /** Updates that were not confirmed. */
  get pending(): number {
    return this.#updates.length;
  }

  get isPolled(): boolean {
    return this.#poll !== null;
  }

  /** A user writes. */
  receive(chat: number, text: string): void {
    const place = this.#chat(chat);
    place.lastMessageId += 1;
    const user = { id: chat, is_bot: false, first_name: `User ${chat}` };
    const at = present();
    const asked = readQuestion(text);
    const question = asked === null ? null : { ...asked, bot: this.#name, chat, at, confirmedAt: null, handedOut: 0 };
    if (question !== null) this.questions.push(question);
    this.#lastUpdate += 1;
    const message = {
      message_id: place.lastMessageId,
      date: Math.floor(at / 1000),
      from: user,
      chat: { id: chat, type: 'private', first_name: user.first_name },
      text,
    };
    const update = { id: this.#lastUpdate, chat, content: { update_id: this.#lastUpdate, message }, question };
    this.#updates.push(update);
    if (this.#delivery.url !== '') this.#delivery.push(update);
    this.#poll?.wake();
  }

  /** @see https://core.telegram.org/bots/api#getme */
  identity(): object {
    const id = Number(this.token.split(':')[0]);
    return { id, is_bot: true, first_name: this.#name, username: `${this.#name}_bot` };
  }

  /** @see https://core.telegram.org/bots/api#setwebhook */
  setWebhook({ url = '', secret_token = '' }: Record<string, unknown>): true {
    const isNew = this.#delivery.url === '';
    this.#delivery.set(String(url), String(secret_token));
    if (isNew && url !== '') for (const update of this.#updates) this.#delivery.push(update);
    return true;
  }

  /** @see https://core.telegram.org/bots/api#getwebhookinfo */
  webhookInfo(): object {
    const { url, lastError } = this.#delivery;
    return {
      url,
      has_custom_certificate: false,
      pending_update_count: this.pending,
      ...(lastError === null ? {} : { last_error_date: lastError.at, last_error_message: lastError.message }),
    };
  }

  /**
   * Hands out updates from `offset` on and forgets those before it. Waits for one; a newer poll ends an older one.
   * @param left the caller went away
   * @param process id of the caller's
   * @see https://core.telegram.org/bots/api#getupdates
   */
  async getUpdates(parameters: Record<string, unknown>, left: AbortSignal, process: number): Promise<object[]> {
    const { offset = 0, limit = mostUpdates, timeout = 0 } = parameters as Record<string, number>;
    const poll = { process, isReplaced: false, wake: () => {} };
    if (this.#poll !== null) {
      this.conflicts.push({ bot: this.#name, at: present(), earlier: this.#poll.process, later: process });
      this.#poll.isReplaced = true;
      this.#poll.wake();
    }
    this.#poll = poll;
    this.lastPoller = process;
    const end = performance.now() + timeout * 1000;
    try {
      for (;;) {
        if (poll.isReplaced) {
          throw conflict('terminated by other getUpdates request; make sure that only one bot instance is running');
        }
        this.#confirm(offset);
        const updates = this.#updates.slice(0, Math.min(limit, mostUpdates));
        const rest = end - performance.now();
        if (updates.length > 0 || rest <= 0 || left.aborted) return this.#handOut(updates, left);
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, rest);
          poll.wake = () => {
            clearTimeout(timer);
            resolve();
          };
          left.addEventListener('abort', poll.wake, { once: true });
        });
      }
    } finally {
      if (this.#poll === poll) this.#poll = null;
    }
  }

  /** @returns the number of the new message. @throws Refusal */
  send(parameters: Record<string, unknown>): number {
    const place = this.#chat(Number(parameters.chat_id));
    const text = checkedText(parameters);
    place.lastMessageId += 1;
    const entities = JSON.stringify(parameters.entities ?? []);
    place.messages.set(place.lastMessageId, { text, entities, sentAt: present() });
    return place.lastMessageId;
  }

  /** @throws Refusal also when nothing would change */
  edit(parameters: Record<string, unknown>): number {
    const [id, message] = this.#message(parameters, 'edit');
    const text = checkedText(parameters);
    const entities = JSON.stringify(parameters.entities ?? []);
    if (message.text === text && message.entities === entities) {
      throw badRequest(
        'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
      );
    }
    message.text = text;
    message.entities = entities;
    return id;
  }

  /** @throws Refusal */
  delete(parameters: Record<string, unknown>): number {
    const [id] = this.#message(parameters, 'delete');
    this.#chat(Number(parameters.chat_id)).messages.delete(id);
    return id;
  }

  visible(): VisibleMessage[] {
    return [...this.#chats].flatMap(([chat, { messages }]) =>
      [...messages].map(([messageId, { text, sentAt }]) => ({ bot: this.#name, chat, messageId, text, sentAt })),
    );
  }

  #delivered(update: PendingUpdate): void {
    this.#updates = this.#updates.filter((one) => one !== update);
    if (update.question === null) return;
    update.question.confirmedAt = present();
    update.question.handedOut += 1;
  }

  #confirm(offset: number): void {
    const at = present();
    while (this.#updates[0] !== undefined && this.#updates[0].id < offset) {
      const { question } = this.#updates.shift() as PendingUpdate;
      if (question !== null) question.confirmedAt = at;
    }
  }

  #handOut(updates: PendingUpdate[], left: AbortSignal): object[] {
    if (!left.aborted) for (const { question } of updates) if (question !== null) question.handedOut += 1;
    return updates.map(({ content }) => content);
  }

  #chat(id: number): Chat {
    if (!Number.isSafeInteger(id)) throw badRequest('chat not found');
    const known = this.#chats.get(id);
    if (known !== undefined) return known;
    const chat: Chat = { lastMessageId: 0, messages: new Map() };
    this.#chats.set(id, chat);
    return chat;
  }

  #message(parameters: Record<string, unknown>, purpose: string): [number, ChatMessage] {
    const id = Number(parameters.message_id);
    const message = this.#chat(Number(parameters.chat_id)).messages.get(id);
    if (message === undefined) throw new Refusal(400, `Bad Request: message to ${purpose} not found`);
    return [id, message];
  }
}

function checkedText({ text }: Record<string, unknown>): string {
  if (typeof text !== 'string' || text.trim() === '') throw badRequest('message text is empty');
  if ([...text].length > longestText) throw badRequest('message is too long');
  return text;
}
