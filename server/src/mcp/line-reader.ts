import { StringDecoder } from 'node:string_decoder';

/** Longest line that is told, characters. */
const longestLine = 1000;
/** Most lines that are told within a window, and its length in milliseconds. */
const maximumLines = 60;
const windowMilliseconds = 60_000;

/** Tells the lines of a stream, and no more of them than anybody could want to read. */
export class LineReader {
  readonly #tell: (line: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';
  #windowEnd = 0;
  #told = 0;

  constructor(tell: (line: string) => void) {
    this.#tell = tell;
  }

  read(chunk: Buffer): void {
    const lines = (this.#rest + this.#decoder.write(chunk)).split('\n');
    // What does not end is not kept whole.
    this.#rest = (lines.pop() ?? '').slice(0, longestLine);
    for (const line of lines) this.line(line.trimEnd());
  }

  /** Tells a line that did not come from the stream. */
  line(line: string): void {
    if (line === '') return;
    const now = performance.now();
    if (now >= this.#windowEnd) {
      this.#windowEnd = now + windowMilliseconds;
      this.#told = 0;
    }
    this.#told += 1;
    if (this.#told <= maximumLines) this.#tell(line.slice(0, longestLine));
    else if (this.#told === maximumLines + 1) this.#tell('(more is left out)');
  }
}
