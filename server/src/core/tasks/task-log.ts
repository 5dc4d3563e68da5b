import { now } from '../../lib/clock.ts';

/** Stored lines of one task; the oldest are dropped. */
const maximumLines = 200;
const maximumLineLength = 1000;

/** Log lines of a task about its progress. */
export class TaskLog {
  readonly #lines: string[] = [];

  add(action: string, message: string): void {
    const timestamp = now().slice(0, 19).replace('T', ' ');
    this.#lines.push(`${timestamp} | ${oneLine(action)} | ${oneLine(message)}`.slice(0, maximumLineLength));
    if (this.#lines.length > maximumLines) this.#lines.shift();
  }

  get text(): string {
    return this.#lines.map((line) => `${line}\n`).join('');
  }
}

/** A message cannot start a separate line. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}
