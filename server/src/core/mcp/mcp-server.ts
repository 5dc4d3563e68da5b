import Type, { type Static } from 'typebox';
import { nullable, Timestamp } from '../../lib/schema-parts.ts';

/** Transport of a server: a child process, server-sent events, or streamable HTTP. */
export const mcpModes = ['stdio', 'sse', 'http'] as const;
export const McpMode = Type.Enum([...mcpModes], {
  description: '`stdio` starts a command; `sse` and `http` (streamable HTTP) call an address.',
});
export type McpMode = Static<typeof McpMode>;

/** Characters of a name. */
export const longestName = 255;
const longestText = 4096;

const Seconds = (value: number, description: string) =>
  Type.Number({ exclusiveMinimum: 0, maximum: 3600, default: value, description });
const Texts = (description: string) =>
  Type.Record(Type.String({ minLength: 1, maxLength: 255 }), Type.String({ maxLength: longestText }), {
    default: {},
    maxProperties: 100,
    description,
  });
const Url = Type.String({ minLength: 1, maxLength: 2048, description: 'An http or https address.' });
const Headers = Texts('Sent with each call. Values are masked on read.');
const connectSeconds = Seconds(10, 'How long connecting may take, seconds.');

/** What each way of reaching a server needs. */
export const mcpArguments = {
  stdio: Type.Object(
    {
      command: Type.String({
        minLength: 1,
        maxLength: longestText,
        description: 'A command that the operator allows; see the setting `mcp_stdio_commands`.',
      }),
      args: Type.Array(Type.String({ maxLength: longestText }), { default: [], maxItems: 100 }),
      env: Texts(
        'The environment of the process, in addition to `PATH` and `HOME`; the operator allows each name. Values are masked on read.',
      ),
    },
    { title: 'McpStdioArguments', additionalProperties: false },
  ),
  sse: Type.Object(
    {
      url: Url,
      headers: Headers,
      timeout: connectSeconds,
      ssereadtimeout: Seconds(30, 'How long a call may take without a sign of progress, seconds.'),
    },
    { title: 'McpSseArguments', additionalProperties: false },
  ),
  http: Type.Object(
    { url: Url, headers: Headers, timeout: connectSeconds },
    { title: 'McpHttpArguments', additionalProperties: false },
  ),
};

/** How to reach a server, with its secrets in clear. */
export type McpTarget = { [Mode in McpMode]: { mode: Mode } & Static<(typeof mcpArguments)[Mode]> }[McpMode];

const ToldTool = Type.Object({
  name: Type.String({ description: 'As the server calls it.' }),
  description: Type.String(),
  parameters: Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema of the arguments.' }),
  read_only_hint: Type.Boolean({ description: 'Whether the server declares the tool read-only.' }),
  fingerprint: Type.String({ description: 'Another one when anything else of the above changes.' }),
});
/** A tool as its server describes it. */
export type McpTool = Static<typeof ToldTool>;

const ReadOnly = Type.Enum(['unconfirmed', 'confirmed', 'changed'], {
  description:
    '`confirmed`: an admin confirmed that the tool is read-only; `changed`: one did, and the tool has changed since, so it ' +
    'counts as `unconfirmed`.',
});
export type ReadOnly = Static<typeof ReadOnly>;

/** A tool as it is shown. */
const ShownTool = Type.Object({ ...ToldTool.properties, read_only: ReadOnly }, { title: 'McpTool' });

/** Names of tools that an admin confirmed to be read-only, with the fingerprint that each had then. */
export const ConfirmedTools = Type.Record(Type.String(), Type.String(), {
  description: 'Tools that an admin confirmed as read-only, by name, with the fingerprint of each at that time.',
});
export type ConfirmedTools = Static<typeof ConfirmedTools>;

const Protection = Type.Enum(['landlock', 'none']);
/**
 * Isolation of a process from the data of the service: `landlock`, the kernel hides the data folder from it; `none`, it
 * can read and write everything that the user of the service can.
 */
export type Protection = Static<typeof Protection>;

