import type { Reason } from '@parley/sdk';
import Type, { type Static } from 'typebox';
import { nullable, Timestamp } from '../../lib/schema-parts.ts';
import { maximumRoutingRules, PipelineRoutingRule } from './pipeline-routing-rule.ts';

const NullableText = nullable(Type.String());
const RoutingRules = Type.Array(PipelineRoutingRule, {
  maxItems: maximumRoutingRules,
  description: 'Evaluated in order; a message that matches none of them goes through `use_pipeline_uuid`.',
});

/**
 * What a bot does after a send that may have arrived and cannot be verified. `continue`: it is recorded as uncertain,
 * and the following parts are sent. `stop`: they are not. `repeat`: it is retried until a conclusive response arrives,
 * so that nothing is missing and a message may appear twice.
 */
export const UncertainSends = Type.Enum(['continue', 'stop', 'repeat'], {
  description:
    'What happens after a send that may have arrived: `continue` with the next part, `stop` before it, or `repeat` the send, which may show it twice.',
});
export type UncertainSends = Static<typeof UncertainSends>;

/** A presence on a messaging platform, bound to a pipeline. */
export const Bot = Type.Object({
  uuid: Type.String({ format: 'uuid' }),
  name: Type.String(),
  description: Type.String(),
  adapter: Type.String({ description: 'Name of the platform.' }),
  adapter_config: Type.Record(Type.String(), Type.Unknown(), { description: 'Secrets are masked.' }),
  enable: Type.Boolean(),
  use_pipeline_name: NullableText,
  use_pipeline_uuid: NullableText,
  pipeline_routing_rules: RoutingRules,
  uncertain_sends: UncertainSends,
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Bot = Static<typeof Bot>;

/** A bot as it is stored: `adapter_config` masked, with the sealed secrets. */
export type StoredBot = Bot & {
  sealed_secrets: string | null;
  /** As {@link SavedAddresses}. */
  admin_addresses: string[] | null;
};

/** A bot that is to be stored. */
export type NewBot = Omit<StoredBot, 'use_pipeline_name' | OptionalFields> & Partial<Pick<StoredBot, OptionalFields>>;
type OptionalFields = 'pipeline_routing_rules' | 'uncertain_sends' | 'admin_addresses';

/** The fields that a change of a bot writes. */
export type BotChanges = Partial<Omit<StoredBot, 'uuid' | 'use_pipeline_name' | 'created_at'>>;

/**
 * State of a bot's connection. `starting`: first attempt; `reconnecting`: it was connected, and the platform is being
 * reached again; `error`: it failed or broke. Unless the platform refused the credentials or the configuration,
 * attempts continue while the state is `error`.
 */
export const BotState = Type.Enum(['stopped', 'starting', 'running', 'reconnecting', 'error']);
export type BotState = Static<typeof BotState>;

/** Filters of the list of bots. */
export interface BotFilter {
  state?: BotState | undefined;
  enabled?: boolean | undefined;
  /** Name of the platform. */
  adapter?: string | undefined;
  /** Of a pipeline that it uses, directly or by a routing rule. */
  pipeline_uuid?: string | undefined;
}

/** The state of a connection, and its error if it has one. */
export interface BotStatus {
  state: BotState;
  reason: Reason | null;
  /** For the operator; contains no secrets. */
  error: string | null;
  /** ISO 8601 UTC. */
  since: string;
}

/** The runtime state of a bot. */
export const AdapterRuntimeValues = Type.Object(
  {
    bot_account_id: nullable(Type.String(), "The bot's own id on the platform; null until it is known."),
    bot_account_name: nullable(
      Type.String(),
      'Handle or display name of the account on the platform; null if it is not known.',
    ),
    bot_account_url: nullable(Type.String(), 'A web page that opens a chat with the bot; null if there is none.'),
    webhook_url: nullable(
      Type.String(),
      'Path that the platform sends events to; null for platforms that send none, or learn it from the bot.',
    ),
    webhook_full_url: nullable(Type.String(), 'The full URL of `webhook_url`.'),
    extra_webhook_full_url: nullable(Type.String(), 'Empty; exists for compatibility.'),
    uses_webhook: Type.Boolean({
      description: 'Whether this configuration receives at `webhook_url`, which is to be entered on the platform then.',
    }),
    state: BotState,
    error: nullable(Type.String(), 'The error of the connection.'),
    error_reason: nullable(Type.String(), 'The stable word for `error`.'),
    since: Type.String({ format: 'date-time', description: 'Time of the last change of state.' }),
  },
  { title: 'AdapterRuntimeValues' },
);
export type AdapterRuntimeValues = Static<typeof AdapterRuntimeValues>;

/** A bot as it is shown. */
export const BotView = Type.Object(
  { ...Bot.properties, adapter_runtime_values: AdapterRuntimeValues },
  { title: 'Bot' },
);
export type BotView = Static<typeof BotView>;

const Name = Type.String({ minLength: 1, maxLength: 255 });
const Description = Type.String({ maxLength: 1024 });
export const AdapterConfig = Type.Record(Type.String(), Type.Unknown(), {
  description: 'As described by the `spec.config` of the adapter. A masked secret retains the stored one.',
});
const PipelineUuid = nullable(Type.String({ maxLength: 255 }), 'Empty or null for no pipeline.');

/** A sign-in whose secrets are stored. */
export const LoginId = Type.Optional(
  Type.String({
    maxLength: 128,
    description: 'A finished sign-in with the platform, whose secrets stand behind masked ones. It is used once.',
  }),
);

export const CreateBot = Type.Object(
  {
    name: Name,
    description: Type.Optional(Description),
    adapter: Name,
    adapter_config: AdapterConfig,
    enable: Type.Optional(Type.Boolean()),
    use_pipeline_uuid: Type.Optional(PipelineUuid),
    pipeline_routing_rules: Type.Optional(RoutingRules),
    uncertain_sends: Type.Optional(UncertainSends),
    login_id: LoginId,
  },
  { additionalProperties: false },
);
export type CreateBot = Static<typeof CreateBot>;

export const UpdateBot = Type.Partial(CreateBot, { additionalProperties: false });
export type UpdateBot = Static<typeof UpdateBot>;
