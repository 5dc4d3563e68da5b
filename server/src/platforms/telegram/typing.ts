import type { Place } from './chat.ts';
import type { Transport } from './transport.ts';

/** Telegram shows it for five seconds. @see https://core.telegram.org/bots/api#sendchataction */
const repeatMs = 4500;
/** An answer that takes longer than so many times may never come: nobody should be kept waiting for it. */
const repeats = 5;

/** Shows people that an answer is being written to them. It is a courtesy: what fails of it is passed over. */
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
