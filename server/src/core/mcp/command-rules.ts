import { ParleyError } from '@parley/sdk';

/** The command of a server, as it is started. */
export interface CommandLine {
  command: string;
  args: readonly string[];
}

/**
 * Refuses a command that the operator does not allow.
 * @param allowed command lines, word for word, or single words: names of commands that may be given any arguments
 * @throws ParleyError `mcp_command_not_allowed`
 */
export function requireAllowedCommand({ command, args }: CommandLine, allowed: readonly string[]): void {
  const line = [command, ...args];
  const isAllowed = allowed.some((entry) => {
    const words = entry.trim().split(/\s+/);
    return words.length === 1 ? words[0] === command : isSame(words, line);
  });
  if (isAllowed) return;
  throw new ParleyError(
    'mcp_command_not_allowed',
    'The operator of this server does not allow the command; see the setting mcp_stdio_commands',
  );
}

/**
 * Variables by which an allowed command would run what the operator never allowed. Whoever writes a record may set any
 * other, so an allowed command has to be one that may be trusted with them.
 */
const takenVariables = [
  /^PATH$/i,
  /^(LD|DYLD|_RLD)_/i,
  /^NODE_(OPTIONS|PATH|EXTRA_CA_CERTS)$/i,
  /^(BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PS4|IFS|BASH_FUNC_.*)$/i,
  /^PYTHON(PATH|HOME|STARTUP|INSPECT|BREAKPOINT|WARNINGS|USERBASE)$/i,
  /^(PERL5OPT|PERL5LIB|PERL5DB|RUBYOPT|RUBYLIB|LUA_INIT.*|LUA_C?PATH.*)$/i,
  /^(JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|DOTNET_STARTUP_HOOKS)$/i,
  /^(NPM_CONFIG_|UV_|PIP_|GIT_|DENO_|BUN_)/i,
  /^(GCONV_PATH|LOCPATH|GLIBC_TUNABLES|PAGER|EDITOR|VISUAL|BROWSER)$/i,
];

/** Whether a record may set a variable of the environment: a name that is one, and that does not choose what is run. */
export function mayBeSet(variable: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(variable) && !takenVariables.some((pattern) => pattern.test(variable));
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((word, index) => word === right[index]);
}
