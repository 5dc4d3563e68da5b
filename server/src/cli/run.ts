import { CommanderError } from 'commander';
import { CommandError } from './command-error.ts';
import type { CommandContext } from './context.ts';
import { failureOf } from './failure.ts';
import { Output } from './output.ts';
import { createProgram } from './program.ts';
import type { Terminal } from './terminal.ts';

/**
 * Runs one command.
 * @param args what stands after the name of the program
 * @returns the exit code: 0 done, 1 failed, 2 called in a wrong way, 130 interrupted
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
    // The help or the version was asked for and is printed.
    if (error.exitCode === 0) return 0;
    // A group of commands was named and none of them; its help is printed, for people.
    if (error.code === 'commander.help' && !output.isJson) return 2;
    return output.failure(failureOf(usageError(error)));
  }
}

/** Looked at before the arguments are parsed, since they may turn out to be wrong. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? args.length : end).includes('--json');
}

function usageError({ code, message }: CommanderError): CommandError {
  if (code === 'commander.help') return new CommandError('invalid_usage', 'a command is missing; --help lists them');
  const text = message.replace(/^error: /, '').replaceAll('\n', ' ');
  // The parser quotes the arguments that are too many, and somebody may have tried to give a password as one.
  const cut = code === 'commander.excessArguments' ? text.replace(/( but got \d+): .*$/, '$1.') : text;
  return new CommandError('invalid_usage', cut);
}
