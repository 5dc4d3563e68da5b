import Type, { type Static } from 'typebox';
import { nullable } from '../../lib/schema-parts.ts';

/** A process that shares the database, or did within a day. */
export const ReplicaView = Type.Object(
  {
    id: Type.String(),
    version: Type.String({ description: 'Of its program.' }),
    address: nullable(Type.String(), 'Where other replicas reach it.'),
    state: Type.Enum(['waiting', 'live', 'draining', 'ended'], {
      description: '`waiting` while it takes no work: it starts, or another one works alone.',
    }),
    started_at: Type.String({ format: 'date-time' }),
    ended_at: nullable(Type.String({ format: 'date-time' })),
    taken_over_by: nullable(
      Type.String(),
      'The replica that took its work over; null when it has not ended, or stopped by itself.',
    ),
    takeovers: Type.Integer({ minimum: 0, description: 'How many replicas it has taken over from within a day.' }),
    leases: Type.Array(Type.String(), {
      description: 'Names of the leases that it holds: `bot/` and the uuid of a bot, or a duty.',
    }),
    bots: Type.Integer({ minimum: 0, description: 'How many bots it holds.' }),
    duties: Type.Array(Type.String(), { description: 'What it does for all replicas.' }),
    is_self: Type.Boolean({ description: 'Whether it answers this request.' }),
    beat_age_ms: nullable(
      Type.Integer({ minimum: 0 }),
      'How long the replica that answers has seen its beat unchanged; null for one that has ended, and on SQLite.',
    ),
    is_reachable: nullable(
      Type.Boolean(),
      'Whether the last notice to it arrived; null for this replica, and where none is sent.',
    ),
    differing_settings: Type.Array(Type.String(), {
      description:
        'Settings that all replicas should share, and whose value differs from that of the replica that answers.',
    }),
  },
  { title: 'Replica' },
);
export type ReplicaView = Static<typeof ReplicaView>;

export const ReplicaList = Type.Object({
  replicas: Type.Array(ReplicaView),
  connections: nullable(
    Type.Object({
      needed: Type.Integer({ description: 'What all living replicas open at most.' }),
      available: Type.Integer({ description: 'What the database server has for them.' }),
    }),
    'Connections to the database; null where that is not known.',
  ),
});
export type ReplicaList = Static<typeof ReplicaList>;
