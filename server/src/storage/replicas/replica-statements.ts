/*
 * The statements of a replica about itself, each a transaction of its own that keeps nothing in the session. Whether a
 * replica lives shows in its beat alone: no clock is compared.
 */

import { type BeatReads, beatReads } from './beat-reads.ts';
import type { OtherReplica } from './replica.ts';

/** How the connections of a replica are called. */
export function sessionName(id: string): string {
  return `parley ${id}`;
}

/**
 * Ends the sessions of dead replicas: a process that was stopped in a transaction keeps its locks. Of the same role only,
 * others may not be ended.
 */
const endSessions = (dead: string) => `
  select pg_terminate_backend(pid)
  from pg_stat_activity
  where usename = current_user and application_name in (select 'parley ' || id from replicas where ${dead})`;

/** Values: the id of the replica, its beat. Nothing ends once the beat is another one. */
export const endSessionsOf = endSessions("id = $1 and beat = $2 and state <> 'ended'");

const earlierOfFolder = "folder = $1 and id <> $2 and state <> 'ended'";

/** Values: the folder, the own id. */
export const endSessionsOfFolder = endSessions(earlierOfFolder);

/**
 * Enters a replica, and ends those that were started on the same data folder before, of which none runs any more.
 * Values: the folder, the id, the version, the time, the name of the last migration that the program knows.
 */
export const enter = `
  with ended as (
    update replicas set state = 'ended', ended_at = $4, ended_by = $2 where ${earlierOfFolder} returning id
  ), freed as (
    update leases set replica = null where replica in (select id from ended)
  )
  insert into replicas (id, folder, version, address, state, beat, started_at, schema)
  values ($2, $1, $3, null, 'waiting', 1, $4, $5)
  on conflict do nothing`;

/** A lease as it is stored. */
export interface LeaseRow {
  name: string;
  /** Its holder; null while it is free. */
  replica: string | null;
  /** Raised by each holder. */
  token: number;
  /** The replica that it is to be moved to; null for none. */
  wanted_by: string | null;
}

/** What a beat does with leases. A name is in one of these lists at most, except that what is asked for may be taken. */
export interface LeaseWishes {
  /** Names to enter; a later beat can take them. */
  add: string[];
  /** To be taken when they are free. */
  take: string[];
  /** Of these at most `room` are taken. */
  share: string[];
  room: number;
  /** To be moved here from their holders. */
  ask: string[];
  /** Held by this replica, to stay although another asks for them. */
  decline: string[];
  /** To be freed: tokens by name. */
  release: Record<string, number>;
  /** Of the leases as this replica knows them. */
  digest: string;
}

/** What a beat answers. */
export interface BeatRow extends BeatReads {
  /** False when the row is not there, has ended, or has a number that this replica did not write. */
  is_stored: boolean;
  replicas: (OtherReplica & { beat: number })[];
  /** Before what this beat did with them; null when the digest is the same. */
  leases: LeaseRow[] | null;
  digest: string;
  /** The leases that this beat took. */
  taken: { name: string; token: number }[];
  record_version: number;
  access_version: number;
  bot_state_version: number;
  extension_version: number;
  /** The server's time, milliseconds since 1970. */
  present: number;
}

const names = (list: string) => `select jsonb_array_elements_text(cast($5 as jsonb) -> '${list}')`;

/**
 * Raises the beat, takes and frees leases, and reads what others wrote.
 * Values: the id, the next number, the least and the most that the present one may be, {@link LeaseWishes} as JSON, the
 * address, the state.
 *
 * A lease is free as the statement saw it at its beginning, together with the replicas: one that has ended stays so, and each
 * holder raises the token.
 */
export const beat = `
  with beaten as (
    update replicas set beat = $2, address = $6, state = $7
    where id = $1 and state <> 'ended' and beat between $3 and $4 returning id
  ), living as (
    select id from replicas where state <> 'ended'
  ), added as (
    insert into leases (name, token) select name, 0 from (${names('add')} as name) as new where exists (select from beaten)
    on conflict do nothing
  ), released as (
    update leases set replica = null
    from jsonb_each_text(cast($5 as jsonb) -> 'release') as ended (name, token)
    where leases.name = ended.name and leases.replica = $1 and leases.token = cast(ended.token as integer)
      and exists (select from beaten)
  ), declined as (
    update leases set wanted_by = null where name in (${names('decline')}) and replica = $1 and exists (select from beaten)
  ), asked as (
    update leases set wanted_by = $1
    where name in (${names('ask')}) and replica <> $1 and replica in (select id from living)
      and (wanted_by is null or wanted_by not in (select id from living)) and exists (select from beaten)
  ), free as (
    select name, replica, token from leases
    where (replica is null or replica not in (select id from living))
      and (wanted_by is null or wanted_by = $1 or wanted_by not in (select id from living))
  ), chosen as (
    select name, replica, token from free where name in (${names('take')})
    union all
    (
      select name, replica, token from free where name in (${names('share')})
      order by md5(name || $1) limit cast(cast($5 as jsonb) ->> 'room' as integer)
    )
  ), taken as (
    update leases set replica = $1, token = leases.token + 1, wanted_by = null
    from chosen
    where leases.name = chosen.name and leases.token = chosen.token and leases.replica is not distinct from chosen.replica
      and exists (select from beaten)
    returning leases.name, leases.token
  ), known as (
    select
      json_agg(json_build_object('name', name, 'replica', replica, 'token', token, 'wanted_by', wanted_by)) as leases,
      md5(string_agg(concat_ws(' ', name, replica, token, wanted_by), ',' order by name)) as digest
    from leases
  )
  select
    exists (select from beaten) as is_stored,
    (
      select coalesce(json_agg(json_build_object(
        'id', id, 'beat', beat, 'state', state, 'address', address, 'version', version
      )), '[]')
      from replicas where state <> 'ended'
    ) as replicas,
    case when known.digest is distinct from cast($5 as jsonb) ->> 'digest' then coalesce(known.leases, '[]') end as leases,
    coalesce(known.digest, '') as digest,
    (select coalesce(json_agg(json_build_object('name', name, 'token', token)), '[]') from taken) as taken,
    cast((select version from record_version) as double precision) as record_version,
    cast((select version from access_version) as double precision) as access_version,
    cast((select version from bot_state_version) as double precision) as bot_state_version,
    cast((select version from extension_version) as double precision) as extension_version,
    cast(extract(epoch from clock_timestamp()) * 1000 as double precision) as present,${beatReads}
  from known`;

/** Ends the row of a replica that stops, and frees its leases. Values: the id, the time. */
export const leave = `
  with freed as (update leases set replica = null where replica = $1)
  update replicas set state = 'ended', ended_at = $2, ended_by = $1 where id = $1 and state <> 'ended'`;
