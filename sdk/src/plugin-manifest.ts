import Type, { type Static } from 'typebox';

/*
 * The manifest of a plugin package, `parley-plugin.json`. Everything that a plugin adds and may do is declared in it, so
 * that a plugin can be described, and consented to, without running any of its code. Unknown fields are refused: what
 * an older server does not know, it must not pass over.
 */

const closed = { additionalProperties: false } as const;
const some = { minItems: 1 } as const;
const slug = '[a-z0-9][a-z0-9_-]{0,39}';
const Slug = Type.String({ pattern: `^${slug}$` });

/** A text in several languages; English is always there. */
function text(maxLength: number) {
  const translation = Type.Optional(Type.String({ minLength: 1, maxLength }));
  return Type.Object(
    {
      en_US: Type.String({ minLength: 1, maxLength }),
      zh_Hans: translation,
      zh_Hant: translation,
      ja_JP: translation,
      th_TH: translation,
      vi_VN: translation,
      es_ES: translation,
    },
    closed,
  );
}
const Label = text(80);
const Description = text(1000);

const Scalar = Type.Union([Type.String({ maxLength: 10_000 }), Type.Number(), Type.Boolean()]);
const Bound = Type.Optional(Type.Integer({ minimum: 0 }));
const TextEnum = Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { ...some, maxItems: 200 }));

/**
 * One field of a form, in the part of JSON Schema that forms draw. It has neither references nor patterns: checking a
 * value takes time linear in its size.
 */
export const PluginSetting = Type.Object(
  {
    type: Type.Enum(['string', 'integer', 'number', 'boolean', 'array']),
    default: Type.Union([Scalar, Type.Array(Type.String({ maxLength: 10_000 }), { maxItems: 1000 })]),
    title: Type.Optional(Type.String({ maxLength: 200 })),
    description: Type.Optional(Type.String({ maxLength: 1000 })),
    enum: TextEnum,
    minLength: Bound,
    maxLength: Bound,
    minimum: Type.Optional(Type.Number()),
    maximum: Type.Optional(Type.Number()),
    minItems: Bound,
    maxItems: Bound,
    items: Type.Optional(
      Type.Object({ type: Type.Literal('string'), enum: TextEnum, minLength: Bound, maxLength: Bound }, closed),
    ),
    'x-label': Type.Optional(Label),
    'x-help': Type.Optional(Description),
    'x-form': Type.Optional(
      Type.Enum([
        'text',
        'select',
        'prompt-editor',
        'model-fallback-selector',
        'knowledge-base-multi-selector',
        'embedding-model-selector',
        'rerank-model-selector',
      ]),
    ),
    'x-options': Type.Optional(Type.Record(Type.String(), Label, { maxProperties: 200 })),
    'x-optional': Type.Optional(Type.Boolean()),
    'x-initial': Type.Optional(Scalar),
    'x-advanced': Type.Optional(Type.Boolean()),
    'x-show-if': Type.Optional(
      Type.Object({ field: Type.String(), operator: Type.Enum(['eq', 'neq']), value: Scalar }, closed),
    ),
    /** Encrypted at rest, masked on read. Its default is empty. */
    'x-secret': Type.Optional(Type.Literal(true)),
    /** An address that the plugin may send requests to, with whatever is set beside it. Its default is empty. */
    'x-address': Type.Optional(Type.Literal(true)),
  },
  closed,
);
export type PluginSetting = Static<typeof PluginSetting>;

/** Settings: an object of fields. */
export const PluginSettings = Type.Object(
  {
    type: Type.Literal('object'),
    properties: Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_-]{0,63}$' }), PluginSetting, {
      maxProperties: 100,
      additionalProperties: false,
    }),
  },
  closed,
);
export type PluginSettings = Static<typeof PluginSettings>;

