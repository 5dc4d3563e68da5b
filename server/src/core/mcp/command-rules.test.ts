import { expect, it } from 'vitest';
import { mayBeSet, requireAllowedCommand } from './command-rules.ts';

const allowed = ['uvx mcp-server-time', 'npx', '  python   -m  server  '];

it.each([
  [['uvx', 'mcp-server-time']],
  [['npx']],
  [['npx', '-y', 'anything', 'with spaces']],
  [['python', '-m', 'server']],
])('allows %j', ([command = '', ...args]) => {
  expect(() => requireAllowedCommand({ command, args }, allowed)).not.toThrow();
});

it.each([
  [['uvx']],
  [['uvx', 'mcp-server-time', '--more']],
  [['uvx', 'another']],
  [['uvx mcp-server-time']],
  [['/usr/bin/npx']],
  [['./npx']],
  [['NPX']],
  [['npx ']],
  [['sh', '-c', 'npx']],
  [['python -m', 'server']],
  [['']],
])('does not allow %j', ([command = '', ...args]) => {
  const refusal = { reason: 'mcp_command_not_allowed' };
  expect(() => requireAllowedCommand({ command, args }, allowed)).toThrow(expect.objectContaining(refusal));
});

it('allows nothing by default', () => {
  expect(() => requireAllowedCommand({ command: 'npx', args: [] }, [])).toThrow(/mcp_stdio_commands/);
});

it.each(['TOKEN', 'api_key', '_X1', 'HOME', 'HTTPS_PROXY', 'LDAP_HOST', 'GITHUB_TOKEN', 'NODE_ENV'])(
  'lets %s be set',
  (name) => {
    expect(mayBeSet(name)).toBe(true);
  },
);

it.each([
  ...[
    'PATH',
    'Path',
    'LD_PRELOAD',
    'ld_library_path',
    'DYLD_INSERT_LIBRARIES',
    'NODE_OPTIONS',
    'NODE_PATH',
    'BASH_ENV',
  ],
  ...['PYTHONPATH', 'PYTHONSTARTUP', 'PERL5OPT', 'RUBYOPT', 'JAVA_TOOL_OPTIONS', 'npm_config_registry', 'UV_INDEX_URL'],
  ...['GIT_SSH_COMMAND', 'BASH_FUNC_ls', '', 'A=B', 'A B', '1A', 'Ä', 'A\n'],
])('does not let %j be set', (name) => {
  expect(mayBeSet(name)).toBe(false);
});
