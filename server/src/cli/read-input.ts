import { CommandError } from './command-error.ts';
import type { TerminalInput } from './terminal.ts';

/** More than any message or password that would be taken. */
const maximumBytes = 4 * 1024 * 1024;

/**
 * Reads a stream to its end, without the trailing line break.
 * @param what names the input in errors; the text itself is never in one
 */
export async function readInput(stdin: TerminalInput, what: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    bytes += chunk.length;
    if (bytes > maximumBytes) throw new CommandError('invalid_usage', `${what} on the standard input is too long`);
    chunks.push(Buffer.from(chunk));
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)).replace(/\r?\n$/, '');
  } catch (error) {
    throw new CommandError('invalid_usage', `${what} on the standard input is not UTF-8 text`, { cause: error });
  }
}

/** As {@link readInput}, for a secret, which is one line. */
export async function readSecretLine(stdin: TerminalInput, what: string): Promise<string> {
  const line = await readInput(stdin, what);
  if (line === '') throw new CommandError('invalid_usage', `${what} on the standard input is empty`);
  if (/[\r\n]/.test(line)) throw new CommandError('invalid_usage', `${what} on the standard input has several lines`);
  return line;
}
