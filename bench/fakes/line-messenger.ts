import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type Lines, lineAdapters, openLines, type ToAdapter, type ToPlatform } from './line-protocol.ts';
import { idIn, type Messenger, type Question } from './messenger.ts';

/** A platform that the service connects to over TCP, with lines of JSON. */
export interface LineMessenger extends Messenger {
  /**
   * How often a question was delivered to the bot: more often than there are questions where the service closed the
   * connection instead of storing them, as it does while it has no room for more.
   */
  readonly deliveries: number;
  /** Number of dropped messages with a known token. */
  readonly repeatsDropped: number;
  /** Answers that arrived after the answer to a later question of the same conversation. */
  readonly reordered: number;
  /** Messages that answer no question, or the wrong one. */
  readonly strangers: string[];
  /** Questions without an answer to them or to a later question of the same conversation. */
  readonly pending: number;
  /** Resolves when the next message arrives, before it is confirmed to the service. */
  nextArrival(): Promise<void>;
  /** Resolves when no bot is connected. */
  disconnected(): Promise<void>;
}

export interface LineMessengerOptions {
  /**
   * Whether a repeated message with the same token is dropped; the only difference between the two kinds of platforms.
   */
  honoursTokens: boolean;
  /** Delay of the confirmation of a message, milliseconds. The message itself is stored immediately. Default: none. */
  confirmAfter?: () => number;
}

export async function startLineMessenger({
  honoursTokens,
  confirmAfter = () => 0,
}: LineMessengerOptions): Promise<LineMessenger> {
  const book = new QuestionBook();
  /** Unacknowledged questions, in order. */
  const waiting = new Map<string, Question>();
  const tokens = new Map<string, string>();
  let bot: Lines<ToAdapter> | null = null;
  let arrival = Promise.withResolvers<void>();
  let departure = Promise.withResolvers<void>();
  departure.resolve();
  let next = Promise.withResolvers<void>();
  let arrived = 0;
  let repeatsDropped = 0;
  let deliveries = 0;

  function handOver({ id, conversation, text }: Question): void {
    if (bot === null) return;
    deliveries += 1;
    bot.write({ type: 'question', id, conversation, text });
  }

  function onConnection(socket: Socket): void {
    const lines: Lines<ToAdapter> = openLines<ToPlatform, ToAdapter>(
      socket,
      (line) => {
        if (line.type === 'hello') welcome(lines);
        else if (line.type === 'stored') stored(line.id);
        else take(line, lines);
      },
      () => {
        if (bot !== lines) return;
        bot = null;
        arrival = Promise.withResolvers();
        departure.resolve();
      },
    );
  }

  function welcome(lines: Lines<ToAdapter>): void {
    bot?.destroy();
    bot = lines;
    lines.write({ type: 'welcome' });
    for (const question of waiting.values()) handOver(question);
    arrival.resolve();
    departure = Promise.withResolvers();
  }

  function stored(id: string): void {
    const question = waiting.get(id);
    if (question === undefined) return;
    question.acknowledgedAt = performance.now();
    waiting.delete(id);
  }

  function take(message: ToPlatform & { type: 'send' }, lines: Lines<ToAdapter>): void {
    next.resolve();
    next = Promise.withResolvers();
    const known = honoursTokens ? tokens.get(message.token) : undefined;
    const platform_message_id = known ?? `arrived-${++arrived}`;
    let confirmed = () => {};
    if (known === undefined) {
      tokens.set(message.token, platform_message_id);
      confirmed = book.keep(message);
    } else {
      repeatsDropped += 1;
    }
    const confirm = () => {
      lines.write({ type: 'taken', request: message.request, platform_message_id });
      confirmed();
    };
    const pause = confirmAfter();
    if (pause === 0) confirm();
    else setTimeout(confirm, pause);
  }

  const { port, close } = await listen(onConnection);
  return {
    adapter: honoursTokens ? lineAdapters.honoursTokens : lineAdapters.ignoresTokens,
    adapterConfig: { port },
    say: (asked) => {
      const question = book.ask(asked);
      waiting.set(question.id, question);
      handOver(question);
    },
    questions: () => [...book.questions.values()],
    asked: () => book.questions.size,
    answered: () => book.answered,
    get deliveries() {
      return deliveries;
    },
    get repeatsDropped() {
      return repeatsDropped;
    },
    get reordered() {
      return book.reordered;
    },
    strangers: book.strangers,
    get pending() {
      return book.pending;
    },
    connected: () => arrival.promise,
    nextArrival: () => next.promise,
    disconnected: () => departure.promise,
    close,
  };
}

async function listen(onConnection: (socket: Socket) => void) {
  const server = createServer(onConnection);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return { port: (server.address() as AddressInfo).port, close };
}

/** What was asked, and what arrived as an answer to it. */
class QuestionBook {
  readonly questions = new Map<string, Question>();
  readonly strangers: string[] = [];
  answered = 0;
  pending = 0;
  reordered = 0;
  readonly #conversations = new Map<string, { places: number; lastAnswered: number }>();

  ask({ id, conversation, text, due }: Pick<Question, 'id' | 'conversation' | 'text' | 'due'>): Question {
    const order = this.#conversations.get(conversation) ?? { places: 0, lastAnswered: 0 };
    this.#conversations.set(conversation, order);
    order.places += 1;
    this.pending += 1;
    const place = order.places;
    const question: Question = { id, conversation, text, place, due, acknowledgedAt: null, answers: [] };
    this.questions.set(id, question);
    return question;
  }

  /** @returns a function to call when the message is confirmed */
  keep({ reply_to, conversation, piece, text }: ToPlatform & { type: 'send' }): () => void {
    const question = this.questions.get(reply_to ?? '');
    if (question === undefined || question.conversation !== conversation || idIn(text) !== question.id) {
      this.strangers.push(`to ${reply_to} in ${conversation}: ${text}`);
      return () => {};
    }
    const answer = { at: performance.now(), text, piece, confirmedAt: null as number | null };
    if (question.answers.push(answer) === 1) {
      this.answered += 1;
      const order = this.#conversations.get(conversation) as { lastAnswered: number };
      if (question.place < order.lastAnswered) this.reordered += 1;
      const lastAnswered = Math.max(order.lastAnswered, question.place);
      this.pending -= lastAnswered - order.lastAnswered;
      order.lastAnswered = lastAnswered;
    }
    return () => {
      answer.confirmedAt = performance.now();
    };
  }
}
