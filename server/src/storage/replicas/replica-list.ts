import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { botOfLease } from '../../core/replicas/leases.ts';
import { secondsFromNow } from '../../lib/clock.ts';
import type { Database } from '../database.ts';
import type { Storage } from '../storage.ts';
import { beatTiming } from './liveness.ts';

/** A replica as the command line shows it. Timestamps are ISO 8601 UTC. */
export interface ListedReplica {
  id: string;
  /** Of its program. */
  version: string;
  /** Where other replicas reach it; null when they do not. */
  address: string | null;
  /** `waiting` while it takes no work: it starts, or another one works alone. */
  state: 'waiting' | 'live' | 'draining' | 'ended';
  /** Whether its beat moved while this list was made; null for one that has ended, and on SQLite, where there are none. */
  is_beating: boolean | null;
  /** How long ago that was, milliseconds; null where it did not move. */
  beat_age_ms: number | null;
  started_at: string;
  ended_at: string | null;
  /** The replica that took its work over; null when it has not ended, or stopped by itself. */
  taken_over_by: string | null;
  /** How many replicas it has taken over from within a day. */
  takeovers: number;
  /** Names of the leases that it holds: `bot/` and the uuid of a bot, or a duty. */
  leases: string[];
  /** How many bots it holds. */
  bots: number;
  /** What it does for all replicas. */
  duties: string[];
  /** Settings that all replicas should share, and that differ from those of the replica that it is compared with. */
  differing_settings: string[];
}

/** How long an ended replica is listed, seconds. */
const listed = 24 * 3600;
/** How long beats are watched, milliseconds: long enough for one that is late. */
const watched = 2.5 * beatTiming.beat;
/** How often they are looked at meanwhile, milliseconds. */
const lookInterval = 100;

/**
 * The replicas that live or ended within a day, latest start first.
 * @param watchMs how long beats are watched; 0 for not at all
 * @param than the replica that settings are compared with; default the living one that started last
 */
export async function listReplicas(
  { database, engine }: Pick<Storage, 'database' | 'engine'>,
  watchMs = watched,
  than: string | null = null,
): Promise<ListedReplica[]> {
  const isWatched = engine === 'postgres' && watchMs > 0;
  const ages = isWatched ? await watchBeats(database, watchMs) : new Map<string, number>();
  const rows = await database
    .selectFrom('replicas')
    .select(['id', 'version', 'address', 'state', 'started_at', 'ended_at', 'ended_by', 'settings'])
    .where(({ or, eb }) => or([eb('state', '<>', 'ended'), eb('ended_at', '>', secondsFromNow(-listed))]))
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const leases = await database.selectFrom('leases').select(['name', 'replica']).orderBy('name').execute();
  const living = rows.find(({ id, state, settings }) =>
    than === null ? state !== 'ended' && settings !== null : id === than,
  );
  const common = digestsIn(living?.settings ?? null);
  return rows.map(({ ended_by, settings, ...row }) => {
    const isKnown = isWatched && row.state !== 'ended';
    const held = leases.filter(({ replica }) => replica === row.id).map(({ name }) => name);
    const duties = held.filter((name) => botOfLease(name) === null);
    return {
      ...row,
      is_beating: isKnown ? ages.has(row.id) : null,
      beat_age_ms: isKnown ? (ages.get(row.id) ?? null) : null,
      taken_over_by: ended_by === row.id ? null : ended_by,
      takeovers: rows.filter((other) => other.ended_by === row.id && other.id !== row.id).length,
      leases: held,
      bots: held.length - duties.length,
      duties,
      differing_settings: row.state === 'ended' ? [] : differing(common, digestsIn(settings)),
    };
  });
}

type Digests = Readonly<Record<string, string>>;

/** Null of a replica that has not stored them. */
function digestsIn(settings: string | null): Digests | null {
  // Only this program writes them.
  return settings === null ? null : (JSON.parse(settings) as Digests);
}

/** Those that both know: another version may have others. */
function differing(left: Digests | null, right: Digests | null): string[] {
  if (left === null || right === null) return [];
  return Object.keys(left).filter((name) => right[name] !== undefined && right[name] !== left[name]);
}

/** Stores the digests of the settings of a replica, for others to compare. @param settings by name */
export async function storeSettings(database: Database, replica: string, settings: Digests): Promise<void> {
  await database
    .updateTable('replicas')
    .set({ settings: JSON.stringify(settings) })
    .where('id', '=', replica)
    .execute();
}

/** @returns how long ago the beat of each replica moved, milliseconds; without those whose beat did not */
async function watchBeats(database: Database, watchMs: number): Promise<Map<string, number>> {
  const seen = new Map<string, { beat: number; movedAt: number | null }>();
  const end = performance.now() + watchMs;
  for (;;) {
    for (const { id, beat } of await beats(database)) {
      const before = seen.get(id);
      if (before === undefined) seen.set(id, { beat, movedAt: null });
      else if (before.beat !== beat) seen.set(id, { beat, movedAt: performance.now() });
    }
    if (performance.now() >= end) break;
    await wait(Math.min(lookInterval, watchMs));
  }
  const ages = new Map<string, number>();
  for (const [id, { movedAt }] of seen) {
    if (movedAt !== null) ages.set(id, Math.round(performance.now() - movedAt));
  }
  return ages;
}

async function beats(database: Database): Promise<{ id: string; beat: number }[]> {
  return await database.selectFrom('replicas').select(['id', 'beat']).where('state', '<>', 'ended').execute();
}

/** Forgets replicas that ended long ago. @param limit of those forgotten @returns how many it forgot */
export async function forgetEndedReplicas(database: Database, limit: number): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom('replicas')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('replicas')
        .select('id')
        .where('state', '=', 'ended')
        .where('ended_at', '<', secondsFromNow(-30 * listed))
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Forgets leases of bots that were deleted. @param limit of those forgotten @returns how many it forgot */
export async function forgetLeases(database: Database, limit: number): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom('leases')
    .where('name', 'in', ({ selectFrom }) =>
      selectFrom('leases')
        .select('name')
        .where('name', 'like', 'bot/%')
        .where('replica', 'is', null)
        .where(sql<boolean>`not exists (select 1 from bots where leases.name = 'bot/' || bots.uuid)`)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
