import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ConfigField, configFields, environmentName, fileKey } from './config.ts';
import { ConfigError } from './config-error.ts';
import { loadConfig, loadConfigWithSources } from './load-config.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-config-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function load(environment: Record<string, string | undefined> = {}, file?: string): ReturnType<typeof loadConfig> {
  if (file !== undefined) writeFileSync(join(folder, 'parley.yaml'), file);
  return loadConfig({ environment, workingDirectory: folder });
}

function faults(environment: Record<string, string | undefined>, file?: string): string[] {
  try {
    load(environment, file);
  } catch (error) {
    if (error instanceof ConfigError) return error.lines;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

test('every setting has a default', () => {
  expect(load()).toEqual({
    host: '127.0.0.1',
    port: 5300,
    dataDir: join(folder, 'data'),
    databaseUrl: null,
    databasePoolSize: 10,
    databaseNamedStatements: true,
    replicaAddress: null,
    filesFolder: null,
    s3Bucket: null,
    s3Endpoint: null,
    s3Region: 'us-east-1',
    s3AccessKeyId: null,
    s3SecretAccessKey: null,
    s3Prefix: '',
    s3PathStyle: false,
    newDatabase: false,
    secretKey: null,
    setupToken: null,
    setupWithoutToken: false,
    publicUrl: null,
    platformProxy: null,
    basePath: '',
    trustedProxies: [],
    corsOrigins: [],
    logLevel: 'info',
    tokenLifetimeSeconds: 604_800,
    pipelineConcurrency: 200,
    drainSeconds: 5,
    shutdownTimeoutSeconds: 15,
    allowModifyLoginInfo: true,
    oidcIssuer: null,
    oidcClientId: null,
    oidcClientSecret: null,
    oidcName: 'single sign-on',
    oidcCreateAccounts: false,
    modelTimeoutSeconds: 120,
    auditRetentionDays: 365,
    commandEnabled: true,
    commandPrefixes: ['!', '！'],
    commandPrivileges: [],
    admins: [],
    messageRetentionDays: 0,
    uploadRetentionHours: 24,
    parserThreads: 0,
    monitoringRetentionDays: 0,
    deliveryExpiryHours: 24,
    webhookWaitSeconds: 5,
    webhookRetentionDays: 30,
    mcpStdioCommands: [],
    extensions: [],
    pluginIsolation: 'best',
    withoutPlugins: false,
    settingsDirectory: folder,
    pluginHosts: [
      'github.com',
      'api.github.com',
      'objects.githubusercontent.com',
      'release-assets.githubusercontent.com',
    ],
    pluginCatalogue: null,
    maxBots: -1,
    maxPipelines: -1,
    maxExtensions: -1,
    maxConnections: 10_000,
    maxOpenBodyMegabytes: 16,
    maxSockets: 1000,
    maxSocketsPerCaller: 20,
  });
});

const accepted: [field: ConfigField, text: string, value: unknown][] = [
  ['host', '::1', '::1'],
  ['port', '0', 0],
  ['dataDir', '/srv/parley/../data', '/srv/data'],
  ['databaseUrl', 'postgresql://user:word@db/parley', 'postgresql://user:word@db/parley'],
  ['databasePoolSize', '40', 40],
  ['databaseNamedStatements', 'false', false],
  ['replicaAddress', '[::1]:5310', '[::1]:5310'],
  ['filesFolder', '/srv/parley/../files', '/srv/files'],
  ['s3Bucket', 'parley-files', 'parley-files'],
  ['s3Endpoint', 'http://minio:9000', 'http://minio:9000'],
  ['s3Region', 'eu-central-1', 'eu-central-1'],
  ['s3AccessKeyId', 'AKIAEXAMPLE', 'AKIAEXAMPLE'],
  ['s3SecretAccessKey', 'a/secret+key', 'a/secret+key'],
  ['s3Prefix', 'parley/', 'parley/'],
  ['s3PathStyle', 'true', true],
  ['newDatabase', 'true', true],
  ['secretKey', 'ab'.repeat(32), 'ab'.repeat(32)],
  ['setupToken', 'sixteen letters!', 'sixteen letters!'],
  ['setupWithoutToken', 'false', false],
  ['publicUrl', 'https://Chat.example.com:443/parley/', 'https://chat.example.com/parley'],
  ['platformProxy', 'http://user:word@proxy.example:3128', 'http://user:word@proxy.example:3128'],
  ['basePath', '/tools/parley', '/tools/parley'],
  ['trustedProxies', 'loopback, 10.0.0.0/8,2001:db8::/32', ['loopback', '10.0.0.0/8', '2001:db8::/32']],
  ['corsOrigins', 'https://a.example,http://b.example:8080', ['https://a.example', 'http://b.example:8080']],
  ['logLevel', 'silent', 'silent'],
  ['tokenLifetimeSeconds', '60', 60],
  ['pipelineConcurrency', '1000', 1000],
  ['drainSeconds', '0', 0],
  ['shutdownTimeoutSeconds', '300', 300],
  ['allowModifyLoginInfo', 'false', false],
  ['oidcIssuer', 'https://id.example.com/realms/a', 'https://id.example.com/realms/a'],
  ['oidcClientId', 'parley', 'parley'],
  ['oidcClientSecret', 'a secret', 'a secret'],
  ['oidcName', 'Example ID', 'Example ID'],
  ['oidcCreateAccounts', 'true', true],
  ['modelTimeoutSeconds', '3600', 3600],
  ['auditRetentionDays', '36500', 36_500],
  ['commandEnabled', 'false', false],
  ['commandPrefixes', '/, !!,帮', ['/', '!!', '帮']],
  ['commandPrivileges', 'reset=2, model=1,切-换_2=2', ['reset=2', 'model=1', '切-换_2=2']],
  ['admins', 'person_123,group_-100 5', ['person_123', 'group_-100 5']],
  ['messageRetentionDays', '30', 30],
  ['monitoringRetentionDays', '30', 30],
  ['uploadRetentionHours', '48', 48],
  ['parserThreads', '4', 4],
  ['deliveryExpiryHours', '720', 720],
  ['webhookWaitSeconds', '0', 0],
  ['webhookRetentionDays', '7', 7],
  ['mcpStdioCommands', 'uvx mcp-server-time, /srv/tool', ['uvx mcp-server-time', '/srv/tool']],
  ['extensions', './words, a-package', ['./words', 'a-package']],
  ['pluginHosts', 'packages.example.com:8443, http://[::1]:80', ['packages.example.com:8443', 'http://[::1]:80']],
  ['pluginCatalogue', 'https://packages.example.com/a.json', 'https://packages.example.com/a.json'],
  ['pluginIsolation', 'kernel', 'kernel'],
  ['withoutPlugins', 'true', true],
  ['maxBots', '-1', -1],
  ['maxPipelines', '0', 0],
  ['maxExtensions', '1000000', 1_000_000],
  ['maxConnections', '10', 10],
  ['maxOpenBodyMegabytes', '1024', 1024],
  ['maxSockets', '5', 5],
  ['maxSocketsPerCaller', '1', 1],
];

/** Settings that must be set together with another one. */
const companions: Partial<Record<ConfigField, Record<string, string>>> = {
  replicaAddress: { PARLEY_DATABASE_URL: 'postgres://db/parley' },
  oidcIssuer: { PARLEY_OIDC_CLIENT_ID: 'parley' },
  oidcClientId: { PARLEY_OIDC_ISSUER: 'https://id.example.com' },
  s3Endpoint: { PARLEY_S3_BUCKET: 'files' },
  s3AccessKeyId: { PARLEY_S3_BUCKET: 'files', PARLEY_S3_SECRET_ACCESS_KEY: 'secret' },
  s3SecretAccessKey: { PARLEY_S3_BUCKET: 'files', PARLEY_S3_ACCESS_KEY_ID: 'key' },
};

test('each setting is read from the environment', () => {
  expect(accepted.map(([field]) => field)).toEqual(configFields);
  for (const [field, text, value] of accepted) {
    const environment = { ...companions[field], [environmentName(field)]: text };
    expect(load(environment)[field]).toEqual(value);
  }
});

test('an identity provider needs an issuer and a client', () => {
  for (const environment of [companions.oidcIssuer, companions.oidcClientId]) {
    expect(faults(environment ?? {})).toEqual(['PARLEY_OIDC_ISSUER and PARLEY_OIDC_CLIENT_ID must be set together']);
  }
});

test('replicas need a database that they can share', () => {
  expect(faults({ PARLEY_REPLICA_ADDRESS: '10.0.0.2:5310' })).toEqual([
    'PARLEY_REPLICA_ADDRESS must not be set without PARLEY_DATABASE_URL: an SQLite database has one process',
  ]);
});

test('files are in a folder or in a bucket', () => {
  const bucket = { PARLEY_S3_BUCKET: 'files' };
  expect(faults({ ...bucket, PARLEY_FILES_FOLDER: '/srv/files' })).toEqual([
    'PARLEY_FILES_FOLDER and PARLEY_S3_BUCKET must not be set together: files are in one of them',
  ]);
  const together = ['PARLEY_S3_ACCESS_KEY_ID and PARLEY_S3_SECRET_ACCESS_KEY must be set together'];
  expect(faults({ ...bucket, PARLEY_S3_ACCESS_KEY_ID: 'key' })).toEqual(together);
  expect(faults({ ...bucket, PARLEY_S3_SECRET_ACCESS_KEY: 'secret' })).toEqual(together);
  expect(faults({ PARLEY_S3_ENDPOINT: 'http://minio:9000', PARLEY_S3_SECRET_ACCESS_KEY: 'secret' })).toEqual([
    'PARLEY_S3_ENDPOINT must not be set without PARLEY_S3_BUCKET',
    'PARLEY_S3_SECRET_ACCESS_KEY must not be set without PARLEY_S3_BUCKET',
  ]);
});

test('each setting is read from the file', () => {
  const lines = accepted.map(([field, text, value]) => {
    const written = Array.isArray(value) || typeof value !== 'string' ? value : text;
    return `${fileKey(field)}: ${JSON.stringify(written)}`;
  });
  const values = Object.fromEntries(accepted.map(([field, , value]) => [field, value]));
  // The one of two that must not be set together.
  const folderLine = lines.findIndex((line) => line.startsWith('files_folder:'));
  lines.splice(folderLine, 1);
  expect(load({}, lines.join('\n'))).toEqual({ ...values, filesFolder: null, settingsDirectory: folder });
  expect(load({}, 'files_folder: /srv/parley/../files').filesFolder).toBe('/srv/files');
});

const refused: [field: ConfigField, text: string][] = [
  ['host', 'http://localhost'],
  ['port', '65536'],
  ['port', '-1'],
  ['port', '80.5'],
  ['port', ' 80'],
  ['port', '0x50'],
  ['databaseUrl', 'mysql://db/parley'],
  ['databaseUrl', 'postgres://'],
  ['replicaAddress', '10.0.0.2'],
  ['replicaAddress', '10.0.0.2:65536'],
  ['replicaAddress', '::1:5310'],
  ['replicaAddress', '[10.0.0.2]:5310'],
  ['replicaAddress', 'http://10.0.0.2:5310'],
  ['secretKey', 'ab'.repeat(31)],
  ['setupToken', 'fifteen letters'],
  ['platformProxy', 'proxy.example:3128'],
  ['platformProxy', 'socks5://proxy.example'],
  ['publicUrl', 'ftp://example.com'],
  ['publicUrl', 'https://example.com/?a=1'],
  ['publicUrl', 'https://example.com/#a'],
  ['publicUrl', 'example.com'],
  ['basePath', '/'],
  ['basePath', '/parley/'],
  ['basePath', 'parley'],
  ['basePath', '/../parley'],
  ['trustedProxies', '10.0.0.0/33'],
  ['trustedProxies', 'everyone'],
  ['trustedProxies', '10.0.0'],
  ['corsOrigins', '*'],
  ['corsOrigins', 'https://a.example/'],
  ['logLevel', 'INFO'],
  ['tokenLifetimeSeconds', '59'],
  ['pipelineConcurrency', '0'],
  ['shutdownTimeoutSeconds', '301'],
  ['drainSeconds', '301'],
  ['databasePoolSize', '3'],
  ['allowModifyLoginInfo', 'yes'],
  ['oidcIssuer', 'id.example.com'],
  ['oidcName', ' '],
  ['oidcCreateAccounts', '1'],
  ['modelTimeoutSeconds', 'Infinity'],
  ['commandEnabled', '1'],
  ['commandPrefixes', 'seventeen letters'],
  ['commandPrivileges', 'reset'],
  ['commandPrivileges', 'reset=3'],
  ['commandPrivileges', '=2'],
  ['commandPrivileges', 'Reset=2'],
  ['commandPrivileges', 'reset = 2'],
  ['admins', '123'],
  ['admins', 'person_'],
  ['admins', 'people_123'],
  ['messageRetentionDays', '-1'],
  ['uploadRetentionHours', '-1'],
  ['parserThreads', '17'],
  ['parserThreads', '1.5'],
  ['monitoringRetentionDays', '-1'],
  ['deliveryExpiryHours', '0'],
  ['webhookWaitSeconds', '31'],
  ['webhookRetentionDays', '0'],
  ['extensions', './a\tb'],
  ['mcpStdioCommands', 'a\tb'],
  ['mcpStdioCommands', 'node "a b'],
  ['pluginHosts', 'https://packages.example.com/path'],
  ['pluginCatalogue', 'packages.example.com'],
  ['pluginIsolation', 'none'],
  ['withoutPlugins', '1'],
  ['maxBots', '-2'],
  ['maxPipelines', '1000001'],
  ['maxExtensions', '1.5'],
];

test.each(refused)('%s refuses "%s" in one line that names the variable and the rule', (field, text) => {
  const lines = faults({ [environmentName(field)]: text });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(new RegExp(`^${environmentName(field)} must be `));
});

describe('messages', () => {
  test('quote a wrong value and its limits', () => {
    const [line] = faults({ PARLEY_PORT: 'http' });
    expect(line).toBe('PARLEY_PORT must be a whole number from 0 to 65535, not "http"');
  });

  test('name the wrong item of a list', () => {
    const [line] = faults({ PARLEY_TRUSTED_PROXIES: '10.0.0.1,unknown,loopback' });
    expect(line).toMatch(/, not "unknown"$/);
  });

  test('never quote a secret', () => {
    const hidden = 'hunter2';
    const lines = [
      ...faults({
        PARLEY_SECRET_KEY: hidden,
        PARLEY_SETUP_TOKEN: hidden,
        PARLEY_DATABASE_URL: `mysql://u:${hidden}@db`,
        PARLEY_PUBLIC_URL: `https://u:${hidden}@example.com`,
      }),
      ...faults({}, `secret_key: ${hidden}\nsetup_token: [${hidden}]`),
      ...faults({}, `setup_token: "${hidden}\nsecret_key: ${hidden}: x`),
    ];
    expect(lines.length).toBeGreaterThanOrEqual(7);
    expect(lines.join('\n')).not.toContain(hidden);
  });

  test('list every error', () => {
    const lines = faults({ PARLEY_PORT: 'x', PARLEY_HOTS: 'y' }, 'log_level: loud\nlog_lvel: info');
    expect(lines).toEqual([
      'parley.yaml: log_lvel is not a setting; did you mean log_level?',
      'PARLEY_HOTS is not a setting; did you mean PARLEY_HOST?',
      'PARLEY_PORT must be a whole number from 0 to 65535, not "x"',
      'parley.yaml: log_level must be one of fatal, error, warn, info, debug, trace, silent, not "loud"',
    ]);
  });

  test('suggest nothing for a name that resembles none', () => {
    expect(faults({ PARLEY_COLOUR_SCHEME: 'x' })).toEqual(['PARLEY_COLOUR_SCHEME is not a setting']);
  });

  test('say that text which looks like a number needs quotes', () => {
    expect(faults({}, 'setup_token: 1234567890123456')[0]).toMatch(/; put the value in quotes$/);
  });
});

test('the environment wins over the file, the file over the default', () => {
  const config = load({ PARLEY_PORT: '1' }, 'port: 2\nhost: 0.0.0.0');
  expect([config.port, config.host, config.logLevel]).toEqual([1, '0.0.0.0', 'info']);
});

test('empty values count as not set', () => {
  const config = load({ PARLEY_PORT: '', PARLEY_HOST: undefined, PARLEY_CONFIG_FILE: '', PARLEY_UNKNOWN: '' }, 'port:');
  expect([config.port, config.host]).toEqual([5300, '127.0.0.1']);
});

test('variables of other programs are ignored', () => {
  expect(load({ PORT: '1', PARLEYX: '2', PATH: '/bin' }).port).toBe(5300);
});

test.each([
  [{ PARLEY_HOST: '0.0.0.0' }, ['with another address than a loopback address in PARLEY_HOST']],
  [{ PARLEY_PUBLIC_URL: 'http://127.0.0.1:5300' }, ['together with PARLEY_PUBLIC_URL']],
  [{ PARLEY_TRUSTED_PROXIES: 'loopback' }, ['together with PARLEY_TRUSTED_PROXIES']],
  [
    { PARLEY_HOST: '::', PARLEY_TRUSTED_PROXIES: '10.0.0.1' },
    ['with another address than a loopback address in PARLEY_HOST', 'together with PARLEY_TRUSTED_PROXIES'],
  ],
])('a set-up without a token is refused with %j', (environment, whats) => {
  const waived = { PARLEY_SETUP_WITHOUT_TOKEN: 'true' };
  expect(faults({ ...waived, ...environment })).toEqual(
    whats.map((what) => `PARLEY_SETUP_WITHOUT_TOKEN must not be true ${what}`),
  );
  expect(load(environment).setupWithoutToken).toBe(false);
  for (const host of ['127.0.0.1', 'localhost', '::1', '127.0.0.2']) {
    expect(load({ ...waived, PARLEY_HOST: host }).setupWithoutToken).toBe(true);
  }
});

describe('the file', () => {
  test('may be somewhere else', () => {
    writeFileSync(join(folder, 'other.yaml'), 'port: 7');
    expect(load({ PARLEY_CONFIG_FILE: 'other.yaml' }, 'port: 8').port).toBe(7);
    expect(load({ PARLEY_CONFIG_FILE: join(folder, 'other.yaml') }).port).toBe(7);
  });

  test('must be there when it was named', () => {
    expect(faults({ PARLEY_CONFIG_FILE: 'no.yaml' })).toEqual(['no.yaml is not there; PARLEY_CONFIG_FILE names it']);
  });

  test.each(['', '# nothing but a comment\n'])('may be empty: %j', (text) => {
    expect(load({}, text).port).toBe(5300);
  });

  test.each(['- port', 'port', '5'])('must hold keys: %j', (text) => {
    expect(faults({}, text)).toEqual(['parley.yaml must hold settings as "key: value" lines']);
  });

  test('that is not YAML is named with the line', () => {
    expect(faults({}, 'port: 1\nport: 2')[0]).toBe('parley.yaml: line 2 is not valid YAML (duplicate_key)');
    expect(faults({}, 'a: &a [x]\nhost: *b')[0]).toMatch(/^parley\.yaml/);
  });
});

test('the configuration cannot be changed', () => {
  const config = load({ PARLEY_CORS_ORIGINS: 'https://a.example' });
  expect(() => Object.assign(config, { port: 1 })).toThrow(TypeError);
  expect(() => (config.corsOrigins as string[]).push('https://b.example')).toThrow(TypeError);
});

test('every value has its source', () => {
  writeFileSync(join(folder, 'parley.yaml'), 'port: 5301\nhost: 0.0.0.0\nlog_level:');
  const environment = { PARLEY_PORT: '5302', PARLEY_BASE_PATH: '' };
  const { config, sources } = loadConfigWithSources({ environment, workingDirectory: folder });
  expect(config).toMatchObject({ port: 5302, host: '0.0.0.0', basePath: '', logLevel: 'info' });
  expect(Object.keys(sources)).toEqual(configFields);
  expect(sources).toMatchObject({ port: 'environment', host: 'file', basePath: 'default', logLevel: 'default' });
});

test('variables of the command line are not taken for settings', () => {
  expect(load({ PARLEY_API_KEY: 'lbk_secret' })).toEqual(load());
});

test('commands of MCP servers may name variables, in the file', () => {
  const file = (entry: string) => load({}, `mcp_stdio_commands:\n  - uvx a\n  - ${entry}`).mcpStdioCommands;
  expect(file('{ command: "npx *", variables: [API_KEY, _x1] }')).toEqual([
    'uvx a',
    { command: 'npx *', variables: ['API_KEY', '_x1'] },
  ]);
  for (const entry of [
    '{ command: "npx" }',
    '{ variables: [A] }',
    '{ command: "", variables: [A] }',
    '{ command: "npx", variables: [PATH] }',
    '{ command: "npx", variables: [HOME] }',
    '{ command: "npx", variables: ["A=B"] }',
    '{ command: "npx", variables: A }',
    '{ command: "npx", variables: [A], more: 1 }',
    '7',
    "'   '",
  ]) {
    const found = faults({}, `mcp_stdio_commands:\n  - uvx a\n  - ${entry}`);
    expect(found).toEqual([
      expect.stringMatching(/^parley\.yaml: mcp_stdio_commands must be a list of command lines, .*, not /),
    ]);
  }
});
