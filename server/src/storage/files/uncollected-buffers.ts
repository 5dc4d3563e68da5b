/** After so many bytes of all uploads, the buffers that they came in are collected. */
const collectionBytes = 8 * 1024 * 1024;

/**
 * The buffers that sockets read into are outside of the heap: V8 lets many MB of them pile up before it looks for those
 * that are free. A minor collection takes a millisecond. Only with `--expose-gc`, as the service is started.
 */
class UncollectedBuffers {
  #bytes = 0;

  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < collectionBytes) return;
    this.#bytes = 0;
    globalThis.gc?.({ type: 'minor', execution: 'sync' });
  }
}

export const uncollectedBuffers = new UncollectedBuffers();
