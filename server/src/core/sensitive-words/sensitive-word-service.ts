import { ConcurrencyLimit } from '../../lib/concurrency-limit.ts';
import { type ExpectedTags, recordTag, requireTag, type Tagged } from '../records/record-tag.ts';
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
    return (await this.#read()).list;
  }

  async tagged(): Promise<Tagged<SensitiveWords>> {
    const { list } = await this.#read();
    return { record: list, tag: () => recordTag(list, []) };
  }

  /**
   * Replaces the fields that are given. It takes effect on the next message.
   * @throws ParleyError `invalid_request` with the index of each word that cannot be looked for; `record_changed`
   */
  async update(change: UpdateSensitiveWords, expected: ExpectedTags = null): Promise<void> {
    // Another process may have changed it meanwhile: then what it wrote is read again.
    await this.#turns.run(async () => {
      while (!(await this.#change(change, expected)));
    });
  }

  /** @returns false when it was changed meanwhile */
  async #change(change: UpdateSensitiveWords, expected: ExpectedTags): Promise<boolean> {
    const { text, list: stored } = await this.#read();
    requireTag(expected, () => recordTag(stored, []));
    const { words, mask, mask_word } = { ...stored, ...change };
    const list = { words, mask, mask_word };
    await this.#check(list);
    return await this.#metadata.replace(listKey, text, JSON.stringify(list));
  }

  async #read(): Promise<{ text: string | null; list: SensitiveWords }> {
    const text = await this.#metadata.get(listKey);
    if (text !== this.#known.text) {
      this.#known = { text, list: text === null ? nothing : (JSON.parse(text) as SensitiveWords) };
    }
    return this.#known;
  }
}
