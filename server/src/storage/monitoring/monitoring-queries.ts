import { sql } from 'kysely';
import { addMilliseconds, dayOf, startOfNextDay } from '../../core/monitoring/hours.ts';
import type {
  BatchQuery,
  CallerUsage,
  FeedbackCount,
  MessageDetails,
  MonitoringFilter,
  MonitoringReader,
  RecordBatch,
  RecordFilter,
  RecordPage,
  RecordQuery,
  SessionStory,
  SumQuery,
  Sums,
} from '../../core/monitoring/monitoring-reader.ts';
import type { RecordKind } from '../../core/monitoring/records.ts';
import type { CountedHours } from '../../core/monitoring/rollup-store.ts';
import type { Engine } from '../engine.ts';
import { embeddingCallSource, llmCallSource, llmCallsOf, toLlmCall, toolCallSource } from './call-sources.ts';
import { usageOfCallers } from './caller-source.ts';
import { errorSource, errorsOf } from './error-source.ts';
import { feedbackCounts, feedbackSource } from './feedback-source.ts';
import { Figures } from './figures.ts';
import { all, ofSessions } from './joined-records.ts';
import { messageByUuid, messageSource } from './message-source.ts';
import type { RecordRange, RecordSource } from './record-source.ts';
import type { RunQuery } from './run-query.ts';
import { activeSessions, sessionById, sessionSource } from './session-source.ts';

const sources = {
  messages: messageSource,
  'llm-calls': llmCallSource,
  'tool-calls': toolCallSource,
  'embedding-calls': embeddingCallSource,
  errors: errorSource,
  sessions: sessionSource,
  feedback: feedbackSource,
} as unknown as { [Kind in RecordKind]: RecordSource<Kind> };

/** Messages to scan when matching records are rare. */
const fewMessages = 5000;
/** Errors in a session analysis. */
const errorsOfStory = 100;

interface Window {
  from: string;
  to: string;
}

/** Hours or days in which there are records. */
interface Stretch extends Window {
  count: number;
}

/** The queries of monitoring. They may be slow, so they run in a separate thread or connection. */
export class MonitoringQueries implements MonitoringReader {
  readonly #run: RunQuery;
  readonly #figures: Figures;

  /** @param run runs queries in one snapshot of the database */
  constructor(run: RunQuery, engine: Engine) {
    this.#run = run;
    this.#figures = new Figures(run, engine);
  }

  sums(query: SumQuery): Promise<Sums> {
    return this.#figures.sums(query);
  }

  countHours(hours: readonly string[]): Promise<CountedHours> {
    return this.#figures.countHours(hours);
  }

  async activeSessions(filter: MonitoringFilter): Promise<number> {
    const [row] = await this.#run(activeSessions(filter));
    return row?.active ?? 0;
  }

