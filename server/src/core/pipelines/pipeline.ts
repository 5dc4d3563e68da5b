import Type, { type Static } from 'typebox';
import { nullable } from '../../lib/schema-parts.ts';
import { McpServer } from '../mcp/mcp-server.ts';
import type { StoredConfig } from './pipeline-config.ts';
import { McpToolUsers } from './tool-users.ts';

const shortText = Type.String({ maxLength: 255 });
const BoundPlugins = Type.Array(Type.Object({ author: shortText, name: shortText }, { additionalProperties: false }), {
  default: [],
  maxItems: 1000,
});
const BoundServers = Type.Array(shortText, { default: [], maxItems: 1000, description: 'uuids.' });

export const ExtensionsPreferences = Type.Object(
  {
    enable_all_plugins: Type.Boolean({ default: true }),
    enable_all_mcp_servers: Type.Boolean({
      default: false,
      description: 'Also those that are added later. Only an admin may switch it on, or add servers.',
    }),
    plugins: BoundPlugins,
    mcp_servers: BoundServers,
    mcp_tool_users: McpToolUsers,
  },
  { title: 'ExtensionsPreferences', additionalProperties: false },
);
export type ExtensionsPreferences = Static<typeof ExtensionsPreferences>;

/** Each bot runs its messages through one pipeline. */
export const Pipeline = Type.Object(
  {
    uuid: Type.String({ format: 'uuid' }),
    name: Type.String(),
    description: Type.String(),
    emoji: nullable(Type.String()),
    for_version: Type.String(),
    is_default: Type.Boolean(),
    version: Type.Integer({ description: 'Raised with each change of the content.' }),
    stages: Type.Array(Type.String()),
    config: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Tabs `ai`, `trigger`, `safety` and `output`; secrets are masked.',
    }),
    extensions_preferences: ExtensionsPreferences,
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { title: 'Pipeline' },
);
/** As it is shown: secrets in `config` are masked. */
export type Pipeline = Omit<Static<typeof Pipeline>, 'config'> & { config: StoredConfig };

/** A pipeline as it is stored: `config` masked, with the sealed secrets. */
export type StoredPipeline = Pipeline & {
  sealed_secrets: string | null;
  /** As {@link SavedAddresses}. */
  admin_addresses: string[] | null;
};

/** What changes from version to version. */
export type PipelineContent = Pick<
  StoredPipeline,
  'name' | 'description' | 'emoji' | 'config' | 'extensions_preferences' | 'sealed_secrets' | 'admin_addresses'
>;

export const CreatePipeline = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 255 }),
    description: Type.Optional(Type.String({ maxLength: 255 })),
    emoji: Type.Optional(nullable(Type.String({ maxLength: 10 }))),
    config: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Laid over the default configuration.' }),
    ),
    extensions_preferences: Type.Optional(Type.Partial(ExtensionsPreferences, { additionalProperties: false })),
  },
  { additionalProperties: false },
);
export type CreatePipeline = Static<typeof CreatePipeline>;

export const UpdatePipeline = Type.Partial(CreatePipeline, { additionalProperties: false });
export type UpdatePipeline = Static<typeof UpdatePipeline>;

/** The extensions that a pipeline may use, and the available ones. */
export const PipelineExtensions = Type.Object(
  {
    enable_all_plugins: Type.Boolean(),
    enable_all_mcp_servers: Type.Boolean(),
    bound_plugins: BoundPlugins,
    available_plugins: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      description: 'Installed plugins with a command, a listener or a tool, as `GET /api/v1/plugins` shows them.',
    }),
    bound_mcp_servers: BoundServers,
    available_mcp_servers: Type.Array(McpServer),
    mcp_tool_users: McpToolUsers,
  },
  { title: 'PipelineExtensions' },
);
export type PipelineExtensions = Static<typeof PipelineExtensions>;

export const BoundExtensions = Type.Object(
  {
    enable_all_plugins: Type.Optional(Type.Boolean({ default: true })),
    enable_all_mcp_servers: Type.Optional(Type.Boolean({ default: false })),
    bound_plugins: Type.Optional(BoundPlugins),
    bound_mcp_servers: Type.Optional(BoundServers),
    mcp_tool_users: Type.Optional(McpToolUsers),
  },
  {
    additionalProperties: false,
    description:
      'Replaces all; omitted fields are reset to their defaults, except `mcp_tool_users`, which stays for the servers that stay bound.',
  },
);
export type BoundExtensions = Static<typeof BoundExtensions>;

export const pipelineOrder = ['created_at', 'updated_at'] as const;
export interface PipelineListing {
  sortBy: (typeof pipelineOrder)[number];
  descending: boolean;
}

/** Filters of the list of pipelines. */
export interface PipelineFilter {
  /** Whether bots use it, directly or by a routing rule. */
  used?: boolean | undefined;
}

/** The stages of a new pipeline, in order, by the names that clients of the reference system know. */
export const pipelineStages = [
  'GroupRespondRuleCheckStage',
  'BanSessionCheckStage',
  'PreContentFilterStage',
  'PreProcessor',
  'ConversationMessageTruncator',
  'RequireRateLimitOccupancy',
  'MessageProcessor',
  'ReleaseRateLimitOccupancy',
  'PostContentFilterStage',
  'ResponseWrapper',
  'LongTextProcessStage',
  'SendResponseBackStage',
];
