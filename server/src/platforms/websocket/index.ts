import {
  type DeliveryTarget,
  type MessageChain,
  type MessageElementType,
  type MessageEvent,
  type MessageStream,
  type OutgoingMessage,
  ParleyError,
  parseMessageChain,
  type SentMessage,
  type StreamCapability,
  textOfChain,
} from '@parley/sdk';
import type {
  AdapterSockets,
  BrowserSocket,
  InternalPlatform,
  InternalPlatformAdapter,
  InternalPlatformContext,
  PlatformConnection,
  ShownPart,
  SocketPlace,
} from '@parley/sdk/internal';
import { now } from '../../lib/clock.ts';
import { WebSocketConfig } from './config.ts';
import { MissingFileError, withFileAddresses } from './files.ts';
import { platformIdOf } from './message-ids.ts';
import { type MessageFrame, parseFrame } from './parse.ts';
import {
  assistantMessage,
  broadcastFrame,
  connectedFrame,
  errorFrame,
  messageFrame,
  pongFrame,
  stoppedFrame,
  storedPartFrame,
} from './render.ts';
import { addressOf, Connections, type OpenConnection } from './transport.ts';

/** A client that sends faster than its messages are stored is cut off when this many frames wait. */
const maximumWaitingFrames = 100;
/** A connection that was opened this long before a message was stored may have read a history without it, milliseconds. */
const historyMargin = 1000;

const elements: MessageElementType[] = [
  'Source',
  'Plain',
  'Quote',
  'At',
  'AtAll',
  'Image',
  'Voice',
  'File',
  'Forward',
  'Face',
  'Unknown',
];

const stream: StreamCapability = { mode: 'replace', interval_ms: 40 };

/** The web chat: browsers that are signed in talk to a pipeline over a websocket. */
export const websocket: InternalPlatform = {
  name: 'websocket',
  label: { en_US: 'Web chat', zh_Hans: '网页聊天', ja_JP: 'Webチャット' },
  description: {
    en_US: 'Chat in the console or from a program over a WebSocket',
    zh_Hans: '在控制台中聊天，或由程序通过 WebSocket 聊天',
    ja_JP: 'コンソールから、またはWebSocketでプログラムから利用するチャット',
  },
  categories: ['protocol'],
  sockets: true,
  capabilities: {
    proactive: 'any',
    streams: { person: stream, group: stream },
    text_limit: null,
    // A message that is shown again has the same id, and replaces itself.
    idempotent_sends: true,
    elements,
    answers_quote: false,
    webhook: false,
  },
  config: WebSocketConfig,
  load: async () => ({ create: (_config, context) => new WebSocketAdapter(context) }),
};

/** Messages are stored before they are sent, so clients that are offline receive them on connecting. */
class WebSocketAdapter implements InternalPlatformAdapter {
  /** For what other processes show. */
  readonly sockets: AdapterSockets = {
    places: () => this.#connections.places(),
    has: (place) => this.#connections.has(addressOf(place)),
    stored: (place, part, isLate) => {
      const connections = this.#connections.toShow(addressOf(place), keyOf(part));
      if (connections.length === 0) return;
      const frame = storedPartFrame(place, part);
      const lastOpened = Date.parse(part.shown_at) + historyMargin;
      for (const connection of connections) {
        if (isLate && Date.parse(connection.created_at) > lastOpened) continue;
        this.#connections.send(connection, frame);
      }
    },
    growing: (place, uuid, frame) => this.#grow(addressOf(place), uuid, frame),
    frame: (place, frame) => this.#toAll(addressOf(place), frame),
  };
  readonly #context: InternalPlatformContext;
  readonly #connections = new Connections();
  #started = false;

  constructor(context: InternalPlatformContext) {
    this.#context = context;
  }

  /** The name under which clients know the bot of the web chat. */
  accountId(): string {
    return 'websocketbot';
  }

  async start(): Promise<void> {
    this.#started = true;
  }

  async stop(): Promise<void> {
    this.#started = false;
    for (const connection of this.#connections.all()) {
      this.#connections.close(connection);
      connection.socket.close(1012, 'the server is stopping');
    }
  }

  async send(message: OutgoingMessage): Promise<SentMessage> {
    this.#requireStarted();
    return this.#finish(message, message.message_chain);
  }

  async stream(message: Omit<OutgoingMessage, 'message_chain'>): Promise<MessageStream> {
    this.#requireStarted();
    return {
      update: async (chain) => this.#update(message, chain),
      finish: async (chain, end) => this.#finish({ ...message, ...end }, chain),
    };
  }

