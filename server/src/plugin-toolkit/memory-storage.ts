import { ParleyError } from '@parley/sdk';
import type { EffectKey, HostEffects } from '../core/plugins/effect-key.ts';
import { maximumStoredBytes, type PluginValues } from '../core/plugins/plugin-values.ts';

/** What one plugin stores, in memory, with the limits of the storage of a server. */
export class MemoryStorage implements PluginValues, HostEffects {
  readonly #values = new Map<string, string>();

  async get(_id: string, key: string): Promise<string | null> {
    return this.#values.get(key) ?? null;
  }

  async set(_id: string, key: string, value: string): Promise<void> {
    const before = this.#values.get(key) ?? '';
    let bytes = key.length + value.length - before.length;
    for (const [name, text] of this.#values) bytes += name.length + text.length;
    if (bytes > maximumStoredBytes) throw new ParleyError('plugin_storage_full', 'The storage of the plugin is full');
    this.#values.set(key, value);
  }

  async delete(_id: string, key: string): Promise<void> {
    this.#values.delete(key);
  }

  async keys(
    _id: string,
    { prefix, after, limit }: { prefix: string; after: string; limit: number },
  ): Promise<string[]> {
    const found = [...this.#values.keys()].filter((key) => key.startsWith(prefix) && key > after);
    return found.sort().slice(0, limit);
  }

  async removeAll(): Promise<void> {
    this.#values.clear();
  }

  async beginSend(): Promise<null> {
    return null;
  }

  async endSend(): Promise<void> {}

  async add(_key: EffectKey | null, { plugin_id, key, amount }: Parameters<HostEffects['add']>[1]): Promise<number> {
    const before: unknown = JSON.parse(this.#values.get(key) ?? '0');
    if (typeof before !== 'number') throw new ParleyError('conflict', `The value of ${key} is no number`);
    await this.set(plugin_id, key, JSON.stringify(before + amount));
    return before + amount;
  }
}
