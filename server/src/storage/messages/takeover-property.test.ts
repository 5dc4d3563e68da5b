import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runsTried } from '../../../test/shared/looks-closely.ts';
import { engines } from '../../../test/stores/each-engine.ts';
import { conversationKey, messageEvent } from '../../../test/stores/ledger-records.ts';
import { answered, answerOf, noRecord, partOf, sent } from '../../../test/stores/ledger-steps.ts';
import { makeMigratedPlace, type StoragePlace } from '../../../test/stores/open-test-storage.ts';
import { enterReplica } from '../../../test/stores/replicas.ts';
import type { ClaimedMessage } from '../../core/messages/message.ts';
import { now } from '../../lib/clock.ts';
import { findStorageError } from '../../lib/storage-error.ts';
import type { Database } from '../database.ts';
import { openPostgres } from '../postgres-database.ts';
import { openSqlite } from '../sqlite-database.ts';
import { databaseFile } from '../storage.ts';
import { createLedger, type Ledger } from './open-ledger.ts';

type Write = 'finish' | 'show' | 'settle' | 'release' | 'postpone';
type Step =
  | { kind: 'accept'; conversation: number }
  | { kind: 'claim'; replica: number }
  | { kind: 'die'; replica: number }
  | { kind: 'tell'; replica: number }
  | { kind: Write; replica: number; claim: number }
  | { kind: 'cancel'; conversation: number };

const conversation = fc.nat({ max: 2 });
const claim = fc.nat({ max: 9 });
/** SQLite has one process at a time. */
const replicasOn = { sqlite: 1, postgres: 3 };

/** Steps that are taken at once, one group after the other. */
function groupsOf(replicas: number) {
  const replica = fc.nat({ max: replicas - 1 });
  const ofKind = <Kind extends Step['kind']>(kind: Kind) => fc.constant(kind);
  const write = (weight: number, kind: Write) => ({
    weight,
    arbitrary: fc.record({ kind: ofKind(kind), replica, claim }),
  });
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: ofKind('accept'), conversation }) },
    { weight: 5, arbitrary: fc.record({ kind: ofKind('claim'), replica }) },
    write(4, 'finish'),
    write(2, 'show'),
    write(4, 'settle'),
    write(2, 'release'),
    write(1, 'postpone'),
    { weight: 1, arbitrary: fc.record({ kind: ofKind('cancel'), conversation }) },
    { weight: 2, arbitrary: fc.record({ kind: ofKind('die'), replica }) },
    { weight: 1, arbitrary: fc.record({ kind: ofKind('tell'), replica }) },
  );
  return fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 25 });
}

/** A connection to the database, under an id of its own. */
interface Start {
  claimant: { id: string };
  ledger: Ledger;
}

interface Replica {
  present: Start;
  /** The start before, which does not know yet that it was taken over. */
  former: Start;
  claims: { message: ClaimedMessage; answer: string | null }[];
}

/** Null when others have taken over what is written. */
async function unlessOutdated<Result>(work: Promise<Result>): Promise<Result | null> {
  try {
    return await work;
  } catch (error) {
    if (findStorageError(error)?.detail === 'not_owner') return null;
    throw error;
  }
}

