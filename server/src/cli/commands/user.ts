import { randomBytes } from 'node:crypto';
import { Argument, type Command, Option } from 'commander';
import type { AccountRecord, AdministeredAccount, Administration } from '../../administration.ts';
import { askNewPassword } from '../ask-password.ts';
import { administer, type CommandContext, readConfig } from '../context.ts';
import { examples } from '../examples.ts';
import { readSecretLine } from '../read-input.ts';
import { table } from '../table.ts';

/** Roles of a new account. */
interface RoleOption {
  role: string;
}

interface PasswordOptions {
  passwordStdin?: true;
  generatePassword?: true;
}

/** Accounts of users. */
export function addUserCommands(program: Command, context: CommandContext): void {
  const user = program
    .command('user')
    .description(
      'make, list and delete accounts, set their roles, reset their passwords and disable their second factors',
    );

  for (const add of [addCreate, addResetPassword, addSetRole, addDisableTotp, addList, addDelete]) add(user, context);
}

function addCreate(user: Command, context: CommandContext): void {
  withPassword(user.command('create'))
    .description('make an account, the first one or a further one, and print its recovery key, once')
    .argument('<name>', 'e-mail address or name to sign in with')
    .addOption(roleOption())
    .addHelpText(
      'after',
      examples(
        './parley user create admin@example.com',
        './parley user create bob@example.com --role member --generate-password',
        './parley user create admin@example.com --password-stdin < password.txt',
      ),
    )
    .action(async (name: string, options: PasswordOptions & RoleOption) => {
      const { account, password } = await change(context, options, (administration, given) =>
        administration.createAccount(name, given, options.role),
      );
      report(context, account, password, `The account ${account.user} (${account.role}) is made.`);
    });
}

function addResetPassword(user: Command, context: CommandContext): void {
  withPassword(user.command('reset-password'))
    .description('set a new password, end all sessions of the account and print its new recovery key, once')
    .argument('<name>', 'the account')
    .addHelpText(
      'after',
      examples(
        './parley user reset-password admin@example.com',
        './parley user reset-password admin@example.com --generate-password',
      ),
    )
    .action(async (name: string, options: PasswordOptions) => {
      const { account, password } = await change(context, options, (administration, given) =>
        administration.resetPassword(name, given),
      );
      report(context, account, password, `The password of ${account.user} is set and its sessions have ended.`);
    });
}

function addSetRole(user: Command, context: CommandContext): void {
  user
    .command('set-role')
    .description('set the role of an account, effective immediately; never of the last admin')
    .argument('<name>', 'the account')
    .addArgument(new Argument('<role>', roles).choices(['admin', 'member']))
    .addHelpText('after', examples('./parley user set-role bob@example.com member'))
    .action(async (name: string, role: string) => {
      const config = await readConfig(context);
      const account = await administer(context, config, (administration) => administration.setRole(name, role));
      context.output.note(`The account ${account.user} is ${account.role === 'admin' ? 'an admin' : 'a member'} now.`);
      context.output.result({ user: account }, []);
    });
}

function addDisableTotp(user: Command, context: CommandContext): void {
  user
    .command('disable-totp')
    .description(
      'let an account sign in with its password alone, when its authenticator app and recovery codes are lost',
    )
    .argument('<name>', 'the account')
    .addHelpText('after', examples('./parley user disable-totp bob@example.com'))
    .action(async (name: string) => {
      const config = await readConfig(context);
      const account = await administer(context, config, (administration) => administration.disableSecondFactor(name));
      context.output.note(`The account ${account.user} signs in with its password alone.`);
      context.output.result({ user: account }, []);
    });
}

function addList(user: Command, context: CommandContext): void {
  user
    .command('list')
    .description('list the accounts, what each may do, when each signed in last, and how many API keys it has')
    .addHelpText('after', examples('./parley user list', './parley user list --json'))
    .action(async () => {
      const config = await readConfig(context);
      const users = await administer(context, config, (administration) => administration.listAccounts());
      if (users.length === 0) context.output.note('There are no accounts.');
      context.output.result({ users }, users.length === 0 ? [] : table(headings, users.map(cells)));
    });
}

function addDelete(user: Command, context: CommandContext): void {
  user
    .command('delete')
    .description('delete an account with its sessions and its API keys immediately; never the last admin')
    .argument('<name>', 'the account')
    .addOption(new Option('--keep-keys', 'keep its API keys as keys of the installation instead').conflicts('keysTo'))
    .option('--keys-to <name>', 'hand its API keys to this account instead')
    .addHelpText(
      'after',
      examples(
        './parley user delete bob@example.com',
        './parley user delete bob@example.com --keys-to ada@example.com',
      ),
    )
    .action(async (name: string, { keepKeys, keysTo }: { keepKeys?: true; keysTo?: string }) => {
      const config = await readConfig(context);
      const keys = keysTo !== undefined ? { account: keysTo } : keepKeys ? 'installation' : 'revoke';
      const deleted = await administer(context, config, (administration) => administration.deleteAccount(name, keys));
      context.output.note(`The account ${deleted.user} is deleted. ${keysNote(deleted.api_key_count, keys)}`.trimEnd());
      context.output.result({ deleted: deleted.user }, []);
    });
}

const headings = ['NAME', 'ROLE', 'MADE', 'LAST SIGN-IN', 'API KEYS'];

function cells({ user, role, created_at, last_signed_in_at, api_key_count }: AccountRecord): string[] {
  return [user, role, created_at, last_signed_in_at ?? 'not for 30 days', String(api_key_count)];
}

function keysNote(count: number, keys: 'revoke' | 'installation' | { account: string }): string {
  if (count === 0) return '';
  if (keys === 'revoke') return `Its API keys (${count}) are revoked.`;
  return `Its API keys (${count}) belong to ${keys === 'installation' ? 'the installation' : keys.account} now.`;
}

const roles = 'admin may do everything; member reads, chats, sends and manages knowledge';

function roleOption(): Option {
  return new Option('--role <role>', roles).choices(['admin', 'member']).default('admin');
}

/** Sources of a password. Never an argument, since other users of the host can read those. */
function withPassword(command: Command): Command {
  return command
    .addOption(
      new Option('--password-stdin', 'read the password from the standard input instead of asking for it').conflicts(
        'generatePassword',
      ),
    )
    .addOption(new Option('--generate-password', 'make a password and print it, once'));
}

async function change(
  context: CommandContext,
  options: PasswordOptions,
  use: (administration: Administration, password: string) => Promise<AdministeredAccount>,
) {
  const config = await readConfig(context);
  const generated = options.generatePassword ? randomBytes(18).toString('base64url') : null;
  const password = generated ?? (await givenPassword(context, options));
  return {
    account: await administer(context, config, (administration) => use(administration, password)),
    password: generated,
  };
}

function givenPassword({ terminal }: CommandContext, { passwordStdin }: PasswordOptions): Promise<string> {
  return passwordStdin ? readSecretLine(terminal.stdin, 'the password') : askNewPassword(terminal);
}

function report({ output }: CommandContext, account: AdministeredAccount, password: string | null, done: string): void {
  const { recovery_key } = account;
  output.note(`${done} Keep the recovery key: it is shown this once and resets a lost password.`);
  output.result({ user: account, ...(password === null ? {} : { password }) }, [
    ...(password === null ? [] : [`password: ${password}`]),
    `recovery key: ${recovery_key}`,
  ]);
}
