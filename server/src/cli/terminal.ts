import type { Readable, Writable } from 'node:stream';

/** The input and output of a command. It is passed in, so that nothing else reads the process. */
export interface Terminal {
  environment: Readonly<Record<string, string | undefined>>;
  workingDirectory: string;
  stdin: TerminalInput;
  stdout: TerminalOutput;
  stderr: TerminalOutput;
}

export interface TerminalInput extends Readable {
  /** True when the input is a terminal. */
  isTTY?: boolean | undefined;
}

export interface TerminalOutput extends Writable {
  /** True when the output is a terminal. */
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

/** Whether to write colours, by the convention of https://no-color.org. */
export function hasColors({ environment }: Terminal, output: TerminalOutput): boolean {
  return output.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb';
}
