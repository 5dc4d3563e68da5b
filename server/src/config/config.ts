import Type, { type Static, type TSchema } from 'typebox';
import { wordsOf } from '../lib/command-words.ts';
import { isProxyUrl } from '../lib/proxy-url.ts';
import { isNetwork, isOrigin, isPublicUrl, isReplicaAddress } from './address-checks.ts';
import { decodeSecretKey } from './decode-secret-key.ts';
import { annotations, integer, optionalText, text, textList } from './setting-schemas.ts';

const commandLine = Type.Refine(Type.String(), (line) => !/\p{Cc}/u.test(line) && (wordsOf(line)?.length ?? 0) > 0);

/** A command line with the variables that may be set for it. */
const allowedCommand = Type.Object(
  {
    command: commandLine,
    variables: Type.Array(
      Type.Refine(Type.String(), (name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !['PATH', 'HOME'].includes(name)),
    ),
  },
  { additionalProperties: false },
);

/** Highest limit for a kind of record; for more, set none. */
const maximumRecords = 1_000_000;

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const pluginIsolations = ['best', 'kernel'] as const;

/**
 * Every setting: its type, limits, default and purpose. The names in the environment and in `parley.yaml` are derived
 * from the field's name, see {@link environmentName} and {@link fileKey}.
 */
export const configSchema = Type.Object({
  host: text(
    {
      expects: 'a host name or an IP address without brackets',
      description: 'Address to listen on. `0.0.0.0` and `::` listen on every network the machine is in.',
    },
    (value) => /^[A-Za-z0-9._:%-]+$/.test(value),
    '127.0.0.1',
  ),
  port: integer(0, 65535, 5300, 'Port to listen on. `0` picks a free one, which is printed at start.'),
  dataDir: text(
    {
      expects: 'the path of a folder',
      description:
        'Folder of the database file, uploaded files and keys. Made with mode 0700 when it is not there. Each replica has ' +
        'its own.',
    },
    (value) => value !== '' && !value.includes('\0'),
    './data',
  ),
  databaseUrl: optionalText(
    {
      expects: 'a postgres:// or postgresql:// address',
      description: 'PostgreSQL database, 15 or newer. Without it the data is in an SQLite file in the data folder.',
      secret: true,
    },
    (value) => /^postgres(ql)?:\/\/./.test(value) && URL.canParse(value),
  ),
  databasePoolSize: integer(
    4,
    500,
    10,
    'How many connections to PostgreSQL each replica opens at most for its work, beside 5 that it keeps free for messages ' +
      'and its beat. The server has to have as many for all replicas together.',
  ),
  databaseNamedStatements: Type.Boolean({
    default: true,
    description:
      'Whether statements of every message are prepared in PostgreSQL under names. `false` behind a pooler of transactions ' +
      'that does not keep them, such as PgBouncer before 1.21.',
    'x-expects': 'true or false',
  }),
  replicaAddress: optionalText(
    {
      expects: 'a host and a port such as 10.0.0.2:5310, an IPv6 address in brackets',
      description:
        'Address of this replica for other replicas on the same database: it listens there for their calls, on a port of ' +
        'its own that nothing else should reach. Default: none, so others cannot call it.',
    },
    isReplicaAddress,
  ),
  filesFolder: optionalText(
    {
      expects: 'the path of a folder',
      description:
        'Folder of uploaded files, which all replicas share. Without it, and without a bucket, they are in the folder `files` ' +
        'of the data folder.',
    },
    (value) => value !== '' && !value.includes('\0'),
  ),
  s3Bucket: optionalText(
    {
      expects: 'the name of a bucket',
      description: 'Bucket of uploaded files, of Amazon S3 or a compatible service, instead of a folder.',
    },
    (value) => /^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$/.test(value),
  ),
  s3Endpoint: optionalText(
    {
      expects: 'an http:// or https:// address without account, query or fragment',
      description: 'Address of the service that has the bucket. Default: that of Amazon S3 in the region.',
    },
    isPublicUrl,
  ),
  s3Region: text(
    { expects: 'the name of a region such as eu-central-1', description: 'Region of the bucket.' },
    (value) => /^[A-Za-z0-9-]{1,64}$/.test(value),
    'us-east-1',
  ),
  s3AccessKeyId: optionalText(
    {
      expects: 'text without white space',
      description:
        'Access key for the bucket. Without it the AWS SDK looks for credentials: `AWS_…` variables, `~/.aws`, then the role ' +
        'of the container or machine.',
    },
    (value) => /^\S+$/.test(value),
  ),
  s3SecretAccessKey: optionalText(
    { expects: 'text without white space', description: 'Secret of the access key.', secret: true },
    (value) => /^\S+$/.test(value),
  ),
  s3Prefix: text(
    {
      expects: "empty, or text of at most 512 letters, digits and ! _ . * ' ( ) / - that does not start with a slash",
      description: 'Start of the names of all objects in the bucket, such as `parley/`.',
    },
    (value) => /^([A-Za-z0-9!_.*'()-][A-Za-z0-9!_.*'()/-]{0,511})?$/.test(value),
    '',
  ),
  s3PathStyle: Type.Boolean({
    default: false,
    description:
      'Whether the name of the bucket is in the path of addresses rather than in their host, as MinIO, Ceph and others ' +
      'need it.',
    'x-expects': 'true or false',
  }),
  newDatabase: Type.Boolean({
    default: false,
    description:
      'Whether a start may make a new SQLite database although the data folder holds a key and stored files of an earlier ' +
      'one. The option `--new-database` of a start does the same once.',
    'x-expects': 'true or false',
  }),
  secretKey: optionalText(
    {
      expects: '32 bytes in base64 or hexadecimal',
      description:
        'Key that encrypts stored provider keys and tokens. Without it a key is generated once and stored in the data folder. ' +
        'The command line and a server that takes the database over, such as on another machine, need the same key.',
      secret: true,
    },
    (value) => decodeSecretKey(value) !== null,
  ),
  setupToken: optionalText(
    {
      expects: 'text of at least 16 characters',
      description:
        'Token that the first account needs. Without it each start makes a new one, and prints a link with it until there ' +
        'is an account.',
      secret: true,
    },
    (value) => value.length >= 16,
  ),
  setupWithoutToken: Type.Boolean({
    default: false,
    description:
      'Whether a request that comes from this machine may make the first account without the token. For machines that ' +
      'run tests only: a program on this machine that passes connections on lets everybody in. With another ' +
      '`PARLEY_HOST` than a loopback address, with `PARLEY_PUBLIC_URL` or with `PARLEY_TRUSTED_PROXIES` the service does ' +
      'not start.',
    'x-expects': 'true or false',
  }),
  publicUrl: optionalText(
    {
      expects: 'an http:// or https:// address without account, query or fragment',
      description:
        'Address under which users and messaging platforms reach the server. Needed where a proxy passes on another ' +
        'Host header than the browser sent: the console works only on pages of this address.',
    },
    isPublicUrl,
  ),
  platformProxy: optionalText(
    {
      expects: 'an http:// or https:// address of a proxy, with an account if it needs one, and without a path',
      description:
        'HTTP proxy for calls of all bots to their platforms, e.g. `http://user:password@proxy.example:3128`. A bot may ' +
        'have another one in its configuration. Files and pages that messages name are fetched without it.',
      secret: true,
    },
    isProxyUrl,
  ),
  basePath: text(
    {
      expects: 'empty or a path like /parley, without a slash at the end',
      description: 'Path in front of every route when a proxy serves the server below one.',
    },
    (value) => /^(\/(?!\.{1,2}(\/|$))[A-Za-z0-9._~-]+)*$/.test(value),
    '',
  ),
  trustedProxies: textList(
    {
      expects: 'a list of IP addresses, networks such as 10.0.0.0/8, or the words loopback, linklocal, uniquelocal',
      description: 'Proxies whose forwarding headers are believed. None by default.',
    },
    isNetwork,
  ),
  corsOrigins: textList(
    {
      expects: 'a list of exact origins such as https://chat.example.com',
      description: 'Other sites whose pages may call the server from a browser. None by default.',
    },
    isOrigin,
  ),
  logLevel: Type.Enum([...logLevels], {
    default: 'info',
    description: 'Least severe message that is logged.',
    'x-expects': `one of ${logLevels.join(', ')}`,
  }),
  tokenLifetimeSeconds: integer(60, 31_536_000, 604_800, 'How long a sign-in lasts, seconds.'),
  pipelineConcurrency: integer(1, 1000, 200, 'How many conversations are answered at the same time, at most.'),
  drainSeconds: integer(
    0,
    300,
    5,
    'How long a stop still answers requests while other replicas work on the same database, seconds: `/readyz` answers 503 ' +
      'meanwhile, so that load balancers choose these. Longer than they need to notice. `0` does not wait.',
  ),
  shutdownTimeoutSeconds: integer(1, 300, 15, 'How long a stop waits for work in progress, seconds.'),
  allowModifyLoginInfo: Type.Boolean({
    default: true,
    description: 'Whether users may change the password of their account.',
    'x-expects': 'true or false',
  }),
  oidcIssuer: optionalText(
    {
      expects: 'an http:// or https:// address without account, query or fragment',
      description:
        'Identity provider (OpenID Connect) that users can sign in with: its issuer. It has to know the address ' +
        '`/sign-in/oidc` below `PARLEY_PUBLIC_URL` as a redirect address.',
    },
    isPublicUrl,
  ),
  oidcClientId: optionalText(
    { expects: 'text', description: 'Client ID of this server at the identity provider.' },
    (value) => value.trim() !== '',
  ),
  oidcClientSecret: optionalText(
    {
      expects: 'text',
      description: 'Secret of this server at the identity provider. None for a public client.',
      secret: true,
    },
    (value) => value.trim() !== '',
  ),
  oidcName: text(
    { expects: 'text of 1 to 64 characters', description: 'Name of the identity provider on the sign-in page.' },
    (value) => value.trim() !== '' && value.length <= 64,
    'single sign-on',
  ),
  oidcCreateAccounts: Type.Boolean({
    default: false,
    description:
      'Whether everyone whom the identity provider confirms gets an account, as a member. Otherwise they have to link ' +
      'an account that they have.',
    'x-expects': 'true or false',
  }),
  modelTimeoutSeconds: integer(1, 3600, 120, 'How long a model may stay silent before the answer fails, seconds.'),
  auditRetentionDays: integer(1, 36_500, 365, 'How long the audit log keeps an entry, days.'),
  commandEnabled: Type.Boolean({
    default: true,
    description: 'Whether users may send chat commands such as `!help`.',
    'x-expects': 'true or false',
  }),
  commandPrefixes: textList(
    {
      expects: 'a list of texts of at most 16 characters that do not start or end with white space',
      description: 'Prefixes of chat commands.',
    },
    (value) => value.length <= 16 && value !== '' && value.trim() === value,
    ['!', '！'],
  ),
  commandPrivileges: textList(
    {
      expects: 'a list of commands with a level each, such as reset=2',
      description: 'Who may give a command: level 1 is everybody, 2 those whom `PARLEY_ADMINS` names.',
    },
    (value) => /^\p{L}[^\s=]*=[12]$/u.test(value) && value === value.toLowerCase(),
  ),
  admins: textList(
    {
      expects: 'a list of person_ or group_ with the id that the platform has for them, such as person_123',
      description: 'Users who may use every command, wherever they write, and groups in which every member may.',
    },
    (value) => /^(person|group)_\S/.test(value),
  ),
  messageRetentionDays: integer(
    0,
    36_500,
    0,
    'Retention time of messages after they ended, with everything recorded about them, days. `0` keeps them forever.',
  ),
  monitoringRetentionDays: integer(
    0,
    36_500,
    0,
    'Retention time of feedback and of the record of embedding calls, days. `0` keeps them forever.',
  ),
  uploadRetentionHours: integer(
    0,
    876_000,
    24,
    'How long an upload waits to be added to a knowledge base, or sent with a message, before it is removed, hours. `0` waits for ever.',
  ),
  parserThreads: integer(
    0,
    16,
    0,
    'How many documents are read at the same time, in a thread each, which may take 512 MB. `0`: two, or one on a machine ' +
      'or in a container with less than 2 GB of memory.',
  ),
  deliveryExpiryHours: integer(
    1,
    720,
    24,
    'How long the delivery of a complete answer that the platform does not accept is retried. Afterwards it ends as failed, with the reason `expired`.',
  ),
  webhookWaitSeconds: integer(
    0,
    30,
    5,
    'How long a message waits at most for the first responses of the webhooks that receive it, seconds. `0` does not ' +
      'wait, so none of them can keep a message from being answered.',
  ),
  webhookRetentionDays: integer(1, 36_500, 30, 'Retention time of the log of webhook deliveries, days.'),
  mcpStdioCommands: Type.Array(Type.Union([commandLine, allowedCommand]), {
    ...annotations({
      expects:
        'a list of command lines, and of entries {command, variables} with a command line and names of variables other ' +
        'than PATH and HOME',
      description:
        'Commands that MCP servers of the mode `stdio` may start: a command line, word for word, such as ' +
        '`uvx mcp-server-time`. ` *` at its end allows any further arguments; quotation marks keep a word with spaces ' +
        'together. In the file, `{command: …, variables: [API_KEY]}` allows a record to set these variables as well; ' +
        'others it may not set. None by default, which refuses the mode.',
    }),
    default: [],
  }),
  extensions: textList(
    {
      expects: 'a list of packages and of paths that start with . or /, without control characters',
      description:
        'Extensions that are loaded into the process at start, so only those that you trust: packages as JavaScript; ' +
        'folders, and files, also as TypeScript. Paths are relative to the file with the settings, and packages are ' +
        'looked for from there. One that cannot be loaded is logged and shown on the system page.',
    },
    (value) => value.trim() !== '' && !/\p{Cc}/u.test(value),
  ),
  pluginHosts: textList(
    {
      expects:
        'a list of host names, each with a port if it is not 443, or of origins such as http://packages.example.com',
      description:
        'Hosts that packages of plugins, and lists of them, may be fetched from. Those of GitHub by default; an empty ' +
        'list refuses to fetch any.',
    },
    (value) => /^(https?:\/\/)?([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/.test(value),
    ['github.com', 'api.github.com', 'objects.githubusercontent.com', 'release-assets.githubusercontent.com'],
  ),
  pluginCatalogue: optionalText(
    {
      expects: 'an http:// or https:// address',
      description: 'JSON file with the plugins that can be installed by name. Its host must be one of `plugin_hosts`.',
    },
    (value) => /^https?:\/\/./.test(value) && URL.canParse(value),
  ),
  pluginIsolation: Type.Enum([...pluginIsolations], {
    default: 'best',
    description:
      'What plugins are isolated by. `best`: the permission model of Node.js, and by the kernel where the system has ' +
      'Landlock (Linux 5.13 or newer). `kernel`: both; where the system has no Landlock, plugins do not run.',
    'x-expects': `one of ${pluginIsolations.join(', ')}`,
  }),
  withoutPlugins: Type.Boolean({
    default: false,
    description: 'Whether no plugin is started. The option `--without-plugins` of a start does the same once.',
    'x-expects': 'true or false',
  }),
  maxBots: integer(-1, maximumRecords, -1, 'How many bots there may be. `-1` sets no limit.'),
  maxPipelines: integer(-1, maximumRecords, -1, 'How many pipelines there may be. `-1` sets no limit.'),
  maxExtensions: integer(
    -1,
    maximumRecords,
    -1,
    'How many MCP servers and plugins there may be together. `-1` sets no limit.',
  ),
  maxConnections: integer(
    10,
    1_000_000,
    10_000,
    'Maximum number of simultaneous connections of every kind. Further connections are closed immediately.',
  ),
  maxOpenBodyMegabytes: integer(
    1,
    1024,
    16,
    'How many megabytes the bodies of requests without a credential may take while they arrive, all together, MB of ' +
      '1 048 576 bytes; those of requests with one may take as much again. Bodies of more than 64 KB wait for room, of ' +
      'which requests without a credential have a quarter; while they wait, the oldest body is refused with 503.',
  ),
  maxSockets: integer(
    1,
    100_000,
    1000,
    'How many web chat sockets may be open at the same time, as many event streams, and as many websockets that ' +
      'platforms opened to bots. Another one is refused.',
  ),
  maxSocketsPerCaller: integer(
    1,
    100_000,
    20,
    'How many web chat sockets one account or API key may have open at the same time, and as many event streams; and ' +
      'how many websockets platforms may have open to one bot.',
  ),
});

type Fields = Static<typeof configSchema>;

/** Name of a setting in {@link Config}. */
export type ConfigField = keyof Fields;

/** All settings, checked and frozen. Paths are absolute, addresses have no slash at the end. */
export type Config = {
  readonly [Field in ConfigField]: Fields[Field] extends (infer Item)[] ? readonly Item[] : Fields[Field];
} & {
  /** The folder of the file with the settings. */
  readonly settingsDirectory: string;
};

/** The documentation of one setting from its schema, for messages and documents. */
export interface SettingDescription {
  description: string;
  default: unknown;
  /** The rule, as the end of the sentence "must be …". */
  expects: string;
  secret: boolean;
  kind: 'text' | 'integer' | 'boolean' | 'list';
}

/** Every setting in the order of the schema. */
export const configFields = Object.keys(configSchema.properties) as ConfigField[];

type DocumentedSetting = Pick<SettingDescription, 'description'> & { 'x-expects': string };

export function describeSetting(field: ConfigField): SettingDescription {
  const schema = configSchema.properties[field] as TSchema as Record<string, unknown> & DocumentedSetting;
  const kinds: Record<string, SettingDescription['kind']> = { integer: 'integer', boolean: 'boolean', array: 'list' };
  return {
    description: schema.description,
    default: schema.default,
    expects: schema['x-expects'],
    secret: schema['x-secret'] === true,
    kind: kinds[String(schema.type)] ?? 'text',
  };
}

/** `dataDir` is `data_dir` in `parley.yaml`. */
export function fileKey(field: ConfigField): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `dataDir` is `PARLEY_DATA_DIR` in the environment. */
export function environmentName(field: ConfigField): string {
  return `PARLEY_${fileKey(field).toUpperCase()}`;
}
