import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../test/factories/test-terminal.ts';
import { configFields, environmentName } from '../config/index.ts';
import { openStorage } from '../storage/storage.ts';

const commands = [
  'start',
  'set-up-link',
  'user create',
  'user reset-password',
  'user set-role',
  'user disable-totp',
  'user list',
  'user delete',
  'api-key create',
  'api-key list',
  'api-key revoke',
  'config check',
  'config show',
  'replicas',
  'migrate',
  'plugin inspect',
  'plugin install',
  'plugin list',
  'plugin logs',
  'plugin remove',
  'plugin enable',
  'plugin disable',
  'plugin consent',
  'plugin order',
  'plugin rollback',
  'send',
];
const escapeCharacter = String.fromCharCode(27);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-command-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A command with its own data folder. */
const inFolder = (args: string, input = '') =>
  runCommand(args.split(' '), { environment: { PARLEY_DATA_DIR: folder }, input });

describe('help', () => {
  it.each(['', ...commands])('of "%s" goes to the standard output and has examples', async (command) => {
    const { code, stdout, stderr } = await runCommand([...command.split(' '), '--help'].filter(Boolean));
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(stdout).toContain(`Usage: ${`parley ${command}`.trim()}`);
    expect(stdout).toContain('--json');
    expect(stdout).toContain(`Examples:\n  $ ${command === 'start' || command === '' ? './parley' : ''}`);
    expect(stdout).not.toContain(escapeCharacter);
  });

  it('is printed as text when a command is missing, and counts as wrong usage', async () => {
    for (const args of [[], ['user']]) {
      const { code, stdout, stderr } = await runCommand(args);
      expect(code).toBe(2);
      expect(stdout).toBe('');
      expect(stderr).toContain('Usage: parley');
    }
    const { code, stdout, stderr } = await runCommand(['user', '--json']);
    expect(code).toBe(2);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      error: { reason: 'invalid_usage', message: 'a command is missing; --help lists them' },
    });
  });

  it('has headings in bold on a terminal, unless colours are disabled', async () => {
    expect((await runCommand(['--help'], { typed: true })).stdout).toContain(`${escapeCharacter}[1mUsage:`);
    for (const environment of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) {
      expect((await runCommand(['--help'], { typed: true, environment })).stdout).not.toContain(escapeCharacter);
    }
    // An empty one counts as not set.
    expect((await runCommand(['--help'], { typed: true, environment: { NO_COLOR: '' } })).stdout).toContain(
      escapeCharacter,
    );
  });
});

it('the version is that of the package', async () => {
  expect(await runCommand(['--version'])).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    stderr: '',
  });
});

