import type { FakeChat, FakeMediaKind, ShownMessage } from '@parley/sdk/testing';

/** The platform's errors: HTTP status, code, text. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: number;
  readonly more: Record<string, unknown>;

  constructor(status: number, code: number, text: string, more: Record<string, unknown> = {}) {
    super(text);
    this.status = status;
    this.code = code;
    this.more = more;
  }
}

interface StoredCard {
  text: string;
  isStreaming: boolean;
  sequence: number;
  /** When streaming was switched on, by the fake's clock. */
  since: number;
}

interface StoredMessage {
  id: string;
  chat: FakeChat;
  quotes: string | null;
  card: string | null;
  text: string;
  history: { text: string; at: number }[];
  media: { kind: FakeMediaKind; name: string; content: Uint8Array }[];
  notifies: string[];
}

interface StoredFile {
  kind: FakeMediaKind;
  name: string;
  content: Uint8Array;
}

/** The platform closes streaming after this time. */
const streamMs = 600_000;
/** Longest content of a message by its kind, bytes. */
const longest: Record<string, number> = { text: 150_000, post: 30_000, interactive: 30_000 };
/** For how long the platform recognizes the `uuid` of a message. */
const idempotencyMs = 3_600_000;

/** Messages, cards and files as users see them. */
export class FakeChats {
  readonly messages: StoredMessage[] = [];
  readonly files = new Map<string, StoredFile>();
  readonly now: () => number;
  readonly #cards = new Map<string, StoredCard>();
  readonly #sent = new Map<string, { id: string; at: number }>();
  #next = 1;

  constructor(now: () => number) {
    this.now = now;
  }

  newId(prefix: string): string {
    this.#next += 1;
    return `${prefix}_${this.#next.toString(16).padStart(8, '0')}`;
  }

  /** A message of the bot. A repeated `uuid` sends nothing. */
  send(chat: FakeChat, { msg_type, content, uuid }: Record<string, unknown>, quotes: string | null): string {
    const text = String(content);
    if (Buffer.byteLength(text) > (longest[String(msg_type)] ?? 30_000)) {
      throw new Refusal(400, 230025, 'The length of the message content reaches its limit.');
    }
    const known = uuid === undefined ? undefined : this.#sent.get(String(uuid));
    if (known !== undefined && this.now() - known.at < idempotencyMs) return known.id;
    const message: StoredMessage = {
      id: this.newId('om'),
      chat,
      quotes,
      card: null,
      text: '',
      history: [],
      media: [],
      notifies: [],
    };
    this.#fill(message, String(msg_type), JSON.parse(text) as Record<string, unknown>);
    this.messages.push(message);
    if (uuid !== undefined) this.#sent.set(String(uuid), { id: message.id, at: this.now() });
    return message.id;
  }

  #fill(message: StoredMessage, type: string, content: Record<string, unknown>): void {
    if (type === 'text') {
      this.#show(message, String(content.text));
      return;
    }
    if (type === 'post') {
      const lines = Object.values(content).flatMap(
        (post) => (post as { content: { tag: string; text: string }[][] }).content,
      );
      this.#show(message, lines.map((line) => line.map(({ text }) => text).join('')).join('\n'));
      return;
    }
    if (type === 'interactive') {
      const { card_id } = (content.data ?? {}) as { card_id?: string };
      const card = this.#cards.get(card_id ?? '');
      if (card_id === undefined || card === undefined) throw new Refusal(400, 230099, 'Failed to create card content');
      message.card = card_id;
      this.#show(message, card.text);
      return;
    }
    const file = this.files.get(String(content.image_key ?? content.file_key));
    if (file === undefined) throw new Refusal(400, 230001, 'Your request contains an invalid request parameter.');
    message.media.push(file);
  }

  #show(message: StoredMessage, markup: string): void {
    message.notifies = [...markup.matchAll(/<at (?:user_)?id="?([\w-]+)"?>/g)].map(([, id]) =>
      id === 'all' ? 'everyone' : String(id),
    );
    message.text = markup.replaceAll(/<at (?:user_)?id="?([\w-]+)"?>([^<]*)<\/at>/g, '@$1');
    message.history.push({ text: message.text, at: this.now() });
  }

  createCard(data: string): string {
    const id = this.newId('card');
    this.#cards.set(id, { ...readCard(data), sequence: 0, since: this.now() });
    return id;
  }

  updateElement(id: string, { content, sequence }: Record<string, unknown>): void {
    const card = this.#changeable(id, sequence);
    if (!card.isStreaming || this.now() - card.since > streamMs) {
      card.isStreaming = false;
      throw new Refusal(400, 300309, 'streaming mode is closed');
    }
    this.#setCard(id, card, String(content));
  }

  replaceCard(id: string, { card: given, sequence }: Record<string, unknown>): void {
    const card = this.#changeable(id, sequence);
    const { text, isStreaming } = readCard(String((given as { data?: unknown })?.data));
    if (isStreaming && !card.isStreaming) card.since = this.now();
    card.isStreaming = isStreaming;
    this.#setCard(id, card, text);
  }

  changeSettings(id: string, { settings, sequence }: Record<string, unknown>): void {
    const card = this.#changeable(id, sequence);
    card.isStreaming = JSON.parse(String(settings)).config.streaming_mode === true;
  }

  /** The platform ends the streaming of all cards. */
  closeCards(): void {
    for (const card of this.#cards.values()) card.isStreaming = false;
  }

  /** As if a process whose clock is ahead had changed the cards. */
  raiseSequences(by: number): void {
    for (const card of this.#cards.values()) card.sequence += by;
  }

  recall(id: string): void {
    const index = this.messages.findIndex((message) => message.id === id);
    if (index < 0) throw new Refusal(400, 230011, 'The message is recalled.');
    this.messages.splice(index, 1);
  }

  shown(): ShownMessage[] {
    return this.messages.map(({ card, ...message }) => ({
      ...message,
      isUnfinished: card !== null && this.#cards.get(card)?.isStreaming === true,
    }));
  }

  #changeable(id: string, sequence: unknown): StoredCard {
    const card = this.#cards.get(id);
    if (card === undefined) throw new Refusal(400, 300301, 'card entity not exist');
    if (typeof sequence !== 'number' || sequence > 2 ** 31 - 1)
      throw new Refusal(400, 99992402, 'field validation failed');
    if (sequence <= card.sequence) throw new Refusal(400, 300317, 'sequence number compare failed');
    card.sequence = sequence;
    return card;
  }

  #setCard(id: string, card: StoredCard, text: string): void {
    if (Buffer.byteLength(text) > 30_000) throw new Refusal(400, 300305, 'card content is too large');
    card.text = text;
    for (const message of this.messages) if (message.card === id && message.text !== text) this.#show(message, text);
  }
}

function readCard(data: string): Pick<StoredCard, 'text' | 'isStreaming'> {
  const { schema, config, body } = JSON.parse(data);
  const [element] = body?.elements ?? [];
  if (schema !== '2.0' || element?.tag !== 'markdown' || Buffer.byteLength(data) > 30_000) {
    throw new Refusal(400, 200861, 'card content is invalid');
  }
  return { text: element.content, isStreaming: config?.streaming_mode === true };
}
