import { setTimeout as wait } from 'node:timers/promises';
import { CompiledQuery, type Transaction } from 'kysely';
import type { RecordVersions } from '../../core/records/record-versions.ts';
import { type CancelledAnswer, dueWorkKinds } from '../../core/replicas/due-work.ts';
import { followDatabase, now } from '../../lib/clock.ts';
import { elapsed as elapsedTime } from '../../lib/elapsed.ts';
import { findStorageError } from '../../lib/storage-error.ts';
import { newUuid } from '../../lib/uuid.ts';
import { untilAborted } from '../../lib/waiting.ts';
import type { Tables } from '../database.ts';
import { newestMigration } from '../migrations/index.ts';
import { requireKnownTables } from '../migrations/migrate.ts';
import { notOwnerError } from '../ownership.ts';
import type { PostgresKysely } from '../postgres-database.ts';
import { BeatSession, isSilent } from './beat-session.ts';
import { type Beat, type BeatTiming, beatTiming, DeathWatch, OwnBeat } from './liveness.ts';
import type { Replica, SeenAtBeat } from './replica.ts';
import { ReplicaLeases } from './replica-leases.ts';
import { endReplica, type TakesOver } from './replica-rows.ts';
import * as statements from './replica-statements.ts';

export interface PostgresReplicaOptions {
  /** Names the data folder, which this process has locked. */
  folder: string;
  /** Of the program. */
  version: string;
  timing?: Partial<BeatTiming> | undefined;
  /** Milliseconds, as {@link elapsedTime} tells them. */
  elapsed?: (() => number) | undefined;
}

/**
 * A replica on PostgreSQL. It raises its beat on a connection of its own, and may work while the last beat that succeeded
 * was sent a short time ago. It takes over the work of those whose beat stands still.
 */
export class PostgresReplica implements Replica {
  readonly #database: PostgresKysely;
  readonly #folder: string;
  readonly #version: string;
  readonly worksWithOthers = true;
  readonly #timing: BeatTiming;
  readonly #elapsed: () => number;
  readonly #session: BeatSession;
  readonly #watch: DeathWatch;
  readonly #stores: TakesOver[] = [];
  readonly #fenced: ((why: string) => void)[] = [];
  readonly #freed: (() => void)[] = [];
  readonly #replaced: (() => void)[] = [];
  readonly #takenOver: (() => void)[] = [];
  readonly #failed: ((error: unknown) => void)[] = [];
  readonly #beaten: ((seen: SeenAtBeat) => void)[] = [];
  readonly leases: ReplicaLeases;
  readonly #closing = new AbortController();
  /** Ends the pause between two beats. */
  #hurry = new AbortController();
  #id: string;
  #address: string | null = null;
  /** Null until the row is entered. */
  #beat: OwnBeat | null = null;
  #isFree = false;
  /** It takes no leases any more. */
  #isDraining = false;
  #hasWorked = false;
  /** Work may have been left by others since it worked. */
  #isOutdated = false;
  #working = abortedController();
  #firstFree = Promise.withResolvers<void>();
  #fenceTimer: NodeJS.Timeout | undefined;
  #lastFault: unknown = null;
  #running: Promise<void> = Promise.resolve();
  readonly #takingOver = new OneAtATime();
  readonly #resuming = new OneAtATime();

  private constructor(url: string, id: string, database: PostgresKysely, options: PostgresReplicaOptions) {
    this.#id = id;
    this.#database = database;
    this.#folder = options.folder;
    this.#version = options.version;
    this.#elapsed = options.elapsed ?? elapsedTime;
    this.#timing = { ...beatTiming, ...options.timing };
    this.#session = new BeatSession(url, () => statements.sessionName(this.#id), this.#timing.answer);
    this.#watch = new DeathWatch(this.#timing);
    this.leases = new ReplicaLeases({
      id: () => this.#id,
      mayWork: () => this.mayWork,
      hurry: () => this.hurry(),
      timing: this.#timing,
    });
  }

  /**
   * Enters a replica, which then takes over what earlier ones left on its data folder.
   * @param id which the connections of the database are named after
   * @throws StorageError
   */
  static async enter(
    url: string,
    id: string,
    database: PostgresKysely,
    options: PostgresReplicaOptions,
  ): Promise<PostgresReplica> {
    const replica = new PostgresReplica(url, id, database, options);
    try {
      await replica.#step();
      await replica.#step();
    } catch (error) {
      replica.#session.cut();
      throw error;
    }
    replica.#running = replica.#run();
    return replica;
  }

  get id(): string {
    return this.#id;
  }

  get mayWork(): boolean {
    return this.#isFree && this.#left() > 0;
  }

  get isBeating(): boolean {
    return this.#left() > this.#timing.fence - this.#timing.late;
  }

  get working(): AbortSignal {
    return this.#working.signal;
  }

  assertMayWork(): void {
    if (!this.mayWork) throw notOwnerError();
  }

