import { type RawBuilder, sql } from 'kysely';
import { addMilliseconds, dayOf, firstDayFrom, firstHourFrom, hourOf } from '../../core/monitoring/hours.ts';
import { type Measure, type MeasureSource, measuresBySource } from '../../core/monitoring/measures.ts';
import type { SumKey, SumQuery, Sums } from '../../core/monitoring/monitoring-reader.ts';
import type { CountedHours, HourMark, Rollup } from '../../core/monitoring/rollup-store.ts';
import type { Engine } from '../engine.ts';
import { all, isOneOf } from './joined-records.ts';
import { type LedgerSource, ledgerSources } from './ledger-sources.ts';
import type { RunQuery } from './run-query.ts';

/** Name in `metadata` of the hour up to which, exclusive, everything is summed up. */
export const summedUpUntil = 'monitoring_until';

type Expression = RawBuilder<unknown>;
type SumRow = { key: string } & Partial<Record<Measure, number>>;

const firstOfAll = '0000-01-01T00:00:00.000Z';
const lastOfAll = '9999-12-31T23:59:59.999Z';
const endOfHour = (hour: Expression) => sql`substr(${hour}, 1, 13) || ':59:59.999Z'`;
const startOfDay = (timestamp: Expression) => sql`substr(${timestamp}, 1, 10) || 'T00:00:00.000Z'`;
const startOfHour = (timestamp: Expression) => sql`substr(${timestamp}, 1, 13) || ':00:00.000Z'`;

/** A time interval, both ends inclusive. */
type Interval = readonly [from: string, to: string];

/** The parts of a window: daily sums, hourly sums, and rows to count. */
interface Plan {
  /** Exclusive end; equal to the start when there are none. */
  days: Interval;
  /** Inclusive, start times of hours. */
  hours: Interval[];
  counted: Interval[];
  /** Hours of these, exclusive end, are counted when they are marked. */
  summedUp: Interval;
}

/** Adds rollups and counts the rest, in one snapshot of the database. */
export class Figures {
  readonly #run: RunQuery;
  readonly #sources: Record<MeasureSource, LedgerSource>;

  constructor(run: RunQuery, engine: Engine) {
    this.#run = run;
    this.#sources = ledgerSources(engine);
  }

