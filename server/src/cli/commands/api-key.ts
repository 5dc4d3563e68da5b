import { type Command, InvalidArgumentError } from 'commander';
import type { ApiKey } from '../../administration.ts';
import { administer, type CommandContext, readConfig } from '../context.ts';
import { examples } from '../examples.ts';
import { table } from '../table.ts';

interface CreateOptions {
  scope?: string[];
  expiresAt?: string;
  description?: string;
}

/** Credentials of programs. */
export function addApiKeyCommands(program: Command, context: CommandContext): void {
  const apiKey = program.command('api-key').description('make, list and revoke API keys');

  apiKey
    .command('create')
    .description('make an API key and print it, once')
    .argument('<name>', 'a name that says what it is for')
    .option(
      '--scope <scope>',
      'scope of the key: read, write, send or admin; repeatable (default: read, write and send)',
      (scope: string, before: string[] = []) => [...before, scope],
    )
    .option('--expires-at <timestamp>', 'timestamp such as 2027-01-31T00:00:00Z (default: never)')
    .option('--description <text>', 'more about it')
    .addHelpText(
      'after',
      examples(
        './parley api-key create "nightly report" --scope read --scope send',
        'export PARLEY_API_KEY=$(./parley api-key create deploy --expires-at 2027-01-31T00:00:00Z)',
      ),
    )
    .action(async (name: string, { scope, expiresAt, description }: CreateOptions) => {
      const config = await readConfig(context);
      const key = await administer(context, config, (administration) =>
        administration.createApiKey({
          name,
          ...(scope === undefined ? {} : { scopes: scope }),
          ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
          ...(description === undefined ? {} : { description }),
        }),
      );
      context.output.note(`The API key ${key.id} is made. It is shown this once.`);
      context.output.result({ key }, [key.key]);
    });

  apiKey
    .command('list')
    .description('list API keys, masked')
    .addHelpText('after', examples('./parley api-key list', './parley api-key list --json'))
    .action(async () => {
      const config = await readConfig(context);
      const keys = await administer(context, config, (administration) => administration.listApiKeys());
      if (keys.length === 0) context.output.note('There are no API keys.');
      context.output.result({ keys }, keys.length === 0 ? [] : table(headings, keys.map(cells)));
    });

  apiKey
    .command('revoke')
    .description('revoke an API key immediately')
    .argument('<id>', 'its number in the list', identifier)
    .addHelpText('after', examples('./parley api-key revoke 3'))
    .action(async (id: number) => {
      const config = await readConfig(context);
      await administer(context, config, (administration) => administration.revokeApiKey(id));
      context.output.note(`The API key ${id} is revoked.`);
      context.output.result({ revoked: id }, []);
    });
}

const headings = ['ID', 'KEY', 'SCOPES', 'BELONGS TO', 'EXPIRES', 'LAST USED', 'NAME'];

function cells(key: ApiKey): string[] {
  return [
    String(key.id),
    key.key,
    key.scopes.join(','),
    key.account_name ?? 'installation',
    key.expires_at ?? 'never',
    key.last_used_at ?? 'never',
    key.description === '' ? key.name : `${key.name} (${key.description})`,
  ];
}

/** The id range of a database. */
function identifier(text: string): number {
  const number = Number(text);
  if (!/^\d{1,10}$/.test(text) || number < 1 || number > 2_147_483_647) {
    throw new InvalidArgumentError('It is not a number from the list.');
  }
  return number;
}
