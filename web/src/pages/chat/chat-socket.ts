import type { ChatMessage } from './conversation.ts';

/** What the server sends; `response` repeats the same message, each time with all of its text so far. */
export type ServerFrame =
  | { type: 'connected'; connection_id: string; person_id: string }
  | { type: 'user_message'; session_type: string; data: ChatMessage }
  | { type: 'response'; session_type: string; data: ChatMessage }
  | { type: 'broadcast'; message: unknown }
  | { type: 'pong' }
  | { type: 'error'; message: string; reason?: string; message_id?: string };

/** `connecting` is the first attempt or a quick one after a loss, `lost` is between attempts. */
export type ConnectionState = 'connecting' | 'open' | 'lost';

interface ChatSocketEvents {
  onState: (state: ConnectionState) => void;
  onFrame: (frame: ServerFrame) => void;
  /** Asked before each new attempt after a failed one; resolves false when there is no point in trying. */
  mayRetry: () => Promise<boolean>;
}

const pingEvery = 25_000;
/** A connection that stays silent for this long after a ping is taken for dead: phones drop them without a word. */
const silenceLimit = 10_000;
const longestWait = 15_000;
/** The close code of a server that will not read a message of this size, however often it comes. */
const messageTooBig = 1009;

/** A websocket that comes back: pings, notices silence, and tries again with growing pauses until it is closed. */
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

  /** Sends one message; false when the connection is not open, so it has to be sent again once it is. */
  send(messageId: string, text: string): boolean {
    return this.#write({ type: 'message', message: [{ type: 'Plain', text }], stream: true, message_id: messageId });
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
    // A network that swallows packets leaves the browser waiting for minutes.
    this.#heartbeat = setTimeout(() => this.#lose(), silenceLimit);
  }

  #receive(frame: ServerFrame) {
    if (frame.type === 'connected') {
      this.#attempt = 0;
      this.#events.onState('open');
    }
    this.#events.onFrame(frame);
  }

  /** Waits for the next sign of life, asking for one when it has been quiet. */
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
    // Half of the pause is random, so that a restarted server is not called by everybody at once.
    const pause = Math.min(longestWait, 500 * 2 ** this.#attempt++);
    this.#timer = setTimeout(() => this.#retry(), pause / 2 + (Math.random() * pause) / 2);
  }

  async #retry() {
    this.#timer = undefined;
    const may = await this.#events.mayRetry();
    if (may && !this.#closed && this.#socket === null) this.#connect();
  }

  /** Does not wait out the pause when the network or the reader is back. */
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
    socket.close();
  }
}
