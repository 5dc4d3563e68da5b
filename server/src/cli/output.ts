import { styleText } from 'node:util';
import { exitCodeOf, type Failure, linesOf } from './failure.ts';
import { printable } from './printable.ts';
import { hasColors, type Terminal } from './terminal.ts';

/**
 * What a command says: its result on the standard output, everything else on the standard error stream. With `--json`
 * there is one JSON document on the standard output, also when it failed, and at most warnings beside it.
 */
export class Output {
  readonly #terminal: Terminal;
  readonly isJson: boolean;

  constructor(terminal: Terminal, isJson: boolean) {
    this.#terminal = terminal;
    this.isJson = isJson;
  }

  /**
   * @param record the JSON document
   * @param lines the same for people; nothing is printed when there are none
   */
  result(record: object, lines: readonly string[]): void {
    if (this.isJson) this.#terminal.stdout.write(`${JSON.stringify(record)}\n`);
    else for (const line of lines) this.#terminal.stdout.write(`${printable(line)}\n`);
  }

  /** Tells people something that is not the result. */
  note(line: string): void {
    if (!this.isJson) this.#terminal.stderr.write(`${printable(line)}\n`);
  }

  /** Tells of something that went wrong beside what was done, in any case. */
  warn(line: string): void {
    this.#terminal.stderr.write(`warning: ${printable(line)}\n`);
  }

  /** @returns the exit code */
  failure(failure: Failure): number {
    const { stdout, stderr } = this.#terminal;
    if (this.isJson) stdout.write(`${JSON.stringify({ error: failure })}\n`);
    else if (failure.reason !== 'interrupted') {
      const prefix = hasColors(this.#terminal, stderr)
        ? styleText('red', 'error:', { validateStream: false })
        : 'error:';
      for (const line of linesOf(failure)) stderr.write(`${prefix} ${printable(line)}\n`);
    }
    return exitCodeOf(failure);
  }
}
