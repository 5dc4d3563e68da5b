import { I18nText, type PluginManifest } from '@parley/sdk';
import Type from 'typebox';
import { FormField } from '../../../core/forms/form-fields.ts';
import { PluginRelease, PluginReleaseAsset } from '../../../core/plugins/plugin-downloads.ts';
import { PackageInspection, PluginGrantsSchema, PluginState, PluginView } from '../../../core/plugins/plugin-view.ts';
import { nullable, Timestamp } from '../../../lib/schema-parts.ts';

const closed = { additionalProperties: false } as const;
const Values = Type.Record(Type.String(), Type.Unknown());
const Isolation = Type.Enum(['landlock', 'permission-model'], {
  description: 'What protects the system from it: also the kernel, or the permission model of Node.js alone.',
});

const Manifest = Type.Object({
  owner: Type.String(),
  manifest: Type.Record(Type.String(), Type.Unknown(), {
    description: '`apiVersion`, `kind`, `metadata`, `spec` and `execution`.',
  }),
  rel_path: Type.String(),
});

export const Plugin = Type.Object(
  {
    id: Type.String({ description: '`author/name`' }),
    state: PluginState,
    debug: Type.Boolean(),
    enabled: Type.Boolean(),
    priority: Type.Integer({ description: 'Its position in the order in which listeners are called.' }),
    status: Type.String({ description: '`unmounted`, `mounted` or `initialized`.' }),
    install_source: Type.String({ description: '`local`, `github` or `marketplace`.' }),
    install_info: Values,
    plugin_config: Type.Record(Type.String(), Type.Unknown(), { description: 'Its settings, with masked secrets.' }),
    plugin_instance: Type.Null(),
    manifest: Manifest,
    components: Type.Array(
      Type.Object({ manifest: Manifest, component_instance: Type.Null(), component_config: Values }),
    ),
  },
  { title: 'Plugin' },
);

const ProcessState = Type.Object(
  {
    state: Type.Enum(['stopped', 'starting', 'running', 'waiting', 'paused'], {
      description: '`waiting`: it failed, and is started again after a pause. `paused`: it failed too often.',
    }),
    isolation: nullable(Isolation, 'Null while it has not been started.'),
    memory_bytes: nullable(Type.Integer({ minimum: 0 }), 'Of its own.'),
    started_at: nullable(Timestamp),
    calls: Type.Integer({ minimum: 0, description: 'Since the service started.' }),
    failures: Type.Integer({ minimum: 0 }),
    crashes: Type.Integer({ minimum: 0, description: 'How often it ended by itself, or could not be started.' }),
    p95_ms: nullable(Type.Number(), 'Of the last 1,000 calls, milliseconds.'),
    late_responses: Type.Integer({ minimum: 0 }),
    failure: nullable(Type.Object({ reason: Type.String(), message: Type.String(), at: Timestamp })),
  },
  { title: 'PluginProcessState' },
);
const OwnProcess = nullable(ProcessState, 'Null while the plugin may not run.');
const Process = nullable(
  ProcessState,
  'Null while the plugin may not run. With several replicas, of all that answered: the most serious `state`, sums, the ' +
    'highest `p95_ms`, and the latest failure.',
);
const Unreachable = Type.Array(Type.String(), { description: 'Ids of replicas that did not answer.' });
const Clash = nullable(
  Type.String(),
  'Why its commands, parsers, engine and runners are not available: the name of one is taken. Null when they are.',
);

export const ListedPlugin = Type.Object(
  {
    ...Plugin.properties,
    version: Type.String(),
    label: I18nText,
    contributions: PackageInspection.properties.contributions,
    update_version: nullable(Type.String(), 'Of the update that waits for consent.'),
    process: Process,
    clash: Clash,
  },
  { title: 'ListedPlugin' },
);

