import type { Attachment, ChatMessage, OutgoingMessage } from './conversation.ts';

/** Frames of the server; `response` repeats the same message, each time with the complete text so far. */
export type ServerFrame =
  | { type: 'connected'; connection_id: string; person_id: string }
  | { type: 'user_message'; session_type: string; data: ChatMessage }
  | { type: 'response'; session_type: string; data: ChatMessage }
  | { type: 'stopped'; session_type: string; last_id: number }
  | { type: 'broadcast'; message: unknown }
  | { type: 'pong' }
  /** `missing_file`: the key of a file of the message that the server no longer has. */
  | { type: 'error'; message: string; reason?: string; message_id?: string; missing_file?: string };

/** `connecting` is the first attempt or a quick one after a loss, `lost` is between attempts. */
export type ConnectionState = 'connecting' | 'open' | 'lost';

interface ChatSocketEvents {
  onState: (state: ConnectionState) => void;
  onFrame: (frame: ServerFrame) => void;
  /** Called before each reconnect after a failure; resolves false if reconnecting is pointless. */
  mayRetry: () => Promise<boolean>;
}

type SentMessage = Pick<OutgoingMessage, 'message_id' | 'text' | 'attachments' | 'replaces' | 'repeats'>;

const pingEvery = 25_000;
/** A connection without traffic for this long after a ping is considered dead: phones drop them silently. */
const silenceLimit = 10_000;
const longestWait = 15_000;
/** The close code for messages that are too large, which must not be retried. */
const messageTooBig = 1009;

/** A reconnecting websocket: pings, detects silence, and reconnects with exponential backoff until it is closed. */
export class ChatSocket {
  readonly #address: string;
  readonly #events: ChatSocketEvents;
  #socket: WebSocket | null = null;
  #attempt = 0;
  #closed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #heartbeat: ReturnType<typeof setTimeout> | undefined;

  constructor(address: string, events: ChatSocketEvents) {
    this.#address = address;
    this.#events = events;
    window.addEventListener('online', this.#hurry);
    document.addEventListener('visibilitychange', this.#hurry);
    this.#connect();
  }

  /** Sends one message; false if the connection is not open, so that it must be sent later. */
  send({ message_id, text, attachments = [], replaces, repeats }: SentMessage): boolean {
    return this.#write({
      type: 'message',
      stream: true,
      message_id,
      ...(replaces !== undefined && { replaces }),
      ...(!repeats && {
        message: [...(text === '' ? [] : [{ type: 'Plain', text }]), ...attachments.map(elementOf)],
      }),
    });
  }

  /** Stops the answers up to a message; false if the connection is not open. @param uuid undefined for all */
  stop(uuid?: string): boolean {
    return this.#write({ type: 'stop', ...(uuid !== undefined && { uuid }) });
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#heartbeat);
    window.removeEventListener('online', this.#hurry);
    document.removeEventListener('visibilitychange', this.#hurry);
    this.#drop();
  }

  #write(frame: object): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(frame));
    return true;
  }

  #connect() {
    this.#events.onState('connecting');
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    socket.onmessage = ({ data }) => {
      this.#listen();
      this.#receive(JSON.parse(String(data)) as ServerFrame);
    };
    socket.onclose = ({ code }) => {
      if (code === messageTooBig) this.#receive({ type: 'error', message: 'Too large', reason: 'too_large' });
      this.#lose();
    };
    // If packets are dropped, the browser would wait for minutes.
    this.#heartbeat = setTimeout(() => this.#lose(), silenceLimit);
  }

  #receive(frame: ServerFrame) {
    if (frame.type === 'connected') {
      this.#attempt = 0;
      this.#events.onState('open');
    }
    this.#events.onFrame(frame);
  }

  /** Waits for the next frame, pinging if the connection is quiet. */
  #listen() {
    clearTimeout(this.#heartbeat);
    this.#heartbeat = setTimeout(() => {
      this.#write({ type: 'ping' });
      this.#heartbeat = setTimeout(() => this.#lose(), silenceLimit);
    }, pingEvery);
  }

  #lose() {
    clearTimeout(this.#heartbeat);
    this.#drop();
    if (this.#closed) return;
    this.#events.onState('lost');
    // Half of the delay is random, so that clients do not reconnect to a restarted server all at once.
    const pause = Math.min(longestWait, 500 * 2 ** this.#attempt++);
    this.#timer = setTimeout(() => this.#retry(), pause / 2 + (Math.random() * pause) / 2);
  }

  async #retry() {
    this.#timer = undefined;
    const may = await this.#events.mayRetry();
    if (may && !this.#closed && this.#socket === null) this.#connect();
  }

  /** Reconnects immediately when the network or the user is back. */
  readonly #hurry = () => {
    if (this.#timer === undefined || document.hidden) return;
    clearTimeout(this.#timer);
    this.#attempt = 0;
    void this.#retry();
  };

  #drop() {
    const socket = this.#socket;
    this.#socket = null;
    if (socket === null) return;
    socket.onmessage = null;
    socket.onclose = null;
    // Who leaves the page at once has done nothing wrong: a browser logs it as an error to close it before it is open.
    if (this.#closed && socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket.close();
  }
}

function elementOf({ file_key: path, name, size, is_image }: Attachment) {
  return is_image ? { type: 'Image', path } : { type: 'File', path, name, size };
}
