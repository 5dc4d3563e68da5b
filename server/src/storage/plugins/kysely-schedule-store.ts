import type {
  ScheduleEnd,
  ScheduleKey,
  ScheduleStore,
  StoredSchedule,
} from '../../core/plugins/schedules/schedule-store.ts';
import type { Database } from '../database.ts';
import { columnsOf } from '../table-columns.ts';

export class KyselyScheduleStore implements ScheduleStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
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
    { plugin_id, name }: ScheduleKey,
    { from, until, run }: Parameters<ScheduleStore['claim']>[1],
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('plugin_schedules')
      .set({ handled_until: until, ...(run && { ...run, ended_at: null, reason: null, error: null }) })
      .where('plugin_id', '=', plugin_id)
      .where('name', '=', name)
      .where('handled_until', '=', from)
      .executeTakeFirst();
    return Number(numUpdatedRows) === 1;
  }

  async end({ plugin_id, name }: ScheduleKey, started_at: string, end: ScheduleEnd): Promise<void> {
    await this.#database
      .updateTable('plugin_schedules')
      .set(end)
      .where('plugin_id', '=', plugin_id)
      .where('name', '=', name)
      .where('started_at', '=', started_at)
      .execute();
  }
}