export const PluginParams = Type.Object({ author: Type.String(), name: Type.String() });
export const PluginAssetParams = Type.Object({ ...PluginParams.properties, file: Type.String() });
export const PluginList = Type.Object({ plugins: Type.Array(ListedPlugin) });
const FullManifest = Type.Unsafe<PluginManifest>(Type.Record(Type.String(), Type.Unknown()));
export const PluginAnswer = Type.Object({
  plugin: Plugin,
  details: PluginView,
  manifest: Type.Unsafe<PluginManifest>(
    Type.Record(Type.String(), Type.Unknown(), { description: '`parley-plugin.json` of the installed version.' }),
  ),
  update_manifest: nullable(FullManifest, 'Of the update that waits for consent.'),
  form: Type.Array(FormField, { description: 'The form of its settings.' }),
});
export const PluginConfig = Type.Object({ config: Values });
export const PluginConfigBody = Type.Record(Type.String(), Type.Unknown(), {
  maxProperties: 100,
  description: 'All settings; those that are left out get their defaults. A masked secret retains the stored one.',
});
export const PluginIsolationAnswer = Type.Object({
  setting: Type.Enum(['best', 'kernel'], { description: 'The setting `plugin_isolation`.' }),
  isolation: nullable(Isolation, 'Null where plugins do not run, because this system lacks what the setting requires.'),
  without_plugins: Type.Boolean({ description: 'Whether the server was started with `--without-plugins`.' }),
});
export const PluginReadme = Type.Object({ readme: Type.String({ description: 'Markdown.' }) });
export const PluginReadmeQuery = Type.Object({
  language: Type.String({ default: 'en', description: 'Language of the text, such as `en` or `zh_Hans`.' }),
});
export const PluginDebugInfo = Type.Object({
  debug_url: Type.String({
    description: 'URL that plugins under development connect to; empty if there is none.',
  }),
  plugin_debug_key: Type.String({ description: 'Their key; empty if none is required.' }),
});

export const InspectedPluginPackage = Type.Object({ package: PackageInspection });
export const PluginTask = Type.Object({ task_id: Type.Integer({ minimum: 1 }) });

const choice = {
  digest: Type.Optional(
    Type.String({
      pattern: '^[0-9A-Fa-f]{64}$',
      description: 'Of the package that was inspected: another one is refused. Needed to consent.',
    }),
  ),
  consent: Type.Optional(
    Type.Boolean({
      description: 'Whether all permissions of the package, and its signer, are consented to. Default false.',
    }),
  ),
  enable: Type.Optional(
    Type.Boolean({
      description:
        'Whether it is to run. By default a new plugin with consent does, and an update if the version before does.',
    }),
  ),
  allow_downgrade: Type.Optional(
    Type.Boolean({ description: 'Whether it may replace the same or a later version. Default false.' }),
  ),
};
/** As query parameters, since the body is the package. */
export const InstallQuery = Type.Object(choice, closed);
export const PackageUpload = Type.Object({
  file: Type.Unsafe<never>({
    type: 'string',
    contentMediaType: 'application/octet-stream',
    description: 'A package of at most 10 MB.',
  }),
});
const part = Type.String({ maxLength: 255 });
export const InstallAsset = Type.Object(
  {
    asset_url: Type.String({ minLength: 1, maxLength: 2048, description: 'Its host must be one of `plugin_hosts`.' }),
    owner: Type.Optional(part),
    repo: Type.Optional(part),
    release_tag: Type.Optional(part),
    ...choice,
  },
  closed,
);
export const InstallOffered = Type.Object(
  {
    plugin_author: Type.String({ minLength: 1, maxLength: 40 }),
    plugin_name: Type.String({ minLength: 1, maxLength: 40 }),
    plugin_version: Type.Optional(Type.String({ maxLength: 64, description: 'The newest when omitted or empty.' })),
    ...choice,
  },
  closed,
);
export const ReleasesOf = Type.Object(
  { repo_url: Type.String({ minLength: 1, maxLength: 2048, description: '`https://github.com/owner/repo`' }) },
  closed,
);
export const PluginReleases = Type.Object({ releases: Type.Array(PluginRelease), owner: part, repo: part });
export const AssetsOf = Type.Object(
  {
    owner: Type.String({ minLength: 1, maxLength: 255 }),
    repo: Type.String({ minLength: 1, maxLength: 255 }),
    release_id: Type.Union([Type.Integer({ minimum: 1 }), Type.String({ minLength: 1, maxLength: 20 })]),
  },
  closed,
);
export const PluginAssets = Type.Object({ assets: Type.Array(PluginReleaseAsset) });

