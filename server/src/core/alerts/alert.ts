import Type, { type Static } from 'typebox';
import { Count, nullable, Timestamp, Uuid } from '../../lib/schema-parts.ts';
import { AlertKind } from './alert-rule.ts';
import { AlertTargetKind } from './alert-target.ts';

/** The figures that an alert is about. */
export const AlertFacts = Type.Object(
  {
    count: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Bots, messages or documents that the alert is about.' }),
    ),
    names: Type.Optional(Type.Array(Type.String(), { description: 'The first few of them, by name.' })),
    total: Type.Optional(Type.Integer({ minimum: 0, description: 'Messages that ended in the window.' })),
    percent: Type.Optional(Type.Number()),
    cost: Type.Optional(Type.Number()),
  },
  { title: 'AlertFacts' },
);
export type AlertFacts = Static<typeof AlertFacts>;

export const EndReason = Type.Enum(['over', 'disabled', 'deleted', 'missing']);
export type EndReason = Static<typeof EndReason>;

/** `uncertain`: a chat message that may have arrived, and is not sent again. */
export const NoticeState = Type.Enum(['pending', 'sending', 'delivered', 'failed', 'uncertain']);
export type NoticeState = Static<typeof NoticeState>;

export const AlertNotice = Type.Object(
  {
    uuid: Uuid,
    event: Type.Enum(['started', 'ended']),
    target_uuid: Uuid,
    target_name: Type.String(),
    target_kind: AlertTargetKind,
    state: NoticeState,
    attempts: Count,
    next_attempt_at: nullable(Timestamp, 'Null when it ended, and while it waits for the notice of the beginning.'),
    error: nullable(Type.String(), 'Why the last attempt failed.'),
    created_at: Timestamp,
    finished_at: nullable(Timestamp),
  },
  { title: 'AlertNotice' },
);
export type AlertNotice = Static<typeof AlertNotice>;

/** One time that the condition of a rule held. */
export const Alert = Type.Object(
  {
    id: Type.Integer({ minimum: 1 }),
    rule_uuid: Uuid,
    rule_name: Type.String({ description: 'As it was when the alert began.' }),
    kind: AlertKind,
    facts: AlertFacts,
    started_at: Timestamp,
    ended_at: nullable(Timestamp, 'Null while it is open.'),
    end_reason: nullable(
      EndReason,
      '`over`: the condition holds no longer. `disabled` and `deleted`: the rule was. `missing`: what the rule refers to was deleted.',
    ),
    notices: Type.Array(AlertNotice),
  },
  { title: 'Alert' },
);
export type Alert = Static<typeof Alert>;