const PluginTool = Type.Object(
  {
    /** Unique among all tools. Where another tool has it already, it is given as `name_tool` of the plugin. */
    name: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }),
    label: Type.Optional(Label),
    /** For the model. */
    description: Type.String({ minLength: 1, maxLength: 4000 }),
    /** JSON Schema of the arguments: an object. */
    parameters: Type.Record(Type.String(), Type.Unknown()),
    /** The author says that it changes nothing; an admin confirms it. */
    read_only: Type.Optional(Type.Boolean()),
  },
  closed,
);

const commandName = Type.String({ minLength: 1, maxLength: 40 });
const PluginCommand = Type.Object(
  {
    /** In lower case, one word. */
    name: commandName,
    aliases: Type.Optional(Type.Array(commandName, { ...some, maxItems: 10 })),
    /** The parameters as `help` shows them: `[rounds]`. */
    usage: Type.Optional(Type.String({ maxLength: 100 })),
    /** What it does: one short sentence. */
    description: Type.String({ minLength: 1, maxLength: 200 }),
    /** 1: everyone. 2: those in the setting `admins`. */
    privilege: Type.Optional(Type.Enum([1, 2])),
  },
  closed,
);

/** Where a listener is called while a message is processed: `question` before `prompt`, `command` in place of both. */
export const PluginPoint = Type.Enum(['received', 'command', 'prompt', 'question', 'answer', 'sent']);
export type PluginPoint = Static<typeof PluginPoint>;
const PluginListener = Type.Object({ point: PluginPoint }, closed);

const PluginParser = Type.Object(
  {
    label: Label,
    description: Description,
    /** In the order of preference. */
    media_types: Type.Array(Type.String({ pattern: '^[a-z0-9][a-z0-9.+-]{0,62}/[a-z0-9][a-z0-9.+-]{0,99}$' }), {
      ...some,
      maxItems: 50,
    }),
    /** In lower case, without the dot. */
    extensions: Type.Array(Type.String({ pattern: '^[a-z0-9]{1,20}$' }), { ...some, maxItems: 50 }),
  },
  closed,
);

const PluginEngine = Type.Object(
  {
    label: Label,
    description: Description,
    capabilities: Type.Array(Type.Enum(['doc_ingestion', 'doc_parsing']), { maxItems: 2 }),
    /** Settings of a collection: changing them builds a new collection. */
    creation_schema: PluginSettings,
    /** Settings of a query. Has the integer `top_k`. */
    retrieval_schema: PluginSettings,
  },
  closed,
);

const PluginRunner = Type.Object(
  {
    /** Name of the group of a pipeline that configures it; unique among all runners. */
    name: Slug,
    label: Label,
    config: Type.Optional(PluginSettings),
  },
  closed,
);

const PluginPage = Type.Object(
  {
    name: Slug,
    label: Label,
    /** An HTML file of the package, in a folder. The files of that folder are what a browser may load. */
    path: Type.String({ maxLength: 200 }),
  },
  closed,
);

const PluginSchedule = Type.Object(
  {
    name: Slug,
    label: Label,
    /** Minute, hour, day of the month, month, day of the week: numbers, `*`, lists, ranges and steps. */
    cron: Type.String({ minLength: 9, maxLength: 100 }),
    /** Of the IANA database; default UTC. */
    time_zone: Type.Optional(
      Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}$', maxLength: 50 }),
    ),
  },
  closed,
);

/** What a plugin adds. Each kind that is named has an entry. */
export const PluginContributions = Type.Object(
  {
    tools: Type.Optional(Type.Array(PluginTool, { ...some, maxItems: 64 })),
    commands: Type.Optional(Type.Array(PluginCommand, { ...some, maxItems: 32 })),
    /** One for each point. */
    listeners: Type.Optional(Type.Array(PluginListener, { ...some, maxItems: 6 })),
    /** Its `plugin_id` is the id of the plugin, so there is one. */
    parsers: Type.Optional(Type.Array(PluginParser, { ...some, maxItems: 1 })),
    /** Its `plugin_id` is the id of the plugin, so there is one. */
    engines: Type.Optional(Type.Array(PluginEngine, { ...some, maxItems: 1 })),
    runners: Type.Optional(Type.Array(PluginRunner, { ...some, maxItems: 8 })),
    pages: Type.Optional(Type.Array(PluginPage, { ...some, maxItems: 8 })),
    schedules: Type.Optional(Type.Array(PluginSchedule, { ...some, maxItems: 16 })),
  },
  { ...closed, minProperties: 1 },
);
export type PluginContributions = Static<typeof PluginContributions>;