export const RemoveQuery = Type.Object({
  delete_data: Type.Optional(
    Type.String({
      pattern: '^([Tt]rue|TRUE|[Ff]alse|FALSE)$',
      description: '`true` also deletes its settings and what it stored. Default `false`.',
    }),
  ),
});
export const ConsentToPlugin = Type.Object(
  {
    digest: Type.String({
      pattern: '^[0-9A-Fa-f]{64}$',
      description: 'Of the installed version, or of the update that waits.',
    }),
    enable: choice.enable,
  },
  closed,
);
export const EnablePlugin = Type.Object({ enabled: Type.Boolean() }, closed);
export const OrderPlugins = Type.Object(
  { order: Type.Array(Type.String({ maxLength: 81 }), { maxItems: 1000, description: 'Ids of all plugins.' }) },
  closed,
);
export const GrantToPlugin = PluginGrantsSchema;
export const PluginFailureRule = Type.Object({ on_failure: Type.Enum(['pass', 'stop']) }, closed);
export const PluginLogQuery = Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 1000, default: 200 }) });
export const PluginLog = Type.Object({
  lines: Type.Array(
    Type.Object({
      at: Timestamp,
      level: Type.Enum(['debug', 'info', 'warn', 'error']),
      text: Type.String(),
      replica: Type.String({ description: 'Id of the replica whose process wrote it.' }),
    }),
    { description: 'The latest, oldest first.' },
  ),
  unreachable_replicas: Unreachable,
});
const ScheduleState = Type.Object(
  {
    name: Type.String(),
    cron: Type.String(),
    time_zone: Type.String(),
    is_running: Type.Boolean(),
    next_at: nullable(Timestamp),
    last_run: nullable(
      Type.Object({
        due_at: Timestamp,
        started_at: Timestamp,
        ended_at: nullable(Timestamp),
        failure: nullable(Type.Object({ reason: Type.String(), message: Type.String() })),
      }),
    ),
  },
  { title: 'PluginScheduleState' },
);
export const PluginStateAnswer = Type.Object({
  process: Process,
  replicas: Type.Array(
    Type.Object({
      replica: Type.String(),
      process: OwnProcess,
      fault: nullable(Type.String(), 'What is wrong with its files there.'),
    }),
  ),
  unreachable_replicas: Unreachable,
  clash: Clash,
  schedules: Type.Array(ScheduleState, { description: 'Empty while the plugin may not run.' }),
});

export const PluginPageParams = Type.Object({ ...PluginParams.properties, page: Type.String() });
export const PluginFrame = Type.Object({
  path: Type.String({ description: 'Address of its document on this server, to be shown in a sandboxed frame.' }),
  expires_at: Timestamp,
});
export const PluginPageRequest = Type.Object(
  {
    endpoint: Type.String({ maxLength: 1000, description: 'What the page requests; its handler gives it a meaning.' }),
    method: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{1,20}$',
        description: 'Default `GET`. Requests with other methods are recorded in the audit log, without their body.',
      }),
    ),
    body: Type.Optional(Type.Unknown({ description: 'Default null.' })),
  },
  closed,
);
export const PluginPageResult = Type.Object({ result: Type.Unknown({ description: 'Of the handler, at most 1 MB.' }) });
