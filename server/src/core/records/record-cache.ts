import { LRUCache } from 'lru-cache';

/** Records of one kind in memory. There may be more, which are read when they are needed. */
const maximumRecords = 1000;

/**
 * Records that messages are received and processed with, in memory while the version of all records is the one that was
 * seen last. The version is read for arriving messages and with each claim, so a message is processed with records that
 * are at least as new as its claim. All else reads the stores.
 */
export class RecordCache {
  readonly #kinds: { clear(): void }[] = [];
  #version: number | null = null;

  /** @param version of all records, as a committed transaction has read it */
  see(version: number): void {
    if (version === this.#version) return;
    this.#version = version;
    for (const records of this.#kinds) records.clear();
  }

  /**
   * @param load reads a record of one kind; its errors are not cached
   * @returns reads a record of that kind from memory, or with `load`
   */
  reader<Value>(load: (id: string) => Promise<Value>): (id: string) => Promise<Value> {
    const records = new LRUCache<string, Promise<Value>>({ max: maximumRecords });
    this.#kinds.push(records);
    return (id) => {
      const known = records.get(id);
      if (known !== undefined) return known;
      const loading = load(id);
      if (this.#version === null) return loading;
      records.set(id, loading);
      loading.catch(() => {
        if (records.peek(id) === loading) records.delete(id);
      });
      return loading;
    };
  }
}