/** What a plugin may ask of the server. Absent is not allowed; its own settings and the log need no permission. */
export const PluginPermissions = Type.Object(
  {
    /**
     * Hosts that it may send HTTPS requests to: `api.example.com`, `api.example.com:8443`, `*.example.com` for those
     * below it, `*` for any public one.
     */
    fetch: Type.Optional(Type.Array(Type.String({ maxLength: 253 }), { ...some, maxItems: 64 })),
    /** Its own storage. */
    storage: Type.Optional(Type.Literal(true)),
    /** Replies to the message that it is called for. */
    reply: Type.Optional(Type.Literal(true)),
    /** Sends messages by the bots, to the targets, that the operator chooses. */
    send: Type.Optional(Type.Literal(true)),
    /** Calls models that the operator chooses; what they cost is recorded under the name of the plugin. */
    models: Type.Optional(Type.Array(Type.Enum(['generate', 'embed']), { ...some, maxItems: 2 })),
    /** Searches the knowledge bases of the pipeline, or those that the operator chooses. */
    knowledge: Type.Optional(Type.Array(Type.Enum(['pipeline', 'chosen']), { ...some, maxItems: 2 })),
    /** Reads the files of the message that it is called for. */
    files: Type.Optional(Type.Literal(true)),
    /** Reads or resets the conversation of the message that it is called for. */
    conversation: Type.Optional(Type.Array(Type.Enum(['read', 'reset']), { ...some, maxItems: 2 })),
  },
  closed,
);
export type PluginPermissions = Static<typeof PluginPermissions>;

/** What a plugin needs beyond the defaults. */
export const PluginLimits = Type.Object(
  {
    /** How long it may be silent before it is ended. Default 5. */
    heartbeat_seconds: Type.Optional(Type.Integer({ minimum: 5, maximum: 60 })),
    /** How long a listener may take. Default 3. */
    listener_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 30 })),
    /** Memory of its process beyond what Node.js itself reserves. Default 128. */
    memory_mb: Type.Optional(Type.Integer({ minimum: 32, maximum: 1024 })),
  },
  closed,
);
export type PluginLimits = Static<typeof PluginLimits>;

/** The content of `parley-plugin.json`. */
export const PluginManifest = Type.Object(
  {
    /** `author/name` */
    id: Type.String({ pattern: `^${slug}/${slug}$` }),
    /** Semver, such as `1.2.0`. */
    version: Type.String({ minLength: 5, maxLength: 64 }),
    /** The versions of `@parley/sdk` that it works with, a semver range. */
    sdk: Type.String({ minLength: 1, maxLength: 100 }),
    label: Label,
    description: Description,
    /** The one ECMAScript module, with everything that it needs bundled: a `.js` or `.mjs` file of the package. */
    main: Type.String({ maxLength: 200 }),
    settings: Type.Optional(PluginSettings),
    contributes: PluginContributions,
    permissions: Type.Optional(PluginPermissions),
    limits: Type.Optional(PluginLimits),
    /** SHA-256, in hexadecimal, of every file but the manifest and the signature, by its path. */
    files: Type.Record(Type.String(), Type.String({ pattern: '^[0-9a-f]{64}$' }), {
      minProperties: 1,
      maxProperties: 1000,
    }),
  },
  { ...closed, title: 'PluginManifest' },
);
export type PluginManifest = Static<typeof PluginManifest>;
