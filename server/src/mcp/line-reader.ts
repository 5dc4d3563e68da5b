import { StringDecoder } from 'node:string_decoder';

/** Longest line, characters. */
const longestLine = 1000;
/** Most lines within a window, and its length in milliseconds. */
const maximumLines = 60;
const windowMs = 60_000;

/** Emits the lines of a stream, with a rate limit. */
export class LineReader {
  readonly #emit: (line: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';
  #windowEnd = 0;
  #count = 0;

  constructor(emit: (line: string) => void) {
    this.#emit = emit;
  }

  read(chunk: Buffer): void {
    const lines = (this.#rest + this.#decoder.write(chunk)).split('\n');
    // An endless line is not buffered completely.
    this.#rest = (lines.pop() ?? '').slice(0, longestLine);
    for (const line of lines) this.line(line.trimEnd());
  }

  /** Emits a line from another source than the stream. */
  line(line: string): void {
    if (line === '') return;
    const now = performance.now();
    if (now >= this.#windowEnd) {
      this.#windowEnd = now + windowMs;
      this.#count = 0;
    }
    this.#count += 1;
    if (this.#count <= maximumLines) this.#emit(line.slice(0, longestLine));
    else if (this.#count === maximumLines + 1) this.#emit('(further output is dropped)');
  }
}