  acceptBrowser(socket: BrowserSocket): void {
    const connection = this.#connections.open(socket, addressOf(socket));
    // One frame after the other, so that messages are stored in the order they were written.
    let turn: Promise<void> = Promise.resolve();
    let waiting = 0;
    socket.onMessage((text) => {
      if (waiting >= maximumWaitingFrames) {
        this.#connections.close(connection);
        socket.close(1013, 'writing too fast');
        return;
      }
      waiting += 1;
      turn = turn
        .then(() => this.#onFrame(connection, text))
        .finally(() => {
          waiting -= 1;
        });
    });
    socket.onClose(() => this.#connections.close(connection));
    this.#connections.send(connection, connectedFrame(connection, socket.person_id));
  }

  connections(): PlatformConnection[] {
    return this.#connections.all().map(({ socket: _, address: __, stream: ___, ...shown }) => shown);
  }

  broadcast(pipelineUuid: string, message: unknown): void {
    for (const connection of this.#connections.all()) {
      if (connection.pipeline_uuid === pipelineUuid) this.#connections.send(connection, broadcastFrame(message, now()));
    }
  }

  async #onFrame(connection: OpenConnection, text: string): Promise<void> {
    connection.last_active = now();
    let messageId: string | null = null;
    try {
      const frame = parseFrame(text);
      if (frame.type === 'ping') this.#connections.send(connection, pongFrame(now()));
      if (frame.type === 'disconnect') connection.socket.close(1000, 'as asked');
      if (frame.type === 'stop') await this.#onStop(connection, frame.uuid);
      if (frame.type !== 'message') return;
      messageId = frame.message_id;
      connection.stream = frame.stream;
      await this.#onMessage(connection, frame);
    } catch (error) {
      if (!(error instanceof ParleyError)) {
        this.#context.logger.error({ error, bot: this.#context.bot_uuid }, 'a web chat message could not be stored');
      }
      const known = error instanceof ParleyError ? error : new ParleyError('internal', 'The message was not stored');
      const file = known instanceof MissingFileError ? known.file : null;
      this.#connections.send(connection, errorFrame(known.message, known.reason, messageId, file));
    }
  }

  async #onStop(connection: OpenConnection, uuid: string | null) {
    const { socket, address } = connection;
    const lastId = await socket.stop(uuid);
    if (lastId === null) return;
    const frame = stoppedFrame(socket.session_type, lastId);
    this.#toAll(address, frame);
    this.#context.elsewhere?.frame(placeOf(socket), frame);
  }

  /** The content of a frame; that of the replaced message when the frame has none. */
  async #chainOf({ message, replaces }: MessageFrame, socket: BrowserSocket, id: string): Promise<MessageChain> {
    const isRepeated = message === undefined && replaces !== null;
    const elements = isRepeated ? null : parseMessageChain(message, 'message');
    const chain = elements && (await withFileAddresses(elements, (path) => this.#context.readMedia(path), 'message'));
    const replaced = replaces === null ? null : await socket.replace(replaces, id);
    return chain ?? replaced ?? [];
  }

  async #onMessage(connection: OpenConnection, sent: MessageFrame) {
    const { socket } = connection;
    const { message_id: id, replaces } = sent;
    const platformMessageId = platformIdOf(id, socket.person_id, placeOf(socket));
    const chain = await this.#chainOf(sent, socket, platformMessageId);
    const receipt = await this.#context.receive({
      platform_message_id: platformMessageId,
      session_type: socket.session_type,
      session_id: socket.session_id,
      ...(socket.thread_id === '' ? {} : { thread_id: socket.thread_id }),
      sender_id: socket.person_id,
      sender_name: socket.person_name,
      ...factsOf(socket, replaces),
      message_chain: chain,
      pipeline_uuid: socket.pipeline_uuid,
    });
    const frame = messageFrame('user_message', socket.session_type, {
      id: receipt.sequence,
      uuid: receipt.uuid,
      role: 'user',
      content: textOfChain(chain),
      message_chain: chain,
      timestamp: receipt.created_at,
      is_final: true,
      connection_id: connection.connection_id,
      ...(id === null ? {} : { message_id: id }),
      ...(replaces === null ? {} : { replaces }),
    });
    // A repeat concerns only the client that was not sure; the others saw it.
    if (receipt.outcome === 'repeated') return this.#connections.send(connection, frame);
    const part = partOf(receipt.uuid, { connection_id: connection.connection_id });
    this.#showStored(placeOf(socket), part, frame);
  }

  #update(message: Omit<OutgoingMessage, 'message_chain'>, chain: MessageChain): void {
    const frame = messageFrame('response', message.target.session_type, assistantMessage(message, chain, false));
    this.#grow(addressOf(message.target), message.uuid, frame);
    this.#context.elsewhere?.growing(placeOf(message.target), message.uuid, frame);
  }

  #finish(message: Omit<OutgoingMessage, 'message_chain'>, chain: MessageChain): SentMessage {
    const frame = messageFrame('response', message.target.session_type, assistantMessage(message, chain, true));
    this.#showStored(placeOf(message.target), partOf(message.uuid, message), frame);
    return {};
  }

  #showStored(place: SocketPlace, part: ShownPart, frame: string): void {
    for (const connection of this.#connections.toShow(addressOf(place), keyOf(part))) {
      this.#connections.send(connection, frame);
    }
    this.#context.elsewhere?.stored(place, part);
  }

  /** Shows the start of an answer, unless the connections have all of it. */
  #grow(address: string, uuid: string, frame: string): void {
    if (this.#connections.isShown(address, keyOf({ uuid, piece: 0 }))) return;
    for (const connection of this.#connections.at(address)) {
      if (connection.stream) this.#connections.send(connection, frame);
    }
  }

  #toAll(address: string, frame: string): void {
    for (const connection of this.#connections.at(address)) this.#connections.send(connection, frame);
  }

  #requireStarted(): void {
    if (!this.#started) throw new ParleyError('bot_not_running', 'The web chat is not running');
  }
}

function keyOf({ uuid, piece }: Pick<ShownPart, 'uuid' | 'piece'>): string {
  return `${uuid}/${piece}`;
}

function partOf(
  uuid: string,
  { piece = 0, connection_id = '', is_failure = false, is_stopped = false }: Partial<ShownPart>,
): ShownPart {
  return { uuid, piece, connection_id, is_failure, is_stopped };
}

function placeOf({ pipeline_uuid, session_type, session_id, thread_id }: DeliveryTarget): SocketPlace {
  return { pipeline_uuid: pipeline_uuid ?? '', session_type, session_id, thread_id };
}

function factsOf({ signed_in_admin, trial }: BrowserSocket, replaces: string | null): Pick<MessageEvent, 'facts'> {
  const facts = {
    ...(signed_in_admin && { signed_in_admin }),
    ...(trial !== null && { trial }),
    ...(replaces !== null && { replaces }),
  };
  return Object.keys(facts).length === 0 ? {} : { facts };
}