  onFenced(listener: (why: string) => void): void {
    this.#fenced.push(listener);
  }

  onFree(listener: () => void): void {
    this.#freed.push(listener);
  }

  onReplaced(listener: () => void): void {
    this.#replaced.push(listener);
  }

  onTakeover(listener: () => void): void {
    this.#takenOver.push(listener);
  }

  onTakeoverFailed(listener: (error: unknown) => void): void {
    this.#failed.push(listener);
  }

  register(...stores: readonly TakesOver[]): void {
    this.#stores.push(...stores);
  }

  onBeat(listener: (seen: SeenAtBeat) => void): void {
    this.#beaten.push(listener);
  }

  hurry(): void {
    this.#hurry.abort();
  }

  announce(address: string | null): void {
    this.#address = address;
  }

  get beatAges(): ReadonlyMap<string, number> {
    const present = this.#elapsed();
    const own = this.#timing.fence - this.#left();
    return new Map([...this.#watch.ages(present), [this.#id, Math.max(0, own)]]);
  }

  async assertHolds(transaction: Transaction<Tables>, lease: string): Promise<void> {
    const token = this.leases.token(lease);
    if (token === null) throw notOwnerError();
    const row = await transaction
      .selectFrom('leases')
      .select('name')
      .where('name', '=', lease)
      .where('replica', '=', this.#id)
      .where('token', '=', token)
      // A replica that takes it over waits for this transaction, or has ended it.
      .forShare()
      .executeTakeFirst();
    if (row === undefined) throw notOwnerError();
  }

  drain(): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    this.leases.leaveBots();
    this.hurry();
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  async whenFree(signal: AbortSignal): Promise<void> {
    await untilAborted(this.#firstFree.promise, signal);
  }

  async leave(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#fenceTimer);
    this.#isFree = false;
    this.#working.abort(notOwnerError());
    await Promise.all([this.#running, this.#takingOver.ended, this.#resuming.ended]);
    // Without it, others take its leases when they have seen its beat stand still.
    if (this.#beat !== null) await this.#session.ask(statements.leave, [this.#id, now()]).catch(() => {});
    await this.#session.close();
  }

  async #run(): Promise<void> {
    let pause = this.#timing.beat;
    while (true) {
      await this.#pause(pause);
      if (this.#closing.signal.aborted) return;
      const begun = this.#elapsed();
      pause = await this.#step().then(
        () => this.#timing.beat,
        (error: unknown) => this.#stepFailed(error),
      );
      pause -= this.#elapsed() - begun;
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    const signal = AbortSignal.any([this.#closing.signal, this.#hurry.signal]);
    await wait(Math.max(0, milliseconds), undefined, { signal }).catch(() => {});
    if (this.#hurry.signal.aborted) this.#hurry = new AbortController();
  }

  async #step(): Promise<void> {
    if (this.#beat === null) await this.#enter();
    else await this.#raise(this.#beat);
  }

  /** @returns time until the next attempt, milliseconds */
  #stepFailed(error: unknown): number {
    this.#lastFault = error;
    this.#watch.failed();
    return this.#timing.retry;
  }

  async #enter(): Promise<void> {
    // A pooler may have given the sessions to others; what is idle in a transaction is ended after a while anyway.
    if (await this.#database.isDirect()) {
      await this.#session.ask(statements.endSessionsOfFolder, [this.#folder, this.#id]);
    }
    const sent = this.#elapsed();
    await this.#session.ask(statements.enter, [this.#folder, this.#id, this.#version, now(), newestMigration]);
    await this.#requireKnownTables();
    this.#beat = new OwnBeat(this.#timing, sent);
    this.hurry();
  }

  /** Tables are narrowed only while no replica has entered that does not know of that, or after it has read this. */
  async #requireKnownTables(): Promise<void> {
    try {
      await requireKnownTables(this.#database);
    } catch (error) {
      if (findStorageError(error) === null) await this.#session.ask(statements.leave, [this.#id, now()]);
      throw error;
    }
  }

  async #raise(own: OwnBeat): Promise<void> {
    const { least, most, next } = own.raise();
    const [sent, asked] = [this.#elapsed(), Date.now()];
    const mayTake = this.#isFree && !this.#isDraining;
    const wishes = JSON.stringify(this.leases.wishes({ mayTake, present: sent }));
    const values = [this.#id, next, least, most, wishes, this.#address, this.#state];
    const [row] = await this.#session.ask<statements.BeatRow>(statements.beat, values);
    if (this.#closing.signal.aborted) return;
    if (row !== undefined) followDatabase({ database: row.present, sent: asked, answered: Date.now() });
    if (row?.is_stored !== true) return this.#replace();
    const answered = this.#elapsed();
    // No timer ran, as after the process was stopped.
    if (own.left(answered) <= 0) this.#fence();
    own.succeeded(next, sent);
    this.#lastFault = null;
    this.#fenceInTime();
    const others = row.replicas.filter(({ id }) => id !== this.#id);
    const dead = this.#watch.succeeded(others, { sent, answered });
    const sharers = row.replicas.filter(({ id, state }) => (id === this.#id ? this.#state : state) === 'live');
    const state = { botStateVersion: row.bot_state_version };
    const seen = { replicas: others, versions: versionsIn(row), ...state, ...workIn(row) };
    for (const listener of this.#beaten) listener(seen);
    this.leases.beaten(row, { sharers: sharers.map(({ id }) => id), present: answered });
    this.#goOn();
    if (dead.length > 0) this.#takingOver.start(() => this.#takeOver(dead));
  }

  get #state(): 'waiting' | 'live' | 'draining' {
    if (this.#isDraining) return 'draining';
    return this.#isFree ? 'live' : 'waiting';
  }

  /** How long it may work still, milliseconds. */
  #left(): number {
    return this.#beat?.left(this.#elapsed()) ?? 0;
  }

  #fenceInTime(): void {
    clearTimeout(this.#fenceTimer);
    const left = this.#left();
    if (left <= 0) this.#fence();
    else this.#fenceTimer = setTimeout(() => this.#fenceInTime(), left).unref();
  }

  #fence(why = 'none of its beats has succeeded for a while'): void {
    if (!this.#isFree) return;
    this.#isFree = false;
    // The server does not answer on the other connections either, and nothing else ends what waits there.
    if (isSilent(this.#lastFault)) this.#database.cutConnections();
    this.#working.abort(notOwnerError());
    for (const listener of this.#fenced) listener(why);
  }

  #goOn(): void {
    if (this.#isFree || this.#left() <= 0) return;
    if (this.#isOutdated) {
      this.#resuming.start(() => this.#resume());
      return;
    }
    this.#isFree = true;
    this.#working = new AbortController();
    this.#firstFree.resolve();
    if (this.#hasWorked) for (const listener of this.#freed) listener();
    this.#hasWorked = true;
  }

  /** Its own work under the former id may not have been taken over, as when its row is gone. */
  async #resume(): Promise<void> {
    const id = this.#id;
    try {
      await this.#database.transaction().execute((transaction) => this.#takeOverRows(transaction));
    } catch (error) {
      // The next beat tries again.
      for (const listener of this.#failed) listener(error);
      return;
    }
    if (this.#id !== id || this.#closing.signal.aborted) return;
    this.#isOutdated = false;
    this.#goOn();
  }

  /** Its row has ended, or the server has lost beats that it had stored. */
  #replace(): void {
    this.#fence('others have taken its work over');
    clearTimeout(this.#fenceTimer);
    this.#id = newUuid();
    this.#beat = null;
    this.leases.replaced();
    this.#isOutdated = this.#hasWorked;
    this.#watch.failed();
    this.#session.cut();
    this.#database.nameConnections(statements.sessionName(this.#id));
    this.hurry();
    for (const listener of this.#replaced) listener();
  }

  async #takeOver(dead: readonly Beat[]): Promise<void> {
    for (const one of dead) {
      try {
        // Before anything waits for the locks that they hold.
        const ending = CompiledQuery.raw(statements.endSessionsOf, [one.id, one.beat]);
        if (await this.#database.isDirect()) await this.#database.reserved.executeQuery(ending);
        const isTaken = await this.#database.transaction().execute(async (transaction) => {
          if (!(await endReplica(transaction, one, this.#id))) return false;
          await this.#takeOverRows(transaction);
          return true;
        });
        if (!isTaken) continue;
        this.hurry();
        for (const listener of this.#takenOver) listener();
      } catch (error) {
        // The next beat tries again.
        for (const listener of this.#failed) listener(error);
      }
    }
  }

  async #takeOverRows(transaction: Transaction<Tables>): Promise<void> {
    for (const store of this.#stores) await store.takeOver(transaction);
  }
}

function versionsIn({ record_version, access_version, extension_version }: statements.BeatRow): RecordVersions {
  return { records: record_version, access: access_version, extensions: extension_version };
}

function workIn({
  due,
  cancelled_answers,
  cancelled_tasks,
}: statements.BeatRow): Pick<SeenAtBeat, 'due' | 'cancelled'> {
  // As they were stored.
  const answers = cancelled_answers as CancelledAnswer[];
  return { due: dueWorkKinds.filter((work) => due[work]), cancelled: { answers, tasks: cancelled_tasks } };
}

/** Work that is not started again while it runs. */
class OneAtATime {
  #isRunning = false;
  ended: Promise<void> = Promise.resolve();

  start(work: () => Promise<void>): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.ended = work().finally(() => {
      this.#isRunning = false;
    });
  }
}

function abortedController(): AbortController {
  const controller = new AbortController();
  controller.abort(notOwnerError());
  return controller;
}
