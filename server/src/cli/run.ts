import { CommanderError } from 'commander';
import { CommandError } from './command-error.ts';
import type { CommandContext } from './context.ts';
import { failureOf } from './failure.ts';
import { Output } from './output.ts';
import { createProgram } from './program.ts';
import type { Terminal } from './terminal.ts';

/**
 * Runs one command.
 * @param args the arguments after the program name
 * @returns the exit code: 0 done, 1 failed, 2 wrong usage, 130 interrupted
 */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const output = new Output(terminal, wantsJson(args));
  const context: CommandContext = { terminal, output, exitCode: 0 };
  const program = createProgram(context);
  try {
    await program.parseAsync(args, { from: 'user' });
    return context.exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) return output.failure(failureOf(error));
    // Help or version was requested and printed.
    if (error.exitCode === 0) return 0;
    // A command group without a command; its help is printed as text.
    if (error.code === 'commander.help' && !output.isJson) return 2;
    return output.failure(failureOf(usageError(error)));
  }
}

/** Read before the arguments are parsed, since parsing may fail. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? args.length : end).includes('--json');
}

function usageError({ code, message }: CommanderError): CommandError {
  if (code === 'commander.help') return new CommandError('invalid_usage', 'a command is missing; --help lists them');
  const text = message.replace(/^error: /, '').replaceAll('\n', ' ');
  // The parser quotes surplus arguments, and one of them may be a password.
  const cut = code === 'commander.excessArguments' ? text.replace(/( but got \d+): .*$/, '$1.') : text;
  return new CommandError('invalid_usage', cut);
}
