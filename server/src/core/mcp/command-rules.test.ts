import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type CommandLine, entryFor, isVariableName, requireAllowedCommand } from './command-rules.ts';

const entry = (command: string, ...variables: string[]) => ({ command, variables });
const allowed = [
  entry('uvx mcp-server-time'),
  entry('npx *'),
  entry('node'),
  entry('node "a copy"'),
  entry('  python   -m  server  ', 'TOKEN', 'REGION'),
  entry('python -m server --debug', 'DEBUG'),
  entry('python -m server --debug', 'TOKEN'),
  entry("grep '*'"),
  entry('docker run image *', 'TOKEN'),
];
const line = ([command = '', ...args]: string[], env: Record<string, string> = {}): CommandLine => ({
  command,
  args,
  env,
});
const refusal = expect.objectContaining({ reason: 'mcp_command_not_allowed' });

it.each([
  [['uvx', 'mcp-server-time']],
  [['npx']],
  [['npx', '-y', 'anything', 'with spaces']],
  [['node']],
  [['node', 'a copy']],
  [['python', '-m', 'server']],
  [['grep', '*']],
  [['docker', 'run', 'image']],
  [['docker', 'run', 'image', '--flag']],
])('allows %j', (words) => {
  expect(() => requireAllowedCommand(line(words), allowed)).not.toThrow();
});

it.each([
  [['uvx']],
  [['uvx', 'mcp-server-time', '--more']],
  [['uvx', 'another']],
  [['uvx mcp-server-time']],
  [['node', '-e', '1']],
  [['node', 'a', 'copy']],
  [['/usr/bin/npx']],
  [['./npx']],
  [['NPX']],
  [['npx ']],
  [['sh', '-c', 'npx']],
  [['python -m', 'server']],
  [['grep', 'anything']],
  [['docker', 'run', 'another']],
  [['docker', 'run']],
  [['']],
])('does not allow %j', (words) => {
  expect(() => requireAllowedCommand(line(words), allowed)).toThrow(refusal);
});

it('allows nothing by default', () => {
  expect(() => requireAllowedCommand(line(['npx']), [])).toThrow(/mcp_stdio_commands in parley\.yaml.*: - "npx"$/);
});

it('takes no star alone for everything', () => {
  expect(() => requireAllowedCommand(line(['npx']), [entry('*')])).toThrow(refusal);
});

describe('variables', () => {
  it.each<[string[], Record<string, string>]>([
    [['python', '-m', 'server'], { TOKEN: 'x' }],
    [['python', '-m', 'server'], { TOKEN: 'x', REGION: 'y' }],
    [['python', '-m', 'server', '--debug'], { DEBUG: '1' }],
    [['docker', 'run', 'image', '--flag'], { TOKEN: 'x' }],
  ])('are allowed that the entry names: %j with %j', (words, env) => {
    expect(() => requireAllowedCommand(line(words, env), allowed)).not.toThrow();
  });

  it.each<[string[], Record<string, string>, RegExp]>([
    [['npx', 'a'], { OPENSSL_CONF: '/x' }, /to be given OPENSSL_CONF\. To allow it/],
    [['python', '-m', 'server'], { TOKEN: 'x', LD_PRELOAD: 'y' }, /to be given LD_PRELOAD\./],
    [['python', '-m', 'server'], { token: 'x' }, /to be given token\./],
    // Each is allowed by another entry.
    [['python', '-m', 'server', '--debug'], { DEBUG: '1', TOKEN: 'x' }, /these variables together/],
  ])('are refused that it does not: %j with %j', (words, env, message) => {
    expect(() => requireAllowedCommand(line(words, env), allowed)).toThrow(message);
  });

  it.each(['TOKEN', 'api_key', '_X1'])('may be named %s', (name) => {
    expect(isVariableName(name)).toBe(true);
  });

  it.each(['', 'A=B', 'A B', '1A', 'Ä', 'A\n'])('may not be named %j', (name) => {
    expect(isVariableName(name)).toBe(false);
  });
});

it.each([
  line(['npx']),
  line(['node', 'a copy', "it's", 'say "x"', `both ' and "`, '', '*', '--a=b']),
  line(['python', '-m', 'server'], { TOKEN: 'x', REGION: 'y' }),
])('the entry that is named allows exactly the command: %j', (given) => {
  const [written] = parse(entryFor(given)) as (string | ReturnType<typeof entry>)[];
  const rule = typeof written === 'string' ? entry(written) : (written ?? entry(''));
  expect(() => requireAllowedCommand(given, [rule])).not.toThrow();
  expect(() => requireAllowedCommand({ ...given, args: [...given.args, 'more'] }, [rule])).toThrow(refusal);
  expect(() => requireAllowedCommand({ ...given, env: { ...given.env, MORE: '1' } }, [rule])).toThrow(refusal);
});
