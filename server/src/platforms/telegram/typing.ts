import type { Place } from './chat.ts';
import type { Transport } from './transport.ts';

/** Telegram shows it for five seconds. @see https://core.telegram.org/bots/api#sendchataction */
const repeatMs = 4500;
/** After this many repeats the answer may never come, so the indicator stops. */
const repeats = 5;

/** Shows a typing indicator while an answer is generated. Failures are ignored. */
export class Typing {
  readonly #transport: Transport;
  readonly #shown = new Map<string, NodeJS.Timeout>();

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  begin(chat: string, place: Place): void {
    this.end(chat);
    let left = repeats;
    const show = () => {
      left -= 1;
      if (left < 0) return this.end(chat);
      void this.#transport
        .call((api) => api.sendChatAction({ ...place, action: 'typing' }))
        .catch(() => this.end(chat));
    };
    this.#shown.set(chat, setInterval(show, repeatMs).unref());
    show();
  }

  end(chat: string): void {
    clearInterval(this.#shown.get(chat));
    this.#shown.delete(chat);
  }

  stop(): void {
    for (const chat of [...this.#shown.keys()]) this.end(chat);
  }
}
