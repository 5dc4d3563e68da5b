import { ConcurrencyLimit } from '../../lib/concurrency-limit.ts';
import type { MetadataStore } from '../system/metadata-store.ts';
import type { SensitiveWords, UpdateSensitiveWords } from './sensitive-words.ts';

const listKey = 'sensitive_words';

const nothing: SensitiveWords = Object.freeze({ words: [], mask: '*', mask_word: '' });

/** The list of sensitive words of the installation. */
export class SensitiveWordService {
  readonly #metadata: MetadataStore;
  readonly #check: (list: SensitiveWords) => Promise<unknown>;
  readonly #turns = new ConcurrencyLimit(1);
  #known: { text: string | null; list: SensitiveWords } = { text: null, list: nothing };

  /** @param check throws ParleyError `invalid_request` for unusable words */
  constructor(metadata: MetadataStore, check: (list: SensitiveWords) => Promise<unknown>) {
    this.#metadata = metadata;
    this.#check = check;
  }

  /** The current list, whichever process changed it; the same object as long as it is unchanged. Empty at first. */
  async current(): Promise<SensitiveWords> {
    const text = await this.#metadata.get(listKey);
    if (text === this.#known.text) return this.#known.list;
    const list = text === null ? nothing : (JSON.parse(text) as SensitiveWords);
    this.#known = { text, list };
    return list;
  }

  /**
   * Replaces the fields that are given. It takes effect on the next message.
   * @throws ParleyError `invalid_request` with the index of each word that cannot be looked for
   */
  async update(change: UpdateSensitiveWords): Promise<void> {
    await this.#turns.run(async () => {
      const { words, mask, mask_word } = { ...(await this.current()), ...change };
      const list = { words, mask, mask_word };
      await this.#check(list);
      await this.#metadata.set(listKey, JSON.stringify(list));
    });
  }
}
