import { WebSocket } from 'ws';

/** A socket of the web chat that never moves and whose client reads no history: it counts on what the service sends. */
export class ChatWatcher {
  readonly #socket: WebSocket;
  /** Finished answers that it received, and how often. */
  readonly #received = new Map<number, number>();
  readonly #ended: Promise<void>;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    this.#ended = new Promise((resolve) => socket.once('close', () => resolve()));
  }

  /** @param address of a process, `http://127.0.0.1:5300`. Resolves once it is connected. */
  static async open(
    address: string,
    { pipeline, conversation, key }: { pipeline: string; conversation: string; key: string },
  ): Promise<ChatWatcher> {
    const query = `session_type=person&conversation=${conversation}`;
    const url = `${address.replace('http', 'ws')}/api/v1/pipelines/${pipeline}/ws/connect?${query}`;
    const watcher = new ChatWatcher(new WebSocket(url, { headers: { 'x-api-key': key } }));
    await new Promise<void>((resolve, reject) => {
      watcher.#socket.once('error', reject);
      watcher.#socket.on('message', (data) => {
        const frame = JSON.parse(String(data));
        if (frame.type === 'connected') resolve();
        if (frame.type !== 'response' || !frame.data.is_final) return;
        const { id } = frame.data;
        watcher.#received.set(id, (watcher.#received.get(id) ?? 0) + 1);
      });
    });
    return watcher;
  }

  /** @returns how many of some answers it did not receive */
  missed(answers: readonly number[]): number {
    return answers.filter((id) => !this.#received.has(id)).length;
  }

  /** How many answers it received more than once. */
  get repeated(): number {
    return [...this.#received.values()].filter((count) => count > 1).length;
  }

  /** Resolves when the service has ended it. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  async close(): Promise<void> {
    this.#socket.terminate();
    await this.#ended;
  }
}
