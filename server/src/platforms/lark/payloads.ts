import type { Frame } from './frame.ts';

/** Events whose parts are kept at the same time, and bytes of one. The oldest incomplete one is dropped. */
const [mostIncomplete, mostBytes] = [64, 8 * 1024 * 1024];
/** Parts of one event. */
const mostParts = 256;

/** Joins the parts of events that come in several frames. */
export class Payloads {
  readonly #incomplete = new Map<string, (Uint8Array | undefined)[]>();

  /** @returns the payload of an event once it is complete, else null. @throws Error for parts that do not fit */
  add({ headers, payload }: Pick<Frame, 'headers' | 'payload'>): Uint8Array | null {
    const { message_id: id = '', sum = '1', seq = '0' } = headers;
    const [count, index] = [Number(sum), Number(seq)];
    if (!(count > 1)) return payload;
    if (count > mostParts || !Number.isInteger(count) || !Number.isInteger(index) || index < 0 || index >= count) {
      throw new Error('The parts of an event are numbered wrongly');
    }
    const parts = this.#incomplete.get(id) ?? Array.from<Uint8Array | undefined>({ length: count });
    if (parts.length !== count) throw new Error('The parts of an event are numbered wrongly');
    parts[index] = payload;
    this.#incomplete.set(id, parts);
    if (parts.reduce((sum, part) => sum + (part?.length ?? 0), 0) > mostBytes) {
      this.#incomplete.delete(id);
      throw new Error('An event is too large');
    }
    if (parts.every((part) => part !== undefined)) {
      this.#incomplete.delete(id);
      return Buffer.concat(parts as Uint8Array[]);
    }
    const [oldest] = this.#incomplete.keys();
    if (this.#incomplete.size > mostIncomplete && oldest !== undefined) this.#incomplete.delete(oldest);
    return null;
  }
}