describe('wrong usage', () => {
  it.each<[args: string, message: string]>([
    ['usr', "unknown command 'usr' (Did you mean user?)"],
    ['user creat', "unknown command 'creat' (Did you mean create?)"],
    ['api-key list extra', "too many arguments for 'list'. Expected 0 arguments but got 1."],
    // A surplus argument may be a password.
    ['user create ada hunter2', "too many arguments for 'create'. Expected 1 argument but got 2."],
    ['user create', "missing required argument 'name'"],
    ['user create ada --password secret', "unknown option '--password'"],
    [
      'user create ada --password-stdin --generate-password',
      "option '--password-stdin' cannot be used with option '--generate-password'",
    ],
    ['user create ada', 'no terminal to prompt for the password; use --password-stdin or --generate-password'],
    [
      'user set-role ada root',
      "command-argument value 'root' is invalid for argument 'role'. Allowed choices are admin, member.",
    ],
    ['api-key revoke', "missing required argument 'id'"],
    ...['0', '-1', '1.5', 'one', '2147483648', '1e3', '99999999999999999999'].map((id): [string, string] => [
      `api-key revoke -- ${id}`,
      `command-argument value '${id}' is invalid for argument 'id'. It is not a number from the list.`,
    ]),
    ['migrate --force', "unknown option '--force'"],
    ['send hello --to person --id 1', "required option '--bot <uuid>' not specified"],
    ['send hello --bot b --id 1', "required option '--to <kind>' not specified"],
    ['send hello --bot b --to person', "required option '--id <target>' not specified"],
    [
      'send hello --bot b --id 1 --to channel',
      "option '--to <kind>' argument 'channel' is invalid. Allowed choices are person, group.",
    ],
    ['send hello --bot b --id 1 --to person', 'no API key; set PARLEY_API_KEY or use --api-key-stdin'],
    ['send --bot b --id 1 --to person --api-key-stdin', 'with --api-key-stdin the message must be an argument'],
  ])('%s', async (args, message) => {
    expect(await runCommand(args.split(' '))).toEqual({ code: 2, stdout: '', stderr: `error: ${message}\n` });
    const json = await runCommand(['--json', ...args.split(' ')]);
    expect(json).toMatchObject({ code: 2, stderr: '' });
    expect(JSON.parse(json.stdout)).toEqual({ error: { reason: 'invalid_usage', message } });
  });

  it.each(['ftp://example.com', 'example.com', 'http://a:b@example.com', 'http://example.com/?a=1', 'http://'])(
    'sends to no address %s',
    async (url) => {
      const end = await runCommand(['send', 'hello', '--bot', 'b', '--to', 'person', '--id', '1', '--url', url]);
      expect(end.code).toBe(2);
      expect(end.stderr).toContain('It must be an http:// or https:// address without account, query or fragment.');
    },
  );

  it('is printed in red on a terminal', async () => {
    const { stderr } = await runCommand(['usr'], { typed: true });
    expect(stderr).toBe(
      `${escapeCharacter}[31merror:${escapeCharacter}[39m unknown command 'usr' (Did you mean user?)\n`,
    );
    expect((await runCommand(['usr'], { typed: true, environment: { NO_COLOR: '1' } })).stderr).not.toContain(
      escapeCharacter,
    );
  });

  it('lists all invalid fields', async () => {
    const args = ['api-key', 'create', '', '--scope', 'bogus', '--expires-at', 'tomorrow'];
    const end = await runCommand(args, { environment: { PARLEY_DATA_DIR: folder } });
    expect(end).toEqual({
      code: 2,
      stdout: '',
      stderr: [
        'error: name: must not have fewer than 1 characters',
        'error: scopes.0: must be one of read, write, send, admin',
        'error: expires_at: must match format "date-time"',
        '',
      ].join('\n'),
    });
    const json = await runCommand([...args, '--json'], { environment: { PARLEY_DATA_DIR: folder } });
    expect(JSON.parse(json.stdout).error).toMatchObject({
      reason: 'invalid_request',
      details: [{ path: 'name' }, { path: 'scopes.0' }, { path: 'expires_at' }],
    });
  });
});

describe('a password', () => {
  const ask = (input: string) =>
    runCommand(['user', 'create', 'ada'], { typed: true, input, environment: { PARLEY_DATA_DIR: folder } });

  it('is prompted for twice without echo', async () => {
    const { code, stdout, stderr } = await ask('a good password\ra good password\r');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^recovery key: rk_[\w-]{43}\n$/);
    expect(stderr).toBe(
      'Password: \nPassword again: \nThe account ada (admin) is made. ' +
        'Keep the recovery key: it is shown this once and resets a lost password.\n',
    );
  });

  it('can be corrected while it is typed', async () => {
    expect((await ask('a good pasz\u007fsword\ra good password\r')).code).toBe(0);
  });

  it.each([
    ['the second differs', 'a good password\ranother password\r', 1, 'the two passwords are not the same'],
    ['the input ends', '\u0004', 1, 'no password was given'],
    ['the input ends half way', 'a good password\r\u0004', 1, 'no password was given'],
    ['it is too short', 'short\rshort\r', 2, 'password: must not have fewer than 8 characters'],
  ])('is not taken when %s', async (_when, input, code, message) => {
    const end = await ask(input);
    expect(end).toMatchObject({ code, stdout: '' });
    expect(end.stderr).toContain(message);
  });

  it('is discarded silently after Ctrl-C', async () => {
    expect(await ask('a good\u0003')).toEqual({ code: 130, stdout: '', stderr: 'Password: \n' });
  });

  it.each<[string, string | Buffer, string]>([
    ['is empty', '', 'the password on the standard input is empty'],
    ['is an empty line', '\n', 'the password on the standard input is empty'],
    ['has several lines', 'one of them\nanother\n', 'the password on the standard input has several lines'],
    ['is not UTF-8', Buffer.from([0xff, 0xfe, 0x41]), 'the password on the standard input is not UTF-8 text'],
    ['is endless', 'x'.repeat(5_000_000), 'the password on the standard input is too long'],
    ['is too short', 'short\n', 'password: must not have fewer than 8 characters'],
    ['is too long', 'x'.repeat(257), 'password: must not have more than 256 characters'],
  ])('on the standard input is refused when it %s', async (_name, input, message) => {
    const environment = { PARLEY_DATA_DIR: folder };
    const end = await runCommand(['user', 'create', 'ada', '--password-stdin'], { environment, input });
    expect(end).toEqual({ code: 2, stdout: '', stderr: `error: ${message}\n` });
  });
});