export const McpRuntimeInfo = Type.Object(
  {
    status: Type.Enum(['connecting', 'connected', 'error']),
    error_message: nullable(Type.String()),
    error_reason: nullable(
      Type.String(),
      'The stable word for `error_message`. After `mcp_command_not_allowed` it is not tried again.',
    ),
    error_hint: nullable(
      Type.Object({
        code: Type.String({ description: 'A hint of docs/errors.md.' }),
        parameters: Type.Record(Type.String(), Type.String()),
      }),
      'The cause of `error_message`, if it can be named.',
    ),
    protection: nullable(
      Protection,
      'What keeps the process of a connected server of the mode `stdio` from the data of the service: `landlock`, ' +
        'the kernel hides the data folder from it; `none`, it can read it. Null for others.',
    ),
    tool_count: Type.Integer({ minimum: 0 }),
    tools: Type.Array(ShownTool, { description: 'The last known tools while the server is not connected.' }),
  },
  { title: 'McpRuntimeInfo' },
);
export type McpRuntimeInfo = Static<typeof McpRuntimeInfo>;

/** State of a connection, with the tools as the server describes them. */
export type McpConnectionInfo = Omit<McpRuntimeInfo, 'tools'> & { tools: McpTool[] };

/** Any object: its fields depend on the mode. */
const Arguments = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'By mode: `command`, `args`, `env` for `stdio`; `url`, `headers`, `timeout`, `ssereadtimeout` for `sse`; `url`, ' +
    '`headers`, `timeout` for `http`. A masked value of `env` or `headers` retains the stored one while the mode and the ' +
    'command with its arguments, or the origin of the address, stay the same.',
});

/** A server of the Model Context Protocol, as it is shown. */
export const McpServer = Type.Object(
  {
    uuid: Type.String({ format: 'uuid' }),
    name: Type.String(),
    enable: Type.Boolean(),
    mode: McpMode,
    extra_args: Arguments,
    runtime_info: nullable(McpRuntimeInfo, 'Null while the server is disabled.'),
    confirmed_tools: ConfirmedTools,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'McpServer' },
);
export type McpServer = Static<typeof McpServer>;

/** As it is stored: secrets of `extra_args` masked and sealed, with the last known tools. */
export type StoredMcpServer = Omit<McpServer, 'runtime_info'> & {
  sealed_secrets: string | null;
  known_tools: McpTool[];
};

const fields = {
  name: Type.String({ minLength: 1, maxLength: longestName }),
  enable: Type.Boolean(),
  mode: McpMode,
  extra_args: Arguments,
};

export const CreateMcpServer = Type.Object(
  {
    ...fields,
    enable: Type.Optional(Type.Boolean({ description: 'False when omitted.' })),
    extra_args: Type.Optional(Arguments),
  },
  { additionalProperties: false },
);
export type CreateMcpServer = Static<typeof CreateMcpServer>;

/** Omitted fields stay unchanged. */
export const UpdateMcpServer = Type.Partial(Type.Object(fields), { additionalProperties: false });
export type UpdateMcpServer = Static<typeof UpdateMcpServer>;

/** A configuration to test that is not stored; the route ignores it where it names a stored server. */
export const TestMcpServer = Type.Partial(Type.Object(fields), { additionalProperties: false });
export type TestMcpServer = Static<typeof TestMcpServer>;

/** The read-only tools; omitted ones stay unchanged. */
export const ConfirmTools = Type.Object(
  {
    tools: Type.Array(
      Type.Object(
        {
          name: Type.String({ minLength: 1, description: 'As the server calls it.' }),
          read_only: Type.Boolean({ description: 'False takes a confirmation back.' }),
          fingerprint: Type.Optional(
            Type.String({
              minLength: 1,
              description: 'That of the tool as it was read; needed to confirm. 409 when it is another now.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 1000 },
    ),
  },
  { additionalProperties: false },
);
export type ConfirmTools = Static<typeof ConfirmTools>;

/** A call of one tool without a model. */
export const RunTool = Type.Object(
  {
    tool: Type.String({ minLength: 1, maxLength: longestText, description: 'As the server calls it.' }),
    parameters: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'By the `parameters` of the tool. Empty when omitted.',
      }),
    ),
    timeout: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 3600,
        default: 60,
        description:
          'How long the call may take without a sign of progress, seconds; ten minutes in all, or this if longer.',
      }),
    ),
  },
  { title: 'RunTool', additionalProperties: false },
);
export type RunTool = Static<typeof RunTool>;

export const ToolRun = Type.Object(
  {
    text: Type.String({ description: 'What a model would receive, which is cut after 64 KiB.' }),
    attachments: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      description:
        'Elements of messages that a user would receive with the answer: images and recordings as data URLs.',
    }),
    milliseconds: Type.Integer({ minimum: 0 }),
  },
  { title: 'ToolRun' },
);
export type ToolRun = Static<typeof ToolRun>;
