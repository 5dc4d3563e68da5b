import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CommandError } from './command-error.ts';
import type { Terminal } from './terminal.ts';

/** Prompts for a new password twice, without echo. */
export async function askNewPassword({ stdin, stderr }: Terminal): Promise<string> {
  if (!stdin.isTTY || !stderr.isTTY) {
    throw new CommandError(
      'invalid_usage',
      'no terminal to prompt for the password; use --password-stdin or --generate-password',
    );
  }
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: stdin, output: nowhere, terminal: true, historySize: 0 });
  let interrupted = false;
  reader.on('SIGINT', () => {
    interrupted = true;
    reader.close();
  });
  // One iterator for both prompts: it buffers input that was typed ahead.
  const lines = reader[Symbol.asyncIterator]();
  const ask = async (question: string): Promise<string> => {
    stderr.write(question);
    const { value, done } = await lines.next();
    stderr.write('\n');
    if (interrupted) throw new CommandError('interrupted', 'interrupted');
    if (done) throw new CommandError('failed', 'no password was given');
    return value;
  };
  try {
    const password = await ask('Password: ');
    if ((await ask('Password again: ')) !== password) {
      throw new CommandError('failed', 'the two passwords are not the same');
    }
    return password;
  } finally {
    reader.close();
  }
}
