import { latencyMeasures, nanoPerUnit } from '../monitoring/measures.ts';
import type { MonitoringReader } from '../monitoring/monitoring-reader.ts';
import type { AlertFacts } from './alert.ts';
import type { AlertKind, AlertParameters, StoredAlertRule } from './alert-rule.ts';
import type { AlertFigures } from './alert-store.ts';

/** An enabled bot, and whether it is connected; null while that is not known yet. */
export interface BotConnectionState {
  uuid: string;
  name: string;
  isConnected: boolean | null;
}

export interface ConditionSources {
  figures: AlertFigures;
  monitoring: Pick<MonitoringReader, 'sums'>;
  /** Every enabled bot, by name. */
  enabledBots: () => Promise<BotConnectionState[]>;
}

/**
 * Whether the condition of a rule holds. `unknown`: it cannot be told now, so that an alert neither begins nor ends.
 */
export interface Finding {
  state: 'holds' | 'over' | 'unknown';
  facts: AlertFacts;
}

/** How many names a notice has at most: a thousand bots that fail at once are one notice. */
const shownNames = 5;
/** Messages that are counted; more are as good as these. */
const mostCounted = 100_000;
const msPerMinute = 60_000;

type Condition = (parameters: AlertParameters, sources: ConditionSources, now: number) => Promise<Finding>;

const conditions: Record<AlertKind, Condition> = {
  async bot_offline({ bot_uuid }, { enabledBots }) {
    const bots = (await enabledBots()).filter(({ uuid }) => bot_uuid == null || uuid === bot_uuid);
    const offline = bots.filter(({ isConnected }) => isConnected === false);
    const facts = { count: offline.length, names: namesOf(offline.map(({ name }) => name)) };
    if (offline.length > 0) return { state: 'holds', facts };
    return { state: bots.some(({ isConnected }) => isConnected === null) ? 'unknown' : 'over', facts };
  },

  async error_rate(parameters, { monitoring }, now) {
    const measures = ['failed_received', ...latencyMeasures] as const;
    const sums = (await monitoring.sums({ filter: filterOf(parameters, now), measures, by: 'nothing' })).get('') ?? {};
    const count = sums.failed_received ?? 0;
    // As the success rate counts: neither messages that bots began, such as notices, nor those that a rule stopped.
    const total = latencyMeasures.reduce((sum, measure) => sum + (sums[measure] ?? 0), count);
    const percent = total === 0 ? 0 : Math.round((count / total) * 1000) / 10;
    const { minimum_count = 1, percent: limit = 100 } = parameters;
    return {
      state: heldIf(total >= minimum_count && (count / total) * 100 >= limit),
      facts: { count, total, percent },
    };
  },

  async waiting_messages({ bot_uuid = null, minimum_count = 1, age_minutes = 1 }, { figures }, now) {
    const before = new Date(now - age_minutes * msPerMinute).toISOString();
    const count = await figures.waiting({ bot_uuid, before, limit: Math.max(minimum_count, mostCounted) });
    return { state: heldIf(count >= minimum_count), facts: { count } };
  },

  async uncertain_messages(parameters, { figures }, now) {
    const { bot_uuid = null, minimum_count = 1 } = parameters;
    const count = await figures.uncertain({ bot_uuid, ...windowOf(parameters, now) });
    return { state: heldIf(count >= minimum_count), facts: { count } };
  },

  async cost(parameters, { monitoring }, now) {
    const filter = filterOf(parameters, now);
    const sums = await monitoring.sums({ filter, measures: ['cost_nano'], by: 'nothing' });
    const cost = (sums.get('')?.cost_nano ?? 0) / nanoPerUnit;
    return { state: heldIf(cost >= (parameters.amount ?? 0)), facts: { cost } };
  },

  async failed_documents(parameters, { figures }, now) {
    const { knowledge_base_uuid = null, minimum_count = 1 } = parameters;
    const window = windowOf(parameters, now);
    const { count, names } = await figures.failedDocuments({ knowledge_base_uuid, ...window, names: shownNames });
    return { state: heldIf(count >= minimum_count), facts: { count, names: namesOf(names) } };
  },
};

/** @param now milliseconds since 1970 */
export function findingOf(
  { kind, parameters }: Pick<StoredAlertRule, 'kind' | 'parameters'>,
  sources: ConditionSources,
  now: number,
): Promise<Finding> {
  return conditions[kind](parameters, sources, now);
}

function heldIf(holds: boolean): 'holds' | 'over' {
  return holds ? 'holds' : 'over';
}

/** Up to the present, so that what was stored before the clock was set back does not count. */
function windowOf({ window_minutes = 1 }: AlertParameters, now: number): { from: string; to: string } {
  return {
    from: new Date(now - window_minutes * msPerMinute).toISOString(),
    to: new Date(now).toISOString(),
  };
}

function filterOf(parameters: AlertParameters, now: number) {
  const { bot_uuid, pipeline_uuid } = parameters;
  return {
    ...windowOf(parameters, now),
    ...(bot_uuid == null ? {} : { bots: [bot_uuid] }),
    ...(pipeline_uuid == null ? {} : { pipelines: [pipeline_uuid] }),
  };
}

/** Names are written by users: each is one short line. */
function namesOf(names: readonly string[]): string[] {
  return names.slice(0, shownNames).map((name) => oneLine(name));
}

function oneLine(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ').trim();
  return line.length > 80 ? `${line.slice(0, 79).toWellFormed()}…` : line;
}
