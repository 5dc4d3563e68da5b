import { randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { CommandError } from '../command-error.ts';
import { type CommandContext, readConfig } from '../context.ts';
import { examples } from '../examples.ts';
import { readInput, readSecretLine } from '../read-input.ts';

/** How long the server may take to hand a message to a platform. */
const timeoutMs = 120_000;

interface SendOptions {
  bot: string;
  to: 'person' | 'group';
  id: string;
  url?: string;
  idempotencyKey?: string;
  apiKeyStdin?: true;
}

/** A message from a script, through a server that runs. */
export function addSendCommand(program: Command, context: CommandContext): void {
  program
    .command('send')
    .description('send a message through a bot of a running server; the API key comes from PARLEY_API_KEY')
    .argument('[text]', 'the message (default: standard input)')
    .requiredOption('--bot <uuid>', 'the bot')
    .addOption(new Option('--to <kind>', 'the kind of target').choices(['person', 'group']).makeOptionMandatory())
    .requiredOption('--id <target>', 'the id of the user or group on the platform')
    .option('--url <address>', 'address of the server with its base path (default: as the settings say)', serverAddress)
    .option(
      '--idempotency-key <key>',
      'the same key again repeats a call without sending twice (default: a new one)',
      idempotencyKeyText,
    )
    .option('--api-key-stdin', 'read the API key from the standard input; the message is then an argument')
    .addHelpText(
      'after',
      examples(
        './parley send --bot 0198… --to group --id -100123 "The build is green"',
        'df -h | ./parley send --bot 0198… --to person --id alice --url https://chat.example.com',
      ),
    )
    .action(async (argument: string | undefined, options: SendOptions) => {
      const { output } = context;
      const apiKey = await givenApiKey(context, options, argument);
      const text = argument ?? (await messageFromInput(context));
      if (text === '') throw new CommandError('invalid_usage', 'the message is empty');
      const url = options.url ?? (await addressFromSettings(context));
      const idempotencyKey = options.idempotencyKey ?? randomUUID();
      const { createParleyClient } = await import('@parley/client');
      const parley = createParleyClient({
        baseUrl: url,
        token: apiKey,
        fetch: (request) => fetch(request, { signal: AbortSignal.timeout(timeoutMs) }),
      });
      const answer: { sent?: unknown } | undefined = await parley
        .post('/api/v1/platform/bots/{bot_uuid}/send_message', {
          params: { path: { bot_uuid: options.bot } },
          headers: { 'Idempotency-Key': idempotencyKey },
          body: { target_type: options.to, target_id: options.id, message_chain: [{ type: 'Plain', text }] },
        })
        .catch((error: unknown) => {
          throw explained(error, url, idempotencyKey);
        });
      if (answer?.sent !== true) throw foreignServer(url);
      output.note('The message is sent.');
      output.result({ sent: true, idempotency_key: idempotencyKey }, []);
    });
}

/** A key is never an argument, since others on the machine can read those. */
async function givenApiKey(
  { terminal }: CommandContext,
  { apiKeyStdin }: SendOptions,
  text: string | undefined,
): Promise<string> {
  if (apiKeyStdin) {
    if (text === undefined) {
      throw new CommandError('invalid_usage', 'with --api-key-stdin the message must be an argument');
    }
    return headerValue(await readSecretLine(terminal.stdin, 'the API key'), 'the API key on the standard input');
  }
  const key = terminal.environment.PARLEY_API_KEY?.trim();
  if (!key) throw new CommandError('invalid_usage', 'no API key; set PARLEY_API_KEY or use --api-key-stdin');
  return headerValue(key, 'PARLEY_API_KEY');
}

async function messageFromInput({ terminal }: CommandContext): Promise<string> {
  if (terminal.stdin.isTTY) {
    throw new CommandError('invalid_usage', 'no message; pass it as an argument or on standard input');
  }
  return readInput(terminal.stdin, 'the message');
}

/** The server of the settings, as it is reached from its own machine. */
async function addressFromSettings(context: CommandContext): Promise<string> {
  const { host, port, basePath } = await readConfig(context);
  if (port === 0) {
    throw new CommandError('invalid_usage', 'the settings leave the port to the system; use --url to name the server');
  }
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}${basePath}`;
}

function serverAddress(text: string): string {
  const url = URL.parse(text);
  const isPlain = url !== null && `${url.username}${url.password}${url.search}${url.hash}` === '';
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError('It must be an http:// or https:// address without account, query or fragment.');
  }
  return url.href.replace(/\/+$/, '');
}

function idempotencyKeyText(text: string): string {
  if (!/^[\x21-\x7e]{1,255}$/.test(text)) {
    throw new InvalidArgumentError('It must be 1 to 255 printable ASCII characters without spaces.');
  }
  return text;
}

/** Checked here, because the error for a header that cannot be sent quotes it. */
function headerValue(secret: string, what: string): string {
  if (!/^[\x21-\x7e]+$/.test(secret)) throw new CommandError('invalid_usage', `${what} is not an API key`);
  return secret;
}

function explained(error: unknown, url: string, idempotencyKey: string): unknown {
  if (!(error instanceof Error)) return error;
  const { reason } = error as { reason?: unknown };
  // Other errors than the client's own are about a response that it could not read.
  if (typeof reason !== 'string') return foreignServer(url, error);
  if (reason !== 'unreachable') return error;
  const again = `--idempotency-key ${idempotencyKey} tries again without sending twice`;
  const message = `the server at ${url} cannot be reached${because(error.cause)}; ${again}`;
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

function foreignServer(url: string, cause?: unknown): CommandError {
  return new CommandError('failed', `what answers at ${url} is not a Parley server`, { cause });
}