describe('accounts', () => {
  it('are created with distinct names', async () => {
    expect((await inFolder('user create ada --generate-password')).stdout).toMatch(
      /^password: [\w-]{24}\nrecovery key: rk_[\w-]{43}\n$/,
    );
    expect(await inFolder('user create ada --generate-password')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'error: There is an account ada already\n',
    });
    const { code, stdout } = await inFolder('user create bob --password-stdin --json', 'correct horse\r\n');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      user: {
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        user: 'bob',
        role: 'admin',
        recovery_key: expect.stringMatching(/^rk_/),
      },
    });
    expect(stdout).not.toContain('correct horse');
  });

  it('are not made without a name', async () => {
    for (const name of [' ', '\n', 'x'.repeat(256)]) {
      const end = await runCommand(['user', 'create', name, '--generate-password'], {
        environment: { PARLEY_DATA_DIR: folder },
      });
      expect(end).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^error: name: /) });
    }
  });

  it('that are not there cannot get another password', async () => {
    expect(await inFolder('user reset-password unknown --generate-password --json')).toEqual({
      code: 1,
      stdout: '{"error":{"reason":"not_found","message":"There is no account unknown"}}\n',
      stderr: '',
    });
  });
});

describe('API keys', () => {
  it('are made, listed and revoked', async () => {
    expect(await inFolder('api-key list')).toEqual({ code: 0, stdout: '', stderr: 'There are no API keys.\n' });
    const made = await inFolder('api-key create first');
    expect(made.stdout).toMatch(/^lbk_[\w-]{43}\n$/);
    expect(made.stderr).toBe('The API key 1 is made. It is shown this once.\n');
    const json = await inFolder(
      'api-key create second --scope read --scope send --expires-at 2999-01-31T00:00:00Z --json',
    );
    const { key } = JSON.parse(json.stdout);
    expect(key).toMatchObject({
      id: 2,
      name: 'second',
      scopes: ['read', 'send'],
      expires_at: '2999-01-31T00:00:00.000Z',
    });
    expect(key.key).toMatch(/^lbk_[\w-]{43}$/);
    const list = await inFolder('api-key list');
    expect(list.stdout.split('\n')).toEqual([
      'ID  KEY       SCOPES           BELONGS TO    EXPIRES                   LAST USED  NAME',
      expect.stringMatching(/^1 {3}lbk….{4} {2}read,write,send {2}installation {2}never {21}never {6}first$/),
      expect.stringMatching(
        /^2 {3}lbk….{4} {2}read,send {8}installation {2}2999-01-31T00:00:00.000Z {2}never {6}second$/,
      ),
      '',
    ]);
    expect(JSON.parse((await inFolder('api-key list --json')).stdout).keys).toHaveLength(2);
    expect(await inFolder('api-key revoke 1')).toEqual({ code: 0, stdout: '', stderr: 'The API key 1 is revoked.\n' });
    expect(await inFolder('api-key revoke 1')).toMatchObject({ code: 1, stderr: 'error: API key not found\n' });
    expect(JSON.parse((await inFolder('api-key revoke 2 --json')).stdout)).toEqual({ revoked: 2 });
    expect(JSON.parse((await inFolder('api-key list --json')).stdout)).toEqual({ keys: [] });
  });

  it('cannot expire before they are made', async () => {
    expect(await inFolder('api-key create old --expires-at 2020-01-31T00:00:00Z')).toMatchObject({
      code: 2,
      stderr: 'error: expires_at: must be in the future\n',
    });
  });

  it('with hostile names do nothing to a terminal', async () => {
    const environment = { PARLEY_DATA_DIR: folder };
    const name = `a${escapeCharacter}[2Jb\u0007\nc\u202ed`;
    await runCommand(['api-key', 'create', name], { environment });
    const { stdout } = await runCommand(['api-key', 'list'], { environment });
    expect(stdout).toContain('a\\u{1b}[2Jb\\u{7}\\u{a}c\\u{202e}d\n');
    expect(stdout.split('\n')).toHaveLength(3);
    const list = await runCommand(['api-key', 'list', '--json'], { environment });
    expect(JSON.parse(list.stdout).keys[0].name).toBe(name);
  });
});

