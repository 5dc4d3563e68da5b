import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { run } from '../../src/cli/run.ts';
import type { TerminalInput, TerminalOutput } from '../../src/cli/terminal.ts';

export interface TestCommandOptions {
  environment?: Record<string, string>;
  workingDirectory?: string;
  /** What comes in on the standard input, which ends after it; as it is typed when `typed` is set. */
  input?: string | Buffer;
  /** An interactive terminal. */
  typed?: boolean;
}

/** What a command left behind. */
export interface TestCommandEnd {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs one command in this process, away from its environment and its streams. */
export async function runCommand(args: readonly string[], options: TestCommandOptions = {}): Promise<TestCommandEnd> {
  const { environment = {}, workingDirectory = '/', input = '', typed = false } = options;
  const stdin: PassThrough & TerminalInput = new PassThrough();
  const stdout: PassThrough & TerminalOutput = new PassThrough();
  const stderr: PassThrough & TerminalOutput = new PassThrough();
  for (const stream of [stdin, stdout, stderr]) stream.isTTY = typed;
  stdin.end(input);
  const printed = Promise.all([text(stdout), text(stderr)]);
  const code = await run(args, {
    environment: { PARLEY_CONFIG_FILE: '/dev/null', ...environment },
    workingDirectory,
    stdin,
    stdout,
    stderr,
  });
  stdout.end();
  stderr.end();
  const [out, err] = await printed;
  return { code, stdout: out, stderr: err };
}