  async page<Kind extends RecordKind>(query: RecordQuery<Kind>): Promise<RecordPage<Kind>> {
    const source = sources[query.kind];
    const { filter, limit, offset, active_since: activeSince } = query;
    const range = { filter, limit, offset, after: null, activeSince };
    // Sums know nothing of sessions.
    if (source.measures === null || filter.sessions !== undefined) {
      const [row] = await this.#run(source.count(range));
      return { records: await this.#records(source, range), total: row?.total ?? 0 };
    }
    const days = await this.#stretches(source, filter, 'day');
    const total = days.reduce((sum, { count }) => sum + count, 0);
    if (limit === 0 || offset >= total) return { records: [], total };
    const someDays = holding(days, offset, limit);
    const hours = await this.#stretches(source, { ...filter, ...someDays.window }, 'hour');
    const someHours = holding(hours, someDays.skip, limit);
    const isSparse = await this.#isSparse(filter);
    const within = { ...range, filter: { ...filter, ...someHours.window }, offset: someHours.skip, isSparse };
    return { records: await this.#records(source, within), total };
  }

  async batch<Kind extends RecordKind>(query: BatchQuery<Kind>): Promise<RecordBatch<Kind>> {
    const source = sources[query.kind];
    const { filter, limit, after, active_since: activeSince } = query;
    const range = { filter, limit, offset: 0, after, activeSince };
    if (source.measures === null || filter.sessions !== undefined) return this.#batch(source, range);
    const until = after === null ? filter.to : earlier(filter.to, after.timestamp);
    const ofDay = async ({ from, to }: { from: string; to: string | undefined }) => {
      const batch = await this.#batch(source, { ...range, filter: { ...filter, from, to } });
      return batch.next === null ? { ...batch, next: placeBefore(from) } : batch;
    };
    if (after !== null && after.id !== '') {
      const batch = await ofDay({ from: later(filter.from, dayOf(after.timestamp)), to: until });
      if (batch.records.length > 0) return batch;
    }
    // Days without any are passed over.
    for (const day of await this.#stretches(source, { ...filter, to: until }, 'day')) {
      const batch = await ofDay(day);
      if (batch.records.length > 0) return batch;
    }
    return { records: [], next: null };
  }

  async messageDetails(uuid: string): Promise<MessageDetails | null> {
    const [row] = await this.#run(messageByUuid(uuid));
    if (row === undefined) return null;
    const { record: message } = messageSource.placed(row);
    const [asked] = await this.#run(
      sql<{ uuid: string }>`select coalesce(reply_to, uuid) as uuid from messages where uuid = ${uuid}`,
    );
    const question = asked?.uuid ?? uuid;
    return {
      message,
      llm_calls: (await this.#run(llmCallsOf(question))).map(toLlmCall),
      errors: (await this.#run(errorsOf(question))).map((error) => errorSource.placed(error).record),
    };
  }

  async sessionStory(sessionId: string, filter: MonitoringFilter, activeSince: string): Promise<SessionStory | null> {
    const [row] = await this.#run(sessionById(sessionId, filter, activeSince));
    if (row === undefined) return null;
    const { record: session } = sessionSource.placed(row);
    const own: RecordFilter = { bots: [row.bot_id], sessions: [sessionId] };
    const chat = sql`
      from conversations cross join messages
      where conversations.bot_uuid = ${row.bot_id} and ${all(ofSessions(own.sessions))}
        and messages.conversation_uuid = conversations.uuid`;
    const [messages] = await this.#run(sql<SessionStory['messages']>`
      select cast(count(*) as integer) as total,
        ${amount("messages.state in ('answered', 'stopped', 'finished')")} as success,
        ${amount("messages.state in ('failed', 'uncertain')")} as error,
        ${amount("messages.state in ('received', 'processing', 'writing')")} as pending ${chat}`);
    const [calls] = await this.#run(sql<SessionStory['llm_calls']>`
      select cast(count(*) as integer) as calls, ${amount('model_calls.reason is not null')} as failures,
        ${sum('input_tokens')} as input_tokens, ${sum('output_tokens')} as output_tokens,
        ${sum('milliseconds')} as milliseconds
      from model_calls where message_uuid in (select messages.uuid ${chat})`);
    const errors = await this.#run(
      errorSource.query({ filter: own, limit: errorsOfStory, offset: 0, after: null, activeSince }),
    );
    const none = { total: 0, success: 0, error: 0, pending: 0 };
    const noCalls = { calls: 0, failures: 0, input_tokens: 0, output_tokens: 0, milliseconds: 0 };
    return {
      session,
      messages: messages ?? none,
      llm_calls: calls ?? noCalls,
      errors: errors.map((error) => errorSource.placed(error).record),
    };
  }

  async feedbackCounts(filter: MonitoringFilter): Promise<FeedbackCount[]> {
    return this.#run(feedbackCounts(filter));
  }

  async usageOfCallers(filter: MonitoringFilter): Promise<CallerUsage[]> {
    return this.#run(usageOfCallers(filter));
  }

  async names(of: 'bots' | 'pipelines'): Promise<Map<string, string>> {
    const rows = await this.#run(sql<{ uuid: string; name: string }>`select uuid, name from ${sql.table(of)}`);
    return new Map(rows.map(({ uuid, name }) => [uuid, name]));
  }

  /** Whether few messages meet the filters for bots and pipelines. */
  async #isSparse({ bots, pipelines }: RecordFilter): Promise<boolean> {
    if (bots === undefined && pipelines === undefined) return false;
    const sums = await this.#figures.sums({
      filter: { bots, pipelines },
      measures: ['received', 'sent'],
      by: 'nothing',
    });
    const { received = 0, sent = 0 } = sums.get('') ?? {};
    return received + sent <= fewMessages;
  }

  async #records<Kind extends RecordKind>(source: RecordSource<Kind>, range: RecordRange) {
    return (await this.#run(source.query(range))).map((row) => source.placed(row).record);
  }

  async #batch<Kind extends RecordKind>(source: RecordSource<Kind>, range: RecordRange): Promise<RecordBatch<Kind>> {
    const placed = (await this.#run(source.query(range))).map((row) => source.placed(row));
    const next = placed.length < range.limit ? null : (placed.at(-1)?.place ?? null);
    return { records: placed.map(({ record }) => record), next };
  }

  /** The days or hours of a window in which there are records of a kind, the newest first. */
  async #stretches(source: RecordSource, filter: RecordFilter, by: 'day' | 'hour'): Promise<Stretch[]> {
    const { from = '', to = '9' } = filter;
    const sums = await this.#figures.sums({ filter, measures: source.measures ?? [], by });
    return [...sums]
      .map(([start, counts]) => {
        const end = by === 'day' ? addMilliseconds(startOfNextDay(start), -1) : addMilliseconds(start, 3_599_999);
        const count = Object.values(counts).reduce((total, one) => total + one, 0);
        return { from: start > from ? start : from, to: end < to ? end : to, count };
      })
      .filter(({ count }) => count > 0)
      .sort((left, right) => (left.from < right.from ? 1 : -1));
  }
}

/** The part of a window that contains a page, and how many rows of it precede the page. */
function holding(stretches: readonly Stretch[], offset: number, limit: number): { window: Window; skip: number } {
  let before = 0;
  let first = 0;
  while (before + (stretches[first]?.count ?? Number.POSITIVE_INFINITY) <= offset) {
    before += stretches[first]?.count ?? 0;
    first += 1;
  }
  let last = first;
  let held = before + (stretches[first]?.count ?? 0);
  while (held < offset + limit && last + 1 < stretches.length) {
    last += 1;
    held += stretches[last]?.count ?? 0;
  }
  return {
    window: { from: stretches[last]?.from ?? '', to: stretches[first]?.to ?? '' },
    skip: offset - before,
  };
}

function earlier(left: string | undefined, right: string): string {
  return left !== undefined && left < right ? left : right;
}

function later(left: string | undefined, right: string): string {
  return left !== undefined && left > right ? left : right;
}

/** The place after everything that is not before a timestamp. */
function placeBefore(timestamp: string): { timestamp: string; id: string } {
  return { timestamp, id: '' };
}

function amount(condition: string) {
  return sql`cast(coalesce(sum(case when ${sql.raw(condition)} then 1 else 0 end), 0) as integer)`;
}

function sum(column: string) {
  return sql`cast(coalesce(sum(${sql.ref(`model_calls.${column}`)}), 0) as bigint)`;
}
