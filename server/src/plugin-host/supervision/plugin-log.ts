import { StringDecoder } from 'node:string_decoder';
import type { PluginLogLine } from '../../core/plugins/plugin-caller.ts';
import { now } from '../../lib/clock.ts';

/** Lines that are kept. */
const keptLines = 1000;
/** Characters of a line. */
const longestLine = 10_000;
/** Lines within a second; further ones are counted only. */
const linesPerSecond = 200;

/** The latest lines of the log of a plugin, in memory. */
export class PluginLog {
  readonly #lines: PluginLogLine[] = [];
  #second = 0;
  #count = 0;
  /** Says how many lines were dropped within this second; null when none was. */
  #dropped: PluginLogLine | null = null;

  /** Oldest first. */
  get lines(): readonly PluginLogLine[] {
    return this.#lines;
  }

  add(level: PluginLogLine['level'], text: string): void {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#count = 0;
      this.#dropped = null;
    }
    this.#count += 1;
    if (this.#count <= linesPerSecond) this.#keep(level, text.slice(0, longestLine));
    else {
      this.#dropped ??= this.#keep('warn', '');
      this.#dropped.text = `${this.#count - linesPerSecond} more lines within a second were dropped`;
    }
  }

  /** Adds what a process writes to its standard error, line by line. */
  reader(): (chunk: Buffer) => void {
    const decoder = new StringDecoder('utf8');
    let rest = '';
    return (chunk) => {
      const lines = (rest + decoder.write(chunk)).split('\n');
      // An endless line is not buffered completely.
      rest = (lines.pop() ?? '').slice(0, longestLine);
      for (const line of lines) if (line.trim() !== '') this.add('info', line.trimEnd());
    };
  }

  #keep(level: PluginLogLine['level'], text: string): PluginLogLine {
    const line = { at: now(), level, text };
    this.#lines.push(line);
    if (this.#lines.length > keptLines) this.#lines.shift();
    return line;
  }
}