  async sums(query: SumQuery): Promise<Sums> {
    const { from = firstOfAll, to = lastOfAll } = query.filter;
    const plan = await this.#plan(from, to, query.by === 'hour');
    const sums: Sums = new Map();
    const add = (rows: SumRow[]) => {
      for (const { key, ...row } of rows) {
        const sum = sums.get(key) ?? {};
        for (const measure of query.measures) sum[measure] = (sum[measure] ?? 0) + Number(row[measure] ?? 0);
        sums.set(key, sum);
      }
    };
    if (plan.days[0] < plan.days[1]) add(await this.#run(summedDays(query, plan.days)));
    if (plan.summedUp[0] < plan.summedUp[1]) add(await this.#run(summedHours(query, plan)));
    const counted = countedIntervals(plan);
    for (const [name, source] of Object.entries(this.#sources)) {
      const wanted = measuresBySource[name as MeasureSource].filter((measure) => query.measures.includes(measure));
      if (wanted.length > 0) add(await this.#run(countOf(source, wanted, query, counted)));
    }
    return sums;
  }

  /** Counts whole hours in the ledger, however they were summed up before. */
  async countHours(hours: readonly string[]): Promise<CountedHours> {
    const marks = await this.#run(
      sql<HourMark>`select id, hour from monitoring_marks where hour in (${sql.join([...hours])})`,
    );
    const intervals = sql`select a, b from (${sql.join(
      hours.map((hour) => interval([hour, addMilliseconds(hour, 3_600_000 - 1)])),
      sql` union all `,
    )}) as wanted`;
    const rollups = new Map<string, Rollup>();
    for (const [name, source] of Object.entries(this.#sources)) {
      const start = startOfHour(sql.ref(`entry.${source.timestamp}`));
      const { bot, pipeline, model } = source;
      const rows = await this.#run(sql<Rollup>`
        with counted (a, b) as (${intervals})
        select ${start} as start, ${bot} as bot_uuid, ${pipeline} as pipeline_uuid, ${model} as model_name,
          ${sumsOf(source, measuresBySource[name as MeasureSource])}
        ${entries(source)} group by 1, 2, 3, 4`);
      for (const row of rows) {
        const key = JSON.stringify([row.start, row.bot_uuid, row.pipeline_uuid, row.model_name]);
        rollups.set(key, { ...rollups.get(key), ...row });
      }
    }
    return { rollups: [...rollups.values()], marks };
  }

  async #plan(from: string, to: string, byHour: boolean): Promise<Plan> {
    const [row] = await this.#run(
      sql<{ value: string }>`select value from metadata where key = ${sql.lit(summedUpUntil)}`,
    );
    const until = row?.value ?? '';
    const justCounted: Plan = { days: ['', ''], hours: [], counted: [[from, to]], summedUp: ['', ''] };
    if (from >= until || from > to) return justCounted;
    const begin = firstHourFrom(from);
    const end = to >= until ? until : hourOf(addMilliseconds(to, 1));
    if (begin >= end) return justCounted;
    const counted: Interval[] = [];
    if (from < begin) counted.push([from, addMilliseconds(begin, -1)]);
    if (end <= to) counted.push([end, to]);
    const [firstDay, endDay] = [firstDayFrom(begin), dayOf(end)];
    const summedUp: Interval = [begin, end];
    if (byHour || firstDay >= endDay) return { days: ['', ''], hours: [[begin, before(end)]], counted, summedUp };
    const hours: Interval[] = [];
    if (begin < firstDay) hours.push([begin, before(firstDay)]);
    if (endDay < end) hours.push([endDay, before(end)]);
    return { days: [firstDay, endDay], hours, counted, summedUp };
  }
}

function before(timestamp: string): string {
  return addMilliseconds(timestamp, -1);
}

function interval([from, to]: Interval): Expression {
  return sql`select cast(${from} as text) as a, cast(${to} as text) as b`;
}

/** What to count: the ends of the window, and dirty hours in between. */
function countedIntervals({ counted, summedUp: [begin, end] }: Plan): Expression {
  const marked = sql`select hour as a, ${endOfHour(sql.ref('hour'))} as b from monitoring_marks
    where hour >= ${begin} and hour < ${end}`;
  return sql.join([...counted.map(interval), marked], sql` union `);
}

const isMarked = sql`monitoring_rollups.start in (select hour from monitoring_marks)`;

function summedDays(query: SumQuery, [begin, end]: Interval): RawBuilder<SumRow> {
  return sql<SumRow>`
    select ${keyOfRollup(query.by)} as key, ${sumsOfRollups(query.measures)} from monitoring_rollups
    where span = 'day' and start >= ${begin} and start < ${end}
      and start not in (select ${startOfDay(sql.ref('hour'))} from monitoring_marks)
      and ${filterOf(query, 'monitoring_rollups')}
    group by 1`;
}

/** The hours at the ends, and those of days in which an hour is marked. */
function summedHours(query: SumQuery, { days: [firstDay, endDay], hours }: Plan): RawBuilder<SumRow> {
  const ofMarkedDays = sql`
    select ${startOfDay(sql.ref('hour'))} as a, substr(hour, 1, 10) || 'T23:59:59.999Z' as b from monitoring_marks
    where hour >= ${firstDay} and hour < ${endDay}`;
  return sql<SumRow>`
    with ranges (a, b) as (${sql.join([...hours.map(interval), ofMarkedDays], sql` union `)})
    select ${keyOfRollup(query.by)} as key, ${sumsOfRollups(query.measures)}
    from ranges cross join monitoring_rollups
    where span = 'hour' and start >= ranges.a and start <= ranges.b and not (${isMarked})
      and ${filterOf(query, 'monitoring_rollups')}
    group by 1`;
}

function countOf(
  source: LedgerSource,
  wanted: readonly Measure[],
  query: SumQuery,
  counted: Expression,
): RawBuilder<SumRow> {
  const timestamp = sql.ref(`entry.${source.timestamp}`);
  const keys: Record<SumKey, Expression> = {
    nothing: sql`''`,
    hour: startOfHour(timestamp),
    day: startOfDay(timestamp),
    bot: source.bot,
    pipeline: source.pipeline,
    model: source.model,
  };
  return sql<SumRow>`
    with counted (a, b) as (${counted})
    select ${keys[query.by]} as key, ${sumsOf(source, wanted)}
    ${entries(source)} and ${filterOf(query, source)}
    group by 1`;
}

/** The rows of a source in the intervals of `counted`. */
function entries({ table, timestamp, join = sql``, only = sql`1 = 1` }: LedgerSource): Expression {
  const column = sql.ref(`entry.${timestamp}`);
  return sql`
    from counted cross join ${sql.table(table)} as entry ${join}
    where ${column} >= counted.a and ${column} <= counted.b and ${only}`;
}

function sumsOf(source: LedgerSource, wanted: readonly Measure[]): Expression {
  return sql.join(
    wanted.map((measure) => sql`cast(coalesce(${source.measures[measure]}, 0) as bigint) as ${sql.ref(measure)}`),
  );
}

function sumsOfRollups(wanted: readonly Measure[]): Expression {
  return sql.join(
    wanted.map((measure) => sql`cast(coalesce(sum(${sql.ref(measure)}), 0) as bigint) as ${sql.ref(measure)}`),
  );
}

function keyOfRollup(by: SumKey): Expression {
  switch (by) {
    case 'nothing':
      return sql`''`;
    case 'hour':
      return sql.ref('start');
    case 'day':
      return startOfDay(sql.ref('start'));
    default:
      return sql.ref(by === 'model' ? 'model_name' : `${by}_uuid`);
  }
}

function filterOf({ filter }: SumQuery, from: LedgerSource | 'monitoring_rollups'): Expression {
  const columns =
    from === 'monitoring_rollups'
      ? { bot: sql.ref('bot_uuid'), pipeline: sql.ref('pipeline_uuid'), model: sql.ref('model_name') }
      : from;
  return all([
    ...isOneOf(columns.bot, filter.bots),
    ...isOneOf(columns.pipeline, filter.pipelines),
    ...isOneOf(columns.model, filter.models),
  ]);
}
