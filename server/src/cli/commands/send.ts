import { randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { CommandError } from '../command-error.ts';
import type { CommandContext } from '../context.ts';
import { examples } from '../examples.ts';
import { readInput } from '../read-input.ts';
import { addressFromSettings, explained, foreignServer, givenApiKey, serverAddress } from '../server-connection.ts';

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
      const isKeyGiven = options.apiKeyStdin === true;
      if (isKeyGiven && argument === undefined) {
        throw new CommandError('invalid_usage', 'with --api-key-stdin the message must be an argument');
      }
      const apiKey = await givenApiKey(context, isKeyGiven);
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
          throw explained(error, url, `; --idempotency-key ${idempotencyKey} tries again without sending twice`);
        });
      if (answer?.sent !== true) throw foreignServer(url);
      output.note('The message is sent.');
      output.result({ sent: true, idempotency_key: idempotencyKey }, []);
    });
}

async function messageFromInput({ terminal }: CommandContext): Promise<string> {
  if (terminal.stdin.isTTY) {
    throw new CommandError('invalid_usage', 'no message; pass it as an argument or on standard input');
  }
  return readInput(terminal.stdin, 'the message');
}

function idempotencyKeyText(text: string): string {
  if (!/^[\x21-\x7e]{1,255}$/.test(text)) {
    throw new InvalidArgumentError('It must be 1 to 255 printable ASCII characters without spaces.');
  }
  return text;
}
