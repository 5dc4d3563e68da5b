import { ParleyError } from '@parley/sdk';
import { wordsOf } from '../../lib/command-words.ts';

/** The process of a server. */
export interface CommandLine {
  command: string;
  args: readonly string[];
  /** Names and values of variables of its environment. */
  env: Readonly<Record<string, string>>;
}

/** An entry of the operator's list: a command line, and the variables that a record may set for it. */
export interface AllowedCommand {
  /** Literal words; ` *` at the end matches any further ones. Quotation marks group words. */
  readonly command: string;
  readonly variables: readonly string[];
}

/**
 * Refuses a command that the operator does not allow, or one with variables that the operator does not allow for it.
 * @throws ParleyError `mcp_command_not_allowed`, which names the entry that would allow it
 */
export function requireAllowedCommand(line: CommandLine, allowed: readonly AllowedCommand[]): void {
  const matching = allowed.filter(({ command }) => isAllowedLine(wordsOf(command) ?? [], line));
  const names = Object.keys(line.env);
  if (matching.some(({ variables }) => names.every((name) => variables.includes(name)))) return;
  const known = new Set(matching.flatMap(({ variables }) => variables));
  const what =
    matching.length === 0
      ? 'The operator of this server does not allow the command'
      : `The operator of this server does not allow the command to be given ${names.filter((name) => !known.has(name)).join(', ') || 'these variables together'}`;
  const entry = entryFor(line);
  throw new ParleyError(
    'mcp_command_not_allowed',
    `${what}. To allow it, add this entry to mcp_stdio_commands in parley.yaml and restart: ${entry}`,
    { details: [{ path: 'mcp_stdio_commands', message: entry }] },
  );
}

/** The entry that allows exactly a command with its variables, as YAML. */
export function entryFor({ command, args, env }: CommandLine): string {
  const line = JSON.stringify([command, ...args].map(quoted).join(' '));
  const names = Object.keys(env);
  return names.length === 0 ? `- ${line}` : `- {command: ${line}, variables: [${names.join(', ')}]}`;
}

/** Whether a record may set a variable of this name. The operator's rules decide which ones. */
export function isVariableName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

function isAllowedLine(words: readonly { text: string; isQuoted: boolean }[], { command, args }: CommandLine): boolean {
  const last = words.at(-1);
  const takesMore = words.length > 1 && last?.text === '*' && !last.isQuoted;
  const fixed = takesMore ? words.slice(0, -1) : words;
  const line = [command, ...args];
  if (takesMore ? line.length < fixed.length : line.length !== fixed.length) return false;
  return fixed.every(({ text }, index) => text === line[index]);
}

/** A word in the syntax of an entry. */
function quoted(word: string): string {
  if (word !== '*' && /^[^\s'"]+$/.test(word)) return word;
  return (
    word
      .split(/(')/)
      .filter((part) => part !== '')
      .map((part) => (part === "'" ? `"'"` : `'${part}'`))
      .join('') || "''"
  );
}
