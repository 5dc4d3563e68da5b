import type { Transaction } from 'kysely';
import type {
  ScheduleEnd,
  ScheduleKey,
  ScheduleStore,
  StoredSchedule,
} from '../../core/plugins/schedules/schedule-store.ts';
import { now } from '../../lib/clock.ts';
import type { Database, Tables } from '../database.ts';
import type { Claimant } from '../replicas/claimant.ts';
import { isAbandoned, type TakesOver } from '../replicas/replica-rows.ts';
import { columnsOf } from '../table-columns.ts';

export class KyselyScheduleStore implements ScheduleStore, TakesOver {
  readonly #database: Database;
  readonly #claimant: Claimant;

  constructor(database: Database, claimant: Claimant) {
    this.#database = database;
    this.#claimant = claimant;
  }

  list(): Promise<StoredSchedule[]> {
    return this.#database
      .selectFrom('plugin_schedules')
      .select(columnsOf('plugin_schedules'))
      .orderBy('plugin_id')
      .orderBy('name')
      .execute();
  }

  async save({ plugin_id, name, cron, time_zone, handled_until }: Parameters<ScheduleStore['save']>[0]): Promise<void> {
    const set = { cron, time_zone, handled_until };
    await this.#database
      .insertInto('plugin_schedules')
      .values({ plugin_id, name, ...set })
      .onConflict((conflict) => conflict.columns(['plugin_id', 'name']).doUpdateSet(set))
      .execute();
  }

  async remove({ plugin_id, name }: ScheduleKey): Promise<void> {
    await this.#database
      .deleteFrom('plugin_schedules')
      .where('plugin_id', '=', plugin_id)
      .where('name', '=', name)
      .execute();
  }

  async claim(
    key: ScheduleKey,
    { from, until, run }: Parameters<ScheduleStore['claim']>[1],
  ): Promise<'begun' | 'skipped' | null> {
    const { id } = this.#claimant;
    if (run !== null) {
      const { numUpdatedRows } = await this.#claimable(key, from)
        .set({ ...run, handled_until: until, claimed_by: id, ended_at: null, reason: null, error: null })
        // A run of this replica is over, although its end could not be stored: else there would be none to begin.
        .where(({ eb, or }) => or([eb('claimed_by', 'is', null), eb('claimed_by', '=', id)]))
        .executeTakeFirst();
      if (numUpdatedRows === 1n) return 'begun';
    }
    const { numUpdatedRows } = await this.#claimable(key, from).set({ handled_until: until }).executeTakeFirst();
    return numUpdatedRows === 1n ? 'skipped' : null;
  }

  async end({ plugin_id, name }: ScheduleKey, started_at: string, end: ScheduleEnd): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('plugin_schedules')
      .set({ ...end, claimed_by: null })
      .where('plugin_id', '=', plugin_id)
      .where('name', '=', name)
      .where('started_at', '=', started_at)
      .where('claimed_by', '=', this.#claimant.id)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  async recover(endedAt: string): Promise<void> {
    await endAbandoned(this.#database, endedAt);
  }

  async takeOver(transaction: Transaction<Tables>): Promise<void> {
    await endAbandoned(transaction, now());
  }

  #claimable({ plugin_id, name }: ScheduleKey, from: string) {
    return this.#database
      .updateTable('plugin_schedules')
      .where('plugin_id', '=', plugin_id)
      .where('name', '=', name)
      .where('handled_until', '=', from);
  }
}

async function endAbandoned(database: Database, ended_at: string): Promise<void> {
  await database
    .updateTable('plugin_schedules')
    .set({ ended_at, reason: 'interrupted', error: 'The service ended during the run', claimed_by: null })
    .where('started_at', 'is not', null)
    .where('ended_at', 'is', null)
    .where(isAbandoned<'plugin_schedules'>('plugin_schedules.claimed_by'))
    .execute();
}
