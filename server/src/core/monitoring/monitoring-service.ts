import { invalidFields, problemError } from '@parley/sdk';
import { now, secondsFromNow } from '../../lib/clock.ts';
import { addHours, dayOf, hourOf, startOfNextDay } from './hours.ts';
import { latencyMeasures, latencyPercentile, type Measure, nanoPerUnit } from './measures.ts';
import type {
  ApiKeyUsage,
  CostShare,
  FeedbackStatistics,
  Figures,
  LlmStatistics,
  MessageAnalysis,
  Overview,
  Series,
  SeriesMetric,
  SeriesPoint,
  SessionAnalysis,
} from './monitoring.ts';
import type {
  MonitoringFilter,
  MonitoringReader,
  RecordBatch,
  RecordFilter,
  RecordPage,
  RecordPlace,
  Sums,
} from './monitoring-reader.ts';
import type { MonitoredRecords, RecordKind } from './records.ts';

/** How long after its last message a session counts as active, seconds. */
const activeSeconds = 30 * 60;
/** Most points of a series, so that an answer stays small. */
const maximumPoints = 1000;
/** Default number of points of a series. */
const defaultPoints = { hour: 24, day: 30 } as const;
const lastDay = '9999-12-31T00:00:00.000Z';
/** Batch size of an export. */
const batchSize = 500;

const measuresOf: Record<SeriesMetric, readonly Measure[]> = {
  messages: ['received', 'sent'],
  failures: ['failed'],
  llm_calls: ['llm_calls'],
  llm_failures: ['llm_failures'],
  input_tokens: ['input_tokens'],
  output_tokens: ['output_tokens'],
  cost: ['cost_nano'],
  tool_calls: ['tool_calls'],
  tool_failures: ['tool_failures'],
  embedding_calls: ['embedding_calls'],
  latency: latencyMeasures,
};
const measuresOfFigures = [
  ...(['received', 'sent', 'failed_received'] as const),
  ...(['llm_calls', 'input_tokens', 'output_tokens', 'cost_nano'] as const),
  ...latencyMeasures,
];
/** The metrics that can be grouped by model. */
const ofModels: readonly SeriesMetric[] = [
  'llm_calls',
  'llm_failures',
  'input_tokens',
  'output_tokens',
  'cost',
  'embedding_calls',
];

export interface SeriesQuery {
  metric: SeriesMetric;
  interval: 'hour' | 'day';
  filter: MonitoringFilter & { models?: readonly string[] | undefined };
}

/** Queries of operators on past activity. */
export class MonitoringService {
  readonly #reader: MonitoringReader;

  constructor(reader: MonitoringReader) {
    this.#reader = reader;
  }

  async overview(filter: MonitoringFilter): Promise<Overview> {
    const { from, to } = filter;
    const isOpen = from === undefined && to === undefined;
    const [sums, embeddings, active_sessions] = await Promise.all([
      this.#total(filter, ['received', 'sent', 'failed_received', ...latencyMeasures, 'llm_calls']),
      this.#total({ from, to }, ['embedding_calls']),
      this.#reader.activeSessions(isOpen ? { ...filter, from: activeSince() } : filter),
    ]);
    return {
      total_messages: sums.received + sums.sent,
      llm_calls: sums.llm_calls,
      embedding_calls: embeddings.embedding_calls,
      model_calls: sums.llm_calls + embeddings.embedding_calls,
      success_rate: successRate(sums) ?? 100,
      active_sessions,
    };
  }

  async figures(filter: MonitoringFilter): Promise<Figures> {
    const sums = await this.#total(filter, measuresOfFigures);
    const answers = latencyMeasures.map((measure) => sums[measure]);
    const [median, p95] = [latencyPercentile(answers, 0.5), latencyPercentile(answers, 0.95)];
    return {
      received: sums.received,
      sent: sums.sent,
      success_rate: successRate(sums),
      errors: sums.failed_received,
      latency: median === null || p95 === null ? null : { median, p95 },
      llm_calls: sums.llm_calls,
      input_tokens: sums.input_tokens,
      output_tokens: sums.output_tokens,
      cost: sums.cost_nano / nanoPerUnit,
    };
  }

