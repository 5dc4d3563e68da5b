import { stripVTControlCharacters } from 'node:util';
import type { LogPage } from './log-page.ts';

const linesOfPage = 20;
const maximumPages = 10;
/** Longest stored line, characters. */
const longestLine = 4000;

/** What programs that read such lines call the levels. */
const levelNames: Record<string, string> = { trace: 'DEBUG', warn: 'WARNING', fatal: 'CRITICAL' };

/** Every character that would end a line or steer a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to be replaced
const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/**
 * The last lines that this process logged, in memory: the last ten pages of twenty lines. Pages are numbered from the
 * start of the process on.
 */
export class RecentLogs {
  readonly #lines: string[] = [];
  /** How many lines there were, those that are forgotten included. */
  #total = 0;

  /** @param entry one object of the log, as JSON text */
  write(entry: string): void {
    this.#lines.push(toLine(entry));
    this.#total += 1;
    // Whole pages go, so that a page that is there is complete.
    if (this.#lines.length > linesOfPage * maximumPages) this.#lines.splice(0, linesOfPage);
  }

  /**
   * The lines after a cursor. The end of one response is the start of the next. A cursor that was dropped, or is from
   * another process, starts at the oldest line.
   */
  read(pageNumber: number, offset: number): LogPage {
    const start = pageNumber * linesOfPage + Math.min(offset, linesOfPage);
    const oldest = this.#total - this.#lines.length;
    const from = start < oldest || start > this.#total ? oldest : start;
    const lastPage = Math.max(0, Math.ceil(this.#total / linesOfPage) - 1);
    return {
      logs: this.#lines
        .slice(from - oldest)
        .map((line) => `${line}\n`)
        .join(''),
      end_page_number: lastPage,
      end_offset: this.#total - lastPage * linesOfPage,
    };
  }
}

interface Entry {
  time?: string;
  level?: string;
  source?: string;
  msg?: string;
  [field: string]: unknown;
}

function toLine(entry: string): string {
  const { time = '', level = 'info', source = '', msg = '', ...fields } = JSON.parse(entry) as Entry;
  const [, timestamp = ''] = /^\d+-(.*)Z$/.exec(time) ?? [];
  const [, file = source, line = '0'] = /^(.*):(\d+)$/.exec(source) ?? [];
  const details = Object.entries(fields).map(([name, value]) => ` ${name}=${inWords(value)}`);
  const levelName = levelNames[level] ?? level.toUpperCase();
  const text = `[${timestamp.replace('T', ' ')}] ${file} (${line}) - [${levelName}] : ${msg}${details.join('')}`;
  return stripVTControlCharacters(text.slice(0, longestLine)).replace(control, escaped);
}

/** Only the messages of errors; their stacks are in the log itself. */
function inWords(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const { type, message } = value as { type?: unknown; message?: unknown };
  return typeof message === 'string' ? `${String(type ?? 'Error')}: ${message}` : JSON.stringify(value);
}

function escaped(character: string): string {
  if (character === '\n') return '\\n';
  return character === '\t' ? ' ' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