describe('replicas', () => {
  it('are listed, also those that have ended', async () => {
    const dataDir = join(folder, 'data');
    const environment = { PARLEY_DATA_DIR: dataDir };
    const service = await openStorage({ dataDir, databaseUrl: null, newDatabase: true }, { version: '1.2.3' });
    const { id } = service.replica;
    await service.database.insertInto('leases').values({ name: 'alerts', replica: id, token: 1 }).execute();
    const listed = await runCommand(['replicas', '--json'], { environment });
    expect(JSON.parse(listed.stdout).replicas).toMatchObject([
      { id, version: '1.2.3', state: 'live', bots: 0, duties: ['alerts'], taken_over_by: null },
    ]);
    await service.close();
    const text = await runCommand(['replicas'], { environment });
    expect(text).toMatchObject({ code: 0, stderr: '' });
    expect(text.stdout).toMatch(new RegExp(`^ID +STATE +LAST BEAT.*\n${id} +live +1\\.2\\.3 `));
  });
});

describe('the settings', () => {
  const files = (content: string) => {
    writeFileSync(join(folder, 'parley.yaml'), content);
    return { PARLEY_CONFIG_FILE: 'parley.yaml' };
  };

  it('are shown with their sources, secrets only as set or not set', async () => {
    const environment = {
      ...files('port: 5301\nsecret_key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"'),
      PARLEY_DATABASE_URL: 'postgres://parley:hunter2@db.example.com/parley',
      PARLEY_TRUSTED_PROXIES: 'loopback,10.0.0.0/8',
      PARLEY_API_KEY: 'lbk_secret',
    };
    const shown = await runCommand(['config', 'show'], { environment, workingDirectory: folder });
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    const lines = shown.stdout.trimEnd().split('\n').slice(1);
    expect(lines.map((line) => line.split(/ +/)[0])).toEqual(configFields.map(environmentName));
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual(
      expect.arrayContaining([
        ['PARLEY_PORT', 'file', '5301'],
        ['PARLEY_HOST', 'default', '127.0.0.1'],
        ['PARLEY_SECRET_KEY', 'file', '(set)'],
        ['PARLEY_DATABASE_URL', 'environment', '(set)'],
        ['PARLEY_SETUP_TOKEN', 'default', '(not set)'],
        ['PARLEY_PUBLIC_URL', 'default', '(none)'],
        ['PARLEY_TRUSTED_PROXIES', 'environment', 'loopback, 10.0.0.0/8'],
        ['PARLEY_DATA_DIR', 'default', join(folder, 'data')],
      ]),
    );
    const json = await runCommand(['config', 'show', '--json'], { environment, workingDirectory: folder });
    const { settings } = JSON.parse(json.stdout);
    expect(settings).toContainEqual(
      expect.objectContaining({
        name: 'port',
        variable: 'PARLEY_PORT',
        source: 'file',
        secret: false,
        is_set: true,
        value: 5301,
      }),
    );
    expect(settings).toContainEqual(
      expect.objectContaining({
        name: 'database_url',
        variable: 'PARLEY_DATABASE_URL',
        source: 'environment',
        secret: true,
        is_set: true,
        value: null,
      }),
    );
    expect(`${shown.stdout}${json.stdout}`).not.toMatch(/hunter2|0b0c0d|lbk_secret/);
  });

  it('are checked, and every error is listed', async () => {
    expect(await runCommand(['config', 'check'])).toEqual({ code: 0, stdout: '', stderr: 'The settings are good.\n' });
    expect((await runCommand(['config', 'check', '--json'])).stdout).toBe('{"valid":true}\n');
    const environment = { ...files('hots: a\nlog_level: loud'), PARLEY_PORT: 'many' };
    const faults = [
      'parley.yaml: hots is not a setting; did you mean host?',
      'PARLEY_PORT must be a whole number from 0 to 65535, not "many"',
      expect.stringMatching(/^parley.yaml: log_level must be one of /),
    ];
    const wrong = await runCommand(['config', 'check'], { environment, workingDirectory: folder });
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    expect(wrong.stderr.trimEnd().split('\nerror: ')).toEqual([`error: ${faults[0]}`, faults[1], faults[2]]);
    const json = await runCommand(['config', 'check', '--json'], { environment, workingDirectory: folder });
    expect(json).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(json.stdout).error).toMatchObject({ reason: 'invalid_configuration', details: faults });
  });

  it('that are wrong keep every command from doing anything', async () => {
    const environment = { PARLEY_DATA_DIR: join(folder, 'data'), PARLEY_PORT: 'many' };
    for (const command of ['config show', 'user create ada --generate-password', 'api-key list', 'migrate --check']) {
      const end = await runCommand(command.split(' '), { environment });
      expect(end).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('PARLEY_PORT must be') });
    }
  });
});