  page<Kind extends RecordKind>(
    kind: Kind,
    filter: RecordFilter,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<RecordPage<Kind>> {
    return this.#reader.page({ kind, filter, limit, offset, active_since: activeSince() });
  }

  /** The newest records of a kind, in batches; each batch is read when the one before was consumed. */
  async *records<Kind extends RecordKind>(
    kind: Kind,
    filter: RecordFilter,
    limit: number,
  ): AsyncGenerator<MonitoredRecords[Kind][]> {
    const active_since = activeSince();
    // Including records that arrive during the export would make it inconsistent.
    const until = { ...filter, to: filter.to ?? now() };
    let left = limit;
    let after: RecordPlace | null = null;
    while (left > 0) {
      const query = { kind, filter: until, limit: Math.min(left, batchSize), active_since, after };
      const batch: RecordBatch<Kind> = await this.#reader.batch(query);
      if (batch.records.length > 0) yield batch.records;
      left -= batch.records.length;
      if (batch.next === null) return;
      after = batch.next;
    }
  }

  /** @throws ParleyError `not_found` */
  async message(uuid: string): Promise<MessageAnalysis> {
    const details = await this.#reader.messageDetails(uuid);
    if (details === null) throw problemError('message_not_found');
    const { message, llm_calls, errors } = details;
    const sum = (name: 'input_tokens' | 'output_tokens' | 'duration') =>
      llm_calls.reduce((total, call) => total + call[name], 0);
    const statistics = statisticsOf(llm_calls.length, sum('input_tokens'), sum('output_tokens'), sum('duration'));
    const llm_stats = { ...statistics, total_duration_ms: sum('duration') };
    return { message_id: uuid, found: true, message, llm_calls, llm_stats, errors };
  }

  async session(session_id: string, filter: MonitoringFilter): Promise<SessionAnalysis> {
    const story = await this.#reader.sessionStory(session_id, filter, activeSince());
    if (story === null) return { session_id, found: false };
    const { session, messages, llm_calls, errors } = story;
    const { calls, failures, input_tokens, output_tokens, milliseconds } = llm_calls;
    const seconds = (Date.parse(session.last_activity) - Date.parse(session.start_time)) / 1000;
    return {
      session_id,
      found: true,
      session,
      message_stats: messages,
      llm_stats: {
        ...statisticsOf(calls, input_tokens, output_tokens, milliseconds),
        success_calls: calls - failures,
        error_calls: failures,
      },
      errors,
      session_duration_seconds: Math.max(0, Math.floor(seconds)),
    };
  }

  async feedback(filter: MonitoringFilter): Promise<FeedbackStatistics> {
    const counts = await this.#reader.feedbackCounts(filter);
    const total_likes = counts.reduce((sum, { likes }) => sum + likes, 0);
    const total_dislikes = counts.reduce((sum, { dislikes }) => sum + dislikes, 0);
    const total_feedback = total_likes + total_dislikes;
    return {
      total_feedback,
      total_likes,
      total_dislikes,
      satisfaction_rate: total_feedback === 0 ? 0 : percent(total_likes, total_feedback),
      by_bot: counts.map((count) => ({ ...count, total: count.likes + count.dislikes })),
    };
  }

  /**
   * One point for each hour or day. Default range: the last 24 hours or 30 days.
   * @throws ParleyError `invalid_request` for too many points, or when the metric cannot be grouped by model
   */
  async series({ metric, interval, filter }: SeriesQuery): Promise<Series> {
    if (filter.models !== undefined && !ofModels.includes(metric)) {
      throw invalidFields([{ path: 'query.model', message: `does not apply to ${metric}` }]);
    }
    const to = filter.to ?? now();
    const from = filter.from ?? firstOf(to, interval);
    const starts = startsOf(from, to, interval);
    const measures = measuresOf[metric];
    // A point is of its whole hour or day only where the window does not cut it.
    const sums = await this.#reader.sums({ filter: { ...filter, from, to }, measures, by: interval });
    const points = starts.map((timestamp): SeriesPoint => {
      const sum = sums.get(timestamp) ?? {};
      const numbers = measures.map((measure) => sum[measure] ?? 0);
      if (metric === 'latency') {
        return { timestamp, value: latencyPercentile(numbers, 0.5), p95: latencyPercentile(numbers, 0.95) };
      }
      const value = numbers.reduce((total, number) => total + number, 0);
      return { timestamp, value: metric === 'cost' ? value / nanoPerUnit : value };
    });
    return { metric, interval, from, to, points };
  }

  /** Costs, the most expensive first. */
  async costs(
    by: 'model' | 'bot' | 'pipeline',
    filter: MonitoringFilter & { models?: readonly string[] | undefined },
  ): Promise<CostShare[]> {
    const measures = ['llm_calls', 'llm_failures', 'input_tokens', 'output_tokens', 'cost_nano'] as const;
    const sums = await this.#reader.sums({ filter, measures, by });
    const names = by === 'model' ? new Map<string, string>() : await this.#reader.names(`${by}s`);
    return [...sums]
      .map(([id, sum]) => ({ id, name: names.get(id) ?? id, ...costOf(sum) }))
      .filter(({ llm_calls }) => llm_calls > 0)
      .sort((left, right) => right.cost - left.cost || right.total_tokens - left.total_tokens);
  }

  /** What each API key used through the model API, by id; those that used nothing are omitted. */
  async apiKeyUsage(filter: Pick<MonitoringFilter, 'from' | 'to'>): Promise<ApiKeyUsage[]> {
    const byKey = new Map<number, ApiKeyUsage>();
    for (const { session_id, messages, ...used } of await this.#reader.usageOfCallers(filter)) {
      const id = apiKeyOf(session_id);
      if (id === null) continue;
      const sum = byKey.get(id) ?? { id, requests: 0, ...costOf({}) };
      byKey.set(id, {
        id,
        requests: sum.requests + messages,
        llm_calls: sum.llm_calls + used.llm_calls,
        llm_failures: sum.llm_failures + used.llm_failures,
        input_tokens: sum.input_tokens + used.input_tokens,
        output_tokens: sum.output_tokens + used.output_tokens,
        total_tokens: sum.total_tokens + used.input_tokens + used.output_tokens,
        cost: sum.cost + used.cost,
      });
    }
    return [...byKey.values()].sort((left, right) => left.id - right.id);
  }

  async #total<Name extends Measure>(
    filter: MonitoringFilter,
    measures: readonly Name[],
  ): Promise<Record<Name, number>> {
    const sum = (await this.#reader.sums({ filter, measures, by: 'nothing' })).get('') ?? {};
    return Object.fromEntries(measures.map((name) => [name, sum[name] ?? 0])) as Record<Name, number>;
  }
}

/** The id of the key that a session of the model API is of; null for one of an account. */
function apiKeyOf(sessionId: string): number | null {
  const found = /^api-key-(\d+)(?:\/|$)/.exec(sessionId);
  return found === null ? null : Number(found[1]);
}

function activeSince(): string {
  return secondsFromNow(-activeSeconds);
}

function percent(part: number, total: number): number {
  return Math.round((part / total) * 10_000) / 100;
}

function statisticsOf(calls: number, input: number, output: number, milliseconds: number): LlmStatistics {
  return {
    total_calls: calls,
    total_input_tokens: input,
    total_output_tokens: output,
    total_tokens: input + output,
    average_duration_ms: calls === 0 ? 0 : Math.round((milliseconds / calls) * 100) / 100,
  };
}

/**
 * Percent of the messages that ended as answered, failed or uncertain whose answers were delivered completely; null if
 * there were none. Messages that a rule stopped do not count.
 */
function successRate(sums: Readonly<Record<(typeof latencyMeasures)[number] | 'failed_received', number>>) {
  const answered = latencyMeasures.reduce((sum, measure) => sum + sums[measure], 0);
  const ended = answered + sums.failed_received;
  return ended === 0 ? null : percent(answered, ended);
}

function costOf(sum: Sums extends Map<string, infer Sum> ? Sum : never): Omit<CostShare, 'id' | 'name'> {
  const { llm_calls = 0, llm_failures = 0, input_tokens = 0, output_tokens = 0, cost_nano = 0 } = sum;
  const total_tokens = input_tokens + output_tokens;
  return { llm_calls, llm_failures, input_tokens, output_tokens, total_tokens, cost: cost_nano / nanoPerUnit };
}

/** Default start of a series: on the hour or day, with the present one as the last. */
function firstOf(to: string, interval: 'hour' | 'day'): string {
  return interval === 'hour'
    ? addHours(hourOf(to), 1 - defaultPoints.hour)
    : addHours(dayOf(to), 24 * (1 - defaultPoints.day));
}

function startsOf(from: string, to: string, interval: 'hour' | 'day'): string[] {
  const starts: string[] = [];
  let start = interval === 'hour' ? hourOf(from) : dayOf(from);
  for (; start <= to; start = interval === 'hour' ? addHours(start, 1) : startOfNextDay(start)) {
    if (starts.length >= maximumPoints) {
      const message = `leaves more than ${maximumPoints} points of one ${interval} each`;
      throw invalidFields([{ path: 'query.startTime', message }]);
    }
    starts.push(start);
    // Behind it, years are written longer.
    if (start >= lastDay) break;
  }
  return starts;
}
