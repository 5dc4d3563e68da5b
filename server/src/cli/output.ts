import { styleText } from 'node:util';
import { exitCodeOf, type Failure, linesOf } from './failure.ts';
import { printable } from './printable.ts';
import { hasColors, type Terminal } from './terminal.ts';

/**
 * Output of a command: its result on standard output, everything else on standard error. With `--json`, standard output
 * has one JSON document, also after a failure, and standard error at most warnings.
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
   * @param lines the same as text; nothing is printed when empty
   */
  result(record: object, lines: readonly string[]): void {
    if (this.isJson) this.#terminal.stdout.write(`${JSON.stringify(record)}\n`);
    else for (const line of lines) this.#terminal.stdout.write(`${printable(line)}\n`);
  }

  /** Prints a note for the user that is not part of the result. */
  note(line: string): void {
    if (!this.isJson) this.#terminal.stderr.write(`${printable(line)}\n`);
  }

  /** Prints a warning, with `--json` too. */
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
