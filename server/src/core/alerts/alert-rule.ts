import Type, { type Static, type TObject } from 'typebox';
import { nullable, Timestamp, Uuid } from '../../lib/schema-parts.ts';

export const alertKinds = [
  'bot_offline',
  'error_rate',
  'waiting_messages',
  'uncertain_messages',
  'cost',
  'failed_documents',
] as const;
export const AlertKind = Type.Enum([...alertKinds], {
  description:
    '`bot_offline`: an enabled bot is not connected. `error_rate`: the share of messages that failed. ' +
    '`waiting_messages`: messages that have not been answered. `uncertain_messages`: messages that may not have arrived. ' +
    '`cost`: the cost of model calls. `failed_documents`: documents that could not be processed.',
});
export type AlertKind = Static<typeof AlertKind>;

/** A month: figures of longer windows would be read again and again. */
const longestWindow = 31 * 24 * 60;
const minutes = (initial: number, description: string) =>
  Type.Integer({ minimum: 1, maximum: longestWindow, default: initial, description });
const count = (initial: number) =>
  Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: initial, description: 'Fewer are ignored.' });
const only = (of: string) => nullable(Uuid, `Only of this ${of}; null for all.`);

const bot_uuid = only('bot');
const pipeline_uuid = only('pipeline');
const knowledge_base_uuid = only('knowledge base');
const percent = Type.Number({ exclusiveMinimum: 0, maximum: 100, default: 20, description: 'Reached or exceeded.' });
const amount = Type.Number({
  exclusiveMinimum: 0,
  maximum: 1_000_000_000,
  description: 'Reached or exceeded, in the unit of the prices.',
});

/** The parameters of each kind of rule. */
export const parametersByKind = {
  bot_offline: { bot_uuid },
  error_rate: {
    bot_uuid,
    pipeline_uuid,
    window_minutes: minutes(60, 'Messages of the last minutes.'),
    minimum_count: count(10),
    percent,
  },
  waiting_messages: {
    bot_uuid,
    minimum_count: count(10),
    age_minutes: minutes(10, 'Messages that have waited for so many minutes.'),
  },
  uncertain_messages: {
    bot_uuid,
    minimum_count: count(1),
    window_minutes: minutes(60, 'Messages of the last minutes.'),
  },
  cost: { bot_uuid, pipeline_uuid, window_minutes: minutes(24 * 60, 'Calls of the last minutes.'), amount },
  failed_documents: {
    knowledge_base_uuid,
    minimum_count: count(1),
    window_minutes: minutes(24 * 60, 'Documents that failed in the last minutes, and have not been retried.'),
  },
} as const;

/** What a rule refers to; all are null where the kind of the rule has none. */
export const AlertParameters = Type.Object(
  {
    bot_uuid: Type.Optional(bot_uuid),
    pipeline_uuid: Type.Optional(pipeline_uuid),
    knowledge_base_uuid: Type.Optional(knowledge_base_uuid),
    window_minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: longestWindow })),
    age_minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: longestWindow })),
    minimum_count: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000 })),
    percent: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 100 })),
    amount: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000_000 })),
  },
  { additionalProperties: false, description: 'Which of them a rule has depends on its kind; see docs/alerts.md.' },
);
export type AlertParameters = Static<typeof AlertParameters>;

export function parameterSchema(kind: AlertKind): TObject {
  return Type.Object(parametersByKind[kind], { additionalProperties: false });
}

const Name = Type.String({ minLength: 1, maxLength: 255 });
/** A week. */
const MinimumMinutes = Type.Integer({
  minimum: 0,
  maximum: 7 * 24 * 60,
  description: 'How long the condition must hold before the alert begins.',
});
const MutedUntil = nullable(Timestamp, 'No alert of the rule begins before. One that is open still ends.');
const maximumTargets = 10;
const Targets = Type.Array(Uuid, { maxItems: maximumTargets, uniqueItems: true, description: 'Who is notified.' });

/** What a rule refers to that was deleted. */
export const MissingReference = Type.Enum(['bot', 'pipeline', 'knowledge_base', 'target']);
export type MissingReference = Static<typeof MissingReference>;

/** A condition that admins are notified of. */
export const AlertRule = Type.Object(
  {
    uuid: Uuid,
    name: Name,
    kind: AlertKind,
    enabled: Type.Boolean(),
    parameters: AlertParameters,
    minimum_minutes: MinimumMinutes,
    muted_until: MutedUntil,
    targets: Targets,
    missing: Type.Array(MissingReference, {
      description: 'What it refers to and was deleted. Without its bot, pipeline or knowledge base it never begins.',
    }),
    open_alert_id: nullable(Type.Integer(), 'Its open alert; null without one.'),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'AlertRule' },
);
export type AlertRule = Static<typeof AlertRule>;

/** A rule as it is stored. */
export type StoredAlertRule = Omit<AlertRule, 'missing' | 'open_alert_id'> & {
  /** How long the condition has held while this was observed, milliseconds. */
  held_ms: number;
};

export const CreateAlertRule = Type.Object(
  {
    name: Name,
    kind: AlertKind,
    enabled: Type.Optional(Type.Boolean({ description: 'True when omitted.' })),
    parameters: Type.Optional(AlertParameters),
    minimum_minutes: Type.Optional(MinimumMinutes),
    muted_until: Type.Optional(MutedUntil),
    targets: Type.Optional(Targets),
  },
  { additionalProperties: false },
);
export type CreateAlertRule = Static<typeof CreateAlertRule>;

export const UpdateAlertRule = Type.Object(
  {
    name: Type.Optional(Name),
    enabled: Type.Optional(Type.Boolean()),
    parameters: Type.Optional(AlertParameters),
    minimum_minutes: Type.Optional(MinimumMinutes),
    muted_until: Type.Optional(MutedUntil),
    targets: Type.Optional(Targets),
  },
  { additionalProperties: false, description: 'Omitted fields stay as they are. The kind cannot be changed.' },
);
export type UpdateAlertRule = Static<typeof UpdateAlertRule>;
