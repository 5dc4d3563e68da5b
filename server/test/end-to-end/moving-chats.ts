import { setTimeout as wait } from 'node:timers/promises';
import type { TestService } from '../factories/start-test-service.ts';
import { type ApiClient, apiClient, apiKey, type Chat, defaults, type Frame, openChat } from './api-client.ts';

/** How long a client waits for an answer, and for what others have got already, milliseconds. */
const patience = 30_000;
const shortPatience = 5000;

/** What clients of web chats saw. */
export interface SeenByChats {
  /** Finished messages that a socket got twice, or a client has twice in its view. */
  repeated: string[];
  /** Finished messages that a client does not have, or has with another content. */
  missed: string[];
  /** Finished messages of all conversations. */
  messages: number;
  moves: number;
}

/**
 * Has users chat, each in one conversation, whose sockets move to a random replica at random times, also while
 * messages are stored and answers are written. Another client watches each conversation with one socket at one replica, and
 * never reads the history.
 * @param rounds questions of each
 */
export async function moveChats(
  services: readonly TestService[],
  { chats, rounds }: { chats: number; rounds: number },
): Promise<SeenByChats> {
  const token = services[0]?.account.token ?? '';
  const admin = apiClient(services[0]?.address ?? '', token);
  const { pipeline } = await defaults(admin);
  const seen: SeenByChats = { repeated: [], missed: [], messages: 0, moves: 0 };
  await Promise.all(
    Array.from({ length: chats }, async (_, index) => {
      // A user each, as there are limits for users.
      const key = await apiKey(admin);
      const clients = services.map(({ address }) => apiClient(address, key));
      const place = { pipeline, conversation: `moving-${index}` };
      const watcher = new Watcher(clients[index % clients.length] as ApiClient, place, seen);
      const mover = new Mover(clients, place, seen);
      await Promise.all([watcher.open(), mover.move()]);
      for (let round = 0; round < rounds; round += 1) await mover.ask(`Question ${round} of ${index}, please`);
      const history = await mover.history();
      seen.messages += history.length;
      await watcher.has(history);
      mover.has(history);
      await Promise.all([watcher.close(), mover.close()]);
    }),
  );
  return seen;
}

interface Place {
  pipeline: string;
  conversation: string;
}

const isFinished = ({ type, data }: Frame) => (type === 'user_message' || type === 'response') && data.is_final;

/** One socket. */
class Watched {
  readonly chat: Chat;
  readonly #seen: SeenByChats;

  private constructor(chat: Chat, seen: SeenByChats) {
    this.chat = chat;
    this.#seen = seen;
  }

  static async open({ address, token }: ApiClient, place: Place, seen: SeenByChats): Promise<Watched> {
    const chat = await openChat(address, Object.assign({ headers: { authorization: `Bearer ${token}` } }, place));
    await chat.frame(({ type }) => type === 'connected');
    return new Watched(chat, seen);
  }

  get finished(): Frame[] {
    return this.chat.frames.filter(isFinished).map(({ data }) => data);
  }

  async close(): Promise<void> {
    await this.chat.close();
    const ids = this.finished.map(({ uuid, role }) => `${role} ${uuid}`);
    // What its client requested again may come again.
    const answers = ids.filter((id) => id.startsWith('assistant'));
    for (const id of new Set(answers))
      if (answers.filter((other) => other === id).length > 1) this.#seen.repeated.push(id);
  }
}

class Watcher {
  readonly #client: ApiClient;
  readonly #place: Place;
  readonly #seen: SeenByChats;
  #socket: Watched | null = null;

  constructor(client: ApiClient, place: Place, seen: SeenByChats) {
    this.#client = client;
    this.#place = place;
    this.#seen = seen;
  }

  async open(): Promise<void> {
    this.#socket = await Watched.open(this.#client, this.#place, this.#seen);
  }

  /** Waits until it got some messages by frames. */
  async has(history: readonly Frame[]): Promise<void> {
    const left = () => missing(history, this.#socket?.finished ?? []);
    const end = performance.now() + shortPatience;
    while (left().length > 0 && performance.now() < end) await wait(20);
    this.#seen.missed.push(...left());
    const ids = (this.#socket?.finished ?? []).map(({ uuid }) => uuid);
    if (new Set(ids).size < ids.length) this.#seen.repeated.push(`a watcher got ${ids.length} of ${new Set(ids).size}`);
  }

  async close(): Promise<void> {
    await this.#socket?.close();
  }
}

/** A client as the console: it merges frames into the history by their ids, and sends again what was not confirmed. */
class Mover {
  readonly #clients: readonly ApiClient[];
  readonly #place: Place;
  readonly #seen: SeenByChats;
  #socket: Watched | null = null;
  #history: Frame[] = [];
  #asked = 0;

  constructor(clients: readonly ApiClient[], place: Place, seen: SeenByChats) {
    this.#clients = clients;
    this.#place = place;
    this.#seen = seen;
  }

  get #view(): Frame[] {
    const messages = [...this.#history, ...(this.#socket?.finished ?? [])];
    return [...new Map(messages.map((message) => [message.id, message])).values()];
  }

  /** Asks, and moves up to twice until it has the answer. */
  async ask(text: string): Promise<void> {
    this.#asked += 1;
    const id = `question-${this.#asked}`;
    const send = () => this.#socket?.chat.say(text, { message_id: id });
    send();
    for (const _ of [1, 2]) {
      await wait(Math.random() * 700);
      await this.move();
      if (!this.#view.some(({ role, content }) => role === 'user' && content === text)) send();
    }
    const end = performance.now() + patience;
    const isAnswered = () => this.#view.some(({ role, content }) => role === 'assistant' && content.includes(text));
    while (!isAnswered() && performance.now() < end) await wait(10);
    if (!isAnswered()) this.#seen.missed.push(`the answer to ${text}`);
  }

  async move(): Promise<void> {
    this.#seen.moves += 1;
    await this.#socket?.close();
    this.#socket = await Watched.open(this.#any(), this.#place, this.#seen);
    this.#history = await this.history();
  }

  history(): Promise<Frame[]> {
    const { pipeline, conversation } = this.#place;
    const path = `/pipelines/${pipeline}/ws/messages/person?conversation=${conversation}`;
    return this.#any()
      .data('GET', path)
      .then(({ messages }) => messages);
  }

  has(history: readonly Frame[]): void {
    this.#seen.missed.push(...missing(history, this.#view));
    const uuids = this.#view.map(({ uuid }) => uuid);
    if (new Set(uuids).size < uuids.length) this.#seen.repeated.push(`a view has ${uuids.length}`);
    if (history.length !== 2 * this.#asked) this.#seen.missed.push(`${history.length} messages are stored`);
  }

  async close(): Promise<void> {
    await this.#socket?.close();
  }

  #any(): ApiClient {
    return this.#clients[Math.floor(Math.random() * this.#clients.length)] as ApiClient;
  }
}

/** Messages of the history that are not among others. */
function missing(history: readonly Frame[], messages: readonly Frame[]): string[] {
  return history
    .filter(({ id, content }) => !messages.some((other) => other.id === id && other.content === content))
    .map(({ content }) => content);
}
