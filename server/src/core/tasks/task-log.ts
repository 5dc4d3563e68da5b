/** Lines that are kept of one task; the oldest go first. */
const maximumLines = 200;
const maximumLineLength = 1000;

/** What a task says about its progress, in lines. */
export class TaskLog {
  readonly #lines: string[] = [];

  add(action: string, message: string): void {
    const timestamp = new Date().toISOString().slice(0, 19).replace('T', ' ');
    this.#lines.push(`${timestamp} | ${oneLine(action)} | ${oneLine(message)}`.slice(0, maximumLineLength));
    if (this.#lines.length > maximumLines) this.#lines.shift();
  }

  get text(): string {
    return this.#lines.map((line) => `${line}\n`).join('');
  }
}

/** A message cannot begin a line of its own. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}
