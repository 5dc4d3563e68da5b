import { type RawBuilder, sql } from 'kysely';
import { addMilliseconds, dayOf, firstDayFrom, firstHourFrom, hourOf } from '../../core/monitoring/hours.ts';
import { type Measure, type MeasureSource, measuresBySource } from '../../core/monitoring/measures.ts';
import type { SumKey, SumQuery, Sums } from '../../core/monitoring/monitoring-reader.ts';
import type { CountedHours, HourMark, Rollup } from '../../core/monitoring/rollup-store.ts';
import type { Engine } from '../engine.ts';
import { all, isOneOf } from './joined-records.ts';
import {
  type JoinedTable,
  type LedgerSource,
  ledgerSources,
  type SourceKey,
  type SourceMeasure,
} from './ledger-sources.ts';
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
  readonly #engine: Engine;
  readonly #sources: Record<MeasureSource, LedgerSource>;

  constructor(run: RunQuery, engine: Engine) {
    this.#run = run;
    this.#engine = engine;
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
      if (wanted.length > 0) add(await this.#run(this.#countOf(source, wanted, query, counted)));
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
      const { bot, pipeline, model } = source;
      const start: SourceKey = { value: startOfHour(sql.ref(`entry.${source.timestamp}`)), path: [] };
      const keys = { start, bot_uuid: bot, pipeline_uuid: pipeline, model_name: model };
      const rows = await this.#run(
        this.#counted<Rollup>(source, { keys, wanted: measuresBySource[name as MeasureSource], counted: intervals }),
      );
      for (const row of rows) {
        const key = JSON.stringify([row.start, row.bot_uuid, row.pipeline_uuid, row.model_name]);
        rollups.set(key, { ...rollups.get(key), ...row });
      }
    }
    return { rollups: [...rollups.values()], marks };
  }

  #countOf(
    source: LedgerSource,
    wanted: readonly Measure[],
    { by, filter }: SumQuery,
    counted: Expression,
  ): RawBuilder<SumRow> {
    const timestamp = sql.ref(`entry.${source.timestamp}`);
    const { bot, pipeline, model } = source;
    const keys: Record<SumKey, SourceKey> = {
      nothing: { value: sql`''`, path: [] },
      hour: { value: startOfHour(timestamp), path: [] },
      day: { value: startOfDay(timestamp), path: [] },
      bot,
      pipeline,
      model,
    };
    const filters = [
      { key: bot, values: filter.bots },
      { key: pipeline, values: filter.pipelines },
      { key: model, values: filter.models },
    ].flatMap(({ key, values }) => (values === undefined ? [] : [{ key, values }]));
    return this.#counted<SumRow>(source, { keys: { key: keys[by] }, filters, wanted, counted });
  }

  /** Sums of the rows of a source in intervals. Only the tables are joined that keys and filters are found in. */
  #counted<Row>(
    source: LedgerSource,
    {
      keys,
      filters = [],
      wanted,
      counted,
    }: {
      keys: Readonly<Record<string, SourceKey>>;
      filters?: readonly { key: SourceKey; values: readonly string[] }[];
      wanted: readonly Measure[];
      counted: Expression;
    },
  ): RawBuilder<Row> {
    const { table, only, rare } = source;
    const sums = wanted.map((measure) => [measure, source.measures[measure] ?? noMeasure] as const);
    const columns: Record<string, Expression> = {};
    for (const [name, { value }] of Object.entries(keys)) columns[name] = value;
    for (const [, measure] of sums) Object.assign(columns, measure.columns);
    const joins = new Set([...Object.values(keys), ...filters.map(({ key }) => key)].flatMap(({ path }) => path));
    const timestamp = sql.ref(`entry.${source.timestamp}`);
    const isRare = rare !== undefined && wanted.every((measure) => rare.measures.includes(measure));
    const conditions = [
      sql`${timestamp} >= counted.a and ${timestamp} <= counted.b`,
      ...(only === undefined ? [] : [only]),
      ...(isRare ? [rare.only] : []),
      ...[...joins].map(({ on }) => on),
      ...filters.flatMap(({ key, values }) => isOneOf(key.value, values)),
    ];
    // Without it, either engine computes a column again for each sum that it is used in.
    const once = this.#engine === 'sqlite' ? sql`limit -1` : sql`offset 0`;
    return sql<Row>`
      with counted (a, b) as (${counted})
      select ${sql.join(Object.keys(keys).map((name) => sql.ref(name)))},
        ${sql.join(sums.map(([name, { sum }]) => sql`cast(coalesce(${sum}, 0) as bigint) as ${sql.ref(name)}`))}
      from (
        select ${sql.join(Object.entries(columns).map(([name, value]) => sql`${value} as ${sql.ref(name)}`))}
        from counted cross join ${sql.table(table)} as entry ${sql.join([...joins].map(joined), sql` `)}
        where ${all(conditions)} ${once}
      ) as entries
      group by ${sql.join(Object.keys(keys).map((_, index) => sql.lit(index + 1)))}`;
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

const noMeasure: SourceMeasure = { columns: {}, sum: sql`0` };

/** The kind of join prevents an engine from starting with anything but the entries. */
function joined({ table }: JoinedTable): Expression {
  return sql`cross join ${sql.table(table)}`;
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
      and ${filterOfRollups(query)}
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
      and ${filterOfRollups(query)}
    group by 1`;
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

function filterOfRollups({ filter }: SumQuery): Expression {
  return all([
    ...isOneOf(sql.ref('bot_uuid'), filter.bots),
    ...isOneOf(sql.ref('pipeline_uuid'), filter.pipelines),
    ...isOneOf(sql.ref('model_name'), filter.models),
  ]);
}