describe.each(engines)('messages among replicas on %s', (engine) => {
  const replicas = replicasOn[engine];
  let place: StoragePlace;
  const databases: Database[] = [];
  const starts: Start[] = [];
  beforeAll(async () => {
    place = await makeMigratedPlace(engine);
    const open = () => (place.databaseUrl === null ? openSqlite(databaseFile(place)) : openPostgres(place.databaseUrl));
    for (let index = 0; index < 2 * replicas + 1; index += 1) {
      // A connection to PostgreSQL writes one batch at a time.
      if (engine === 'postgres' || index === 0) databases.push(await open());
      const claimant = { id: '' };
      starts.push({
        claimant,
        ledger: createLedger(databases.at(-1) as Database, engine, { webhookWaitMs: 0, claimant }),
      });
    }
  });
  afterAll(async () => {
    for (const database of databases) await database.destroy();
    await place.remove();
  });
  const database = () => databases[0] as Database;
  const enter = async (start: Start): Promise<Start> => {
    start.claimant.id = (await enterReplica(database())).id;
    return start;
  };
  const ended = (id: string) =>
    database().updateTable('replicas').set({ state: 'ended', ended_at: now() }).where('id', '=', id).execute();
  const inbound = () =>
    database()
      .selectFrom('messages')
      .select(['uuid', 'conversation_uuid', 'state', 'claim'])
      .where('direction', '=', 'inbound')
      .orderBy('conversation_uuid')
      .orderBy('sequence')
      .execute();

  /** One of a conversation is worked on, the oldest that is left, and each has one answer at most. */
  async function check(): Promise<void> {
    const rows = await inbound();
    for (const uuid of new Set(rows.map(({ conversation_uuid }) => conversation_uuid))) {
      // Those that were cancelled end before their turn.
      const states = rows
        .filter((row) => row.conversation_uuid === uuid && row.state !== 'stopped')
        .map(({ state }) => state);
      expect(states.join(' ')).toMatch(/^(answered ?)*(processing ?)?(received ?)*$/);
    }
    const answers = await database()
      .selectFrom('messages')
      .select('reply_to')
      .where('reply_to', 'is not', null)
      .execute();
    expect(new Set(answers.map(({ reply_to }) => reply_to)).size).toBe(answers.length);
  }

  async function play(groups: readonly Step[][]): Promise<void> {
    for (const table of ['messages', 'conversations', 'replicas'] as const)
      await database().deleteFrom(table).execute();
    const running: Replica[] = [];
    for (let index = 0; index < replicas; index += 1) {
      const [present, former] = [starts[2 * index] as Start, starts[2 * index + 1] as Start];
      former.claimant.id = 'none yet';
      running.push({ present: await enter(present), former, claims: [] });
    }
    const last = await enter(starts.at(-1) as Start);
    let accepted = 0;
    /** The claims with which messages ended. */
    const ends = new Map<string, number>();
    /** Claims whose end was reported to others than their owner, which is right once they have ended. */
    const repeated: { uuid: string; claim: number }[] = [];
    let told = 0;

    /** @returns whether it was written */
    const write = async (kind: Write, { ledger }: Start, held: Replica['claims'][number]): Promise<boolean> => {
      const { message, answer } = held;
      const claimed = { uuid: message.uuid, claim: message.claim };
      if (kind === 'finish') {
        const stored = await unlessOutdated(ledger.deliveries.finishAnswer(message, answerOf('answer'), noRecord));
        held.answer = stored?.message.uuid ?? answer;
        return stored !== null;
      }
      if (kind === 'release') return ledger.messages.release(claimed, null);
      if (kind === 'settle') {
        const ending = answer === null ? null : { uuid: answer, piece: 0, delivery: sent };
        const end = { answer: ending, merged: [], record: null };
        return (await ledger.messages.settle(message, answered, end)) !== null;
      }
      if (answer === null) return false;
      if (kind === 'show') {
        const shown = ledger.deliveries.storeHandle(partOf(answer, 0, message), 'shown');
        return (await unlessOutdated(shown.then(() => true))) === true;
      }
      const later = { reason: 'quota', error: 'later', unconfirmed_since: null, until: now() } as const;
      return ledger.deliveries.postponeDelivery(claimed, { ...later, answer_uuid: answer, piece: 0 });
    };
    /** Writes what may be outdated, and is then refused. What is outdated remains so. */
    const attempt = async (kind: Write, start: Start, held: Replica['claims'][number]): Promise<void> => {
      const { uuid, claim: number } = held.message;
      const before = await database()
        .selectFrom('messages')
        .select(['claim', 'claimed_by'])
        .where('uuid', '=', uuid)
        .executeTakeFirstOrThrow();
      const isOutdated = before.claim > number || before.claimed_by !== start.claimant.id;
      const isWritten = await write(kind, start, held);
      if (kind === 'settle' && isWritten) {
        if (isOutdated) repeated.push({ uuid, claim: number });
        else ends.set(uuid, number);
      } else if (isOutdated) {
        expect(isWritten, `${kind} of an outdated claim`).toBe(false);
      }
    };
    const take = async (step: Step): Promise<void> => {
      if (step.kind === 'accept') {
        accepted += 1;
        const session_id = `person ${step.conversation}`;
        const event = messageEvent(`message ${accepted}`, { session_id });
        await last.ledger.messages.accept(conversationKey({ session_id }), event);
        return;
      }
      if (step.kind === 'cancel') {
        const key = conversationKey({ session_id: `person ${step.conversation}` });
        const current = await last.ledger.conversations.current(key);
        if (current !== null) await last.ledger.messages.stopWaiting(current.uuid, 1_000_000, 'reset');
        return;
      }
      const replica = running[step.replica] as Replica;
      const { present, former, claims } = replica;
      if (step.kind === 'claim') {
        const claimed = await present.ledger.messages.claim({ except: [] }, 2);
        claims.push(...claimed.map((message) => ({ message, answer: null })));
      } else if (step.kind === 'tell') {
        const news = await present.ledger.deliveries.createOutgoing(conversationKey(), [], 'news');
        const settled = present.ledger.deliveries.settleDelivery(partOf(news.uuid, 0, news), sent);
        if ((await unlessOutdated(settled.then(() => true))) === true) told += 1;
      } else if (step.kind === 'die') {
        await ended(present.claimant.id);
        await last.ledger.messages.recover();
        // It is started again, or goes on under a new id, and still tries to write what it claimed before.
        Object.assign(replica, { present: await enter(former), former: present });
      } else {
        const held = claims[step.claim % Math.max(1, claims.length)];
        if (held === undefined) return;
        await attempt(step.kind, former, held);
        await attempt(step.kind, present, held);
      }
    };

    for (const group of groups) {
      await Promise.all(group.map(take));
      for (const { uuid, claim: number } of repeated)
        expect(ends.get(uuid), 'settle of an outdated claim').toBe(number);
      await check();
    }
    // Whatever happened, the rest is answered.
    for (const { present } of running) await ended(present.claimant.id);
    await last.ledger.messages.recover();
    for (;;) {
      const claimed = await last.ledger.messages.claim({ except: [] }, 10);
      if (claimed.length === 0) break;
      for (const message of claimed) {
        const held = { message, answer: null };
        await write('finish', last, held);
        if (await write('settle', last, held)) ends.set(message.uuid, message.claim);
      }
      await check();
    }
    const rows = await inbound();
    expect(rows).toHaveLength(accepted);
    expect(rows.filter(({ state }) => state !== 'answered' && state !== 'stopped')).toEqual([]);
    const claims = rows.flatMap(({ uuid, claim: last, state }) =>
      state === 'answered' ? [[uuid, last] as const] : [],
    );
    expect(new Map(claims)).toEqual(ends);
    const news = database()
      .selectFrom('deliveries')
      .innerJoin('messages', 'messages.uuid', 'deliveries.message_uuid')
      .select('messages.uuid')
      .where('messages.reply_to', 'is', null)
      .where('deliveries.state', '=', 'sent');
    expect(await news.execute()).toHaveLength(told);
    expect(await database().selectFrom('queue').select('conversation_uuid').execute()).toEqual([]);
  }

  it('have one owner, keep their order and are answered once, whichever replica dies', {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(groupsOf(replicas), (groups) => play(groups)),
      { numRuns: runsTried(100) },
    );
  });
});
