import Type, { type Static } from 'typebox';

/** `anonymous`: no credentials were required; `command-line`: a user of the host. */
export const ActorKind = Type.Enum(['user', 'api-key', 'anonymous', 'command-line']);
export type ActorKind = Static<typeof ActorKind>;

const RecordState = Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]);

/** Something that was done: who did it, with what credential, to which record, and what that changed. */
export const AuditEntry = Type.Object(
  {
    id: Type.Integer(),
    created_at: Type.String({ format: 'date-time' }),
    actor_kind: ActorKind,
    actor_id: Type.String({ description: 'The account or the API key; empty if there is none.' }),
    actor_name: Type.String({ description: 'Its name at that time; for a failed sign-in, the attempted name.' }),
    credential: Type.String({ description: 'The session or the API key; empty where there was none.' }),
    address: Type.String({ description: 'Network address of the caller.' }),
    request_id: Type.String(),
    action: Type.String({ description: 'Kind of record and verb: `provider.update`.' }),
    record_kind: Type.String(),
    record_id: Type.String({ description: 'Empty if there is no single record.' }),
    changed: Type.Array(Type.String(), { description: 'Dotted paths of the fields that an update changed.' }),
    before: RecordState,
    after: RecordState,
  },
  { title: 'AuditEntry' },
);
export type AuditEntry = Static<typeof AuditEntry>;

/** An entry as it is handed in. */
export type NewAuditEntry = Omit<AuditEntry, 'id' | 'created_at'>;

/** Filters for entries; omitted filters match everything. */
export interface AuditFilter {
  record_kind?: string | undefined;
  record_id?: string | undefined;
  action?: string | undefined;
  actor_id?: string | undefined;
  /** ISO 8601 UTC, inclusive. */
  since?: string | undefined;
  /** ISO 8601 UTC, exclusive. */
  until?: string | undefined;
}
