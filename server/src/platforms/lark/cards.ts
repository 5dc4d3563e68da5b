import { present } from '../../lib/clock.ts';
import { textOf } from '../../lib/loose-values.ts';
import { isClosedCard, isOutdatedSequence } from './failure.ts';
import type { Outbox, Place } from './outbox.ts';
import { cardElement, cardOf } from './render.ts';

const cards = '/open-apis/cardkit/v1/cards';

/** Numbers of changes start here, so that they rise over restarts. Milliseconds since 1970. */
const firstNumber = Date.UTC(2026, 0, 1);

/** Cards whose text can be changed while it is generated. */
export class Cards {
  readonly #outbox: Outbox;
  /** The number of the last change of each card. */
  readonly #numbers = new Map<string, number>();
  /** Cards that the platform does not stream any more. */
  readonly #closed = new Set<string>();

  constructor(outbox: Outbox) {
    this.#outbox = outbox;
  }

  /** Makes a card, which is not shown yet. @returns its id */
  async create(place: Place, markdown: string, isStreaming: boolean): Promise<string> {
    const json = { type: 'card_json', data: cardOf(markdown, isStreaming) };
    const { data } = await this.#outbox.call(place, { method: 'POST', path: cards, json, isRepeatable: true });
    return textOf(data?.card_id);
  }

  /** Shows more text. Does nothing once the platform has closed the card: only {@link complete} changes it then. */
  async update(place: Place, id: string, markdown: string): Promise<void> {
    if (this.#closed.has(id)) return;
    try {
      await this.#change(place, id, `/elements/${cardElement}/content`, 'PUT', {
        content: markdown.replaceAll(/<at user_id="/g, '<at id="'),
      });
    } catch (error) {
      if (!isClosedCard(error)) throw error;
      this.#closed.add(id);
    }
  }

  /** Shows the whole text and ends streaming, whether or not the platform did so before. */
  async complete(place: Place, id: string, markdown: string): Promise<void> {
    await this.#change(place, id, '', 'PUT', { card: { type: 'card_json', data: cardOf(markdown, false) } });
    this.forget(id);
  }

  /** Ends streaming; the text stays as it is. */
  async close(place: Place, id: string): Promise<void> {
    try {
      const settings = JSON.stringify({ config: { streaming_mode: false } });
      await this.#change(place, id, '/settings', 'PATCH', { settings });
    } catch (error) {
      if (!isClosedCard(error)) throw error;
    } finally {
      this.forget(id);
    }
  }

  forget(id: string): void {
    this.#numbers.delete(id);
    this.#closed.delete(id);
  }

  async #change(place: Place, id: string, part: string, method: 'PUT' | 'PATCH', content: Record<string, unknown>) {
    const call = () => {
      const json = { ...content, sequence: this.#next(id) };
      const path = `${cards}/${encodeURIComponent(id)}${part}`;
      return this.#outbox.call(place, { method, path, json, isRepeatable: true, limit: `card ${id}` });
    };
    try {
      await call();
    } catch (error) {
      if (!isOutdatedSequence(error)) throw error;
      // An earlier process, whose clock was up to ten minutes ahead, has changed it.
      this.#numbers.set(id, this.#next(id) + 6000);
      await call();
    }
  }

  #next(id: string): number {
    const number = Math.max((this.#numbers.get(id) ?? 0) + 1, Math.floor((present() - firstNumber) / 100));
    this.#numbers.set(id, number);
    return number;
  }
}
