import { InvalidArgumentError } from 'commander';
import { CommandError } from './command-error.ts';
import { type CommandContext, readConfig } from './context.ts';
import { readSecretLine } from './read-input.ts';

/** The API key of the environment or the standard input: never an argument, since others on the machine can read those. */
export async function givenApiKey({ terminal }: CommandContext, fromInput: boolean): Promise<string> {
  if (fromInput) {
    return headerValue(await readSecretLine(terminal.stdin, 'the API key'), 'the API key on the standard input');
  }
  const key = terminal.environment.PARLEY_API_KEY?.trim();
  if (!key) throw new CommandError('invalid_usage', 'no API key; set PARLEY_API_KEY or use --api-key-stdin');
  return headerValue(key, 'PARLEY_API_KEY');
}

/** The server of the settings, as it is reached from its own machine. */
export async function addressFromSettings(context: CommandContext): Promise<string> {
  const { host, port, basePath } = await readConfig(context);
  if (port === 0) {
    throw new CommandError('invalid_usage', 'the settings leave the port to the system; use --url to name the server');
  }
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}${basePath}`;
}

/** An option with the address of a server. */
export function serverAddress(text: string): string {
  const url = URL.parse(text);
  const isPlain = url !== null && `${url.username}${url.password}${url.search}${url.hash}` === '';
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError('It must be an http:// or https:// address without account, query or fragment.');
  }
  return url.href.replace(/\/+$/, '');
}

/** Checked here, because the error for a header that cannot be sent quotes it. */
function headerValue(secret: string, what: string): string {
  if (!/^[\x21-\x7e]+$/.test(secret)) throw new CommandError('invalid_usage', `${what} is not an API key`);
  return secret;
}

/** An error of a call to a server, as the user has to read it. @param advice what to do when it cannot be reached */
export function explained(error: unknown, url: string, advice = ''): unknown {
  if (!(error instanceof Error)) return error;
  const { reason } = error as { reason?: unknown };
  // Other errors than the client's own are about a response that it could not read.
  if (typeof reason !== 'string') return foreignServer(url, error);
  if (reason !== 'unreachable') return error;
  const message = `the server at ${url} cannot be reached${because(error.cause)}${advice}`;
  return Object.assign(new Error(message, { cause: error }), { reason });
}

function because(cause: unknown): string {
  if (!(cause instanceof Error)) return '';
  if (cause.name === 'TimeoutError') return ' (no answer in time)';
  // `fetch` only reports that it failed; the cause says why.
  const inner = cause.cause instanceof Error ? cause.cause : cause;
  const { code } = inner as { code?: unknown };
  return ` (${typeof code === 'string' ? code : inner.message})`;
}

export function foreignServer(url: string, cause?: unknown): CommandError {
  return new CommandError('failed', `what answers at ${url} is not a Parley server`, { cause });
}
