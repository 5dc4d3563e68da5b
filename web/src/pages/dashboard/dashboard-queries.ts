import type { paths } from '@parley/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { closedWindowOf, windowBefore, windowOf } from '../../components/time-range/time-range.ts';
import { api } from '../../lib/api.ts';
import { loadPageTexts } from '../../lib/i18n.ts';
import { withoutRepeatedReasons } from '../../lib/repeated-reasons.ts';
import { type DashboardSearch, divisionsOf } from './dashboard-search.ts';
import { added, type Drawing, stepsOf, withOthers } from './series.ts';

type SeriesQuery = paths['/api/v1/monitoring/series']['get']['parameters']['query'];

/** Maximum number of bots or models in one chart. */
const mostLines = 5;

function windowOfSearch(search: DashboardSearch) {
  return closedWindowOf({ range: '24h', ...search }, Date.now());
}

function queryOf({ from, to }: { from: string; to: string }, bot: string | undefined) {
  return { startTime: from, endTime: to, ...(bot !== undefined && { botId: bot }) };
}

/** The search parameters that metrics depend on. */
function rangeOf({ range, from, to, bot }: DashboardSearch) {
  return { range, from, to, bot };
}

/** The metrics of a range, and of the previous period. */
export function figuresQuery(search: DashboardSearch) {
  return queryOptions({
    queryKey: ['dashboard', 'figures', rangeOf(search)],
    queryFn: async () => {
      const window = windowOfSearch(search);
      const [now, before] = await Promise.all(
        [window, windowBefore(window)].map((one) =>
          api.get('/api/v1/monitoring/figures', { params: { query: queryOf(one, search.bot) } }),
        ),
      );
      if (now === undefined || before === undefined) throw new Error('two windows have two answers');
      return { now, before };
    },
    // The cards use what the page has prefetched.
    staleTime: 2000,
    placeholderData: keepPreviousData,
  });
}

/** Whether a bot ever received a message. */
export const anyMessageQuery = queryOptions({
  queryKey: ['dashboard', 'any'],
  queryFn: async () => {
    const { messages } = await api.get('/api/v1/messages', { params: { query: { limit: 1 } } });
    return messages.length > 0;
  },
});

/** Usage by model or bot in a range, by decreasing cost. */
export function sharesQuery(search: DashboardSearch, groupBy: 'model' | 'bot') {
  return queryOptions({
    queryKey: ['dashboard', 'shares', groupBy, rangeOf(search)],
    queryFn: async () => {
      const query = { ...queryOf(windowOfSearch(search), search.bot), groupBy };
      return (await api.get('/api/v1/monitoring/costs', { params: { query } })).costs;
    },
    placeholderData: keepPreviousData,
  });
}

/** Lower-case names of models with a price. */
export const pricesQuery = queryOptions({
  queryKey: ['models', 'price-names'],
  queryFn: async () => {
    const { model_prices } = await api.get('/api/v1/provider/model-prices');
    return new Set(model_prices.map(({ model_name }) => model_name.toLowerCase()));
  },
});

/** The latest errors of a range. */
export function latestErrorsQuery(search: DashboardSearch) {
  return queryOptions({
    queryKey: ['dashboard', 'errors', rangeOf(search)],
    queryFn: async () => {
      const { from, to } = windowOf({ range: '24h', ...search }, Date.now());
      const query = {
        ...(from !== undefined && { startTime: from }),
        ...(to !== undefined && { endTime: to }),
        ...(search.bot !== undefined && { botId: search.bot }),
        limit: 6,
        offset: 0,
      };
      const { errors } = await api.get('/api/v1/monitoring/errors', { params: { query } });
      // The texts of reasons are not among the first ones.
      if (errors.length > 0) await loadPageTexts();
      return { errors: await withoutRepeatedReasons(errors) };
    },
    placeholderData: keepPreviousData,
  });
}

/** Labels of lines that are not names. */
export interface LineNames {
  messages: string;
  failures: string;
  median: string;
  p95: string;
  input: string;
  output: string;
  cost: string;
  others: string;
}

/** A metric over time, for a chart. */
export function drawingQuery(search: DashboardSearch, names: LineNames) {
  const { chart = 'messages', bot } = search;
  const by = search.by !== undefined && divisionsOf(chart).includes(search.by) ? search.by : undefined;
  return queryOptions({
    queryKey: ['dashboard', 'series', rangeOf(search), chart, by, names],
    queryFn: async (): Promise<Drawing> => {
      const window = windowOfSearch(search);
      const steps = stepsOf(window);
      const range = { ...queryOf(window, bot), startTime: steps.from, interval: steps.interval };
      const read = async (metric: SeriesQuery['metric'], more: { botId?: string; model?: string } = {}) =>
        (await api.get('/api/v1/monitoring/series', { params: { query: { ...range, ...more, metric } } })).points;
      const values = async (more?: { botId?: string; model?: string }) => {
        if (chart !== 'tokens') return (await read(chart, more)).map(({ value }) => value);
        const [input, output] = await Promise.all([read('input_tokens', more), read('output_tokens', more)]);
        return added(
          input.map(({ value }) => value),
          output.map(({ value }) => value),
        );
      };

      const whole = await read(chart === 'tokens' ? 'input_tokens' : chart);
      const drawing = { interval: steps.interval, timestamps: whole.map(({ timestamp }) => timestamp) };
      if (by !== undefined) {
        const chosen = (await partsOf(by, search)).slice(0, mostLines);
        const lines = await Promise.all(
          chosen.map(async ({ id, name }) => ({
            name,
            values: await values(by === 'bot' ? { botId: id } : { model: id }),
          })),
        );
        // Medians cannot be added.
        if (chart === 'latency') return { ...drawing, lines };
        return { ...drawing, lines: withOthers(lines, await values(), names.others) };
      }
      const first = whole.map(({ value }) => value);
      switch (chart) {
        case 'latency':
          return {
            ...drawing,
            lines: [
              { name: names.median, values: first },
              { name: names.p95, values: whole.map(({ p95 }) => p95 ?? null) },
            ],
          };
        case 'tokens': {
          const output = (await read('output_tokens')).map(({ value }) => value);
          return {
            ...drawing,
            lines: [
              { name: names.input, values: first },
              { name: names.output, values: output },
            ],
          };
        }
        default:
          return { ...drawing, lines: [{ name: names[chart], values: first }] };
      }
    },
    placeholderData: keepPreviousData,
  });
}

/** The bots or models of a range, by decreasing usage; bots without model calls come last. */
async function partsOf(by: 'bot' | 'model', search: DashboardSearch): Promise<{ id: string; name: string }[]> {
  const query = { ...queryOf(windowOfSearch(search), search.bot), groupBy: by };
  const { costs } = await api.get('/api/v1/monitoring/costs', { params: { query } });
  if (by === 'model') return costs;
  const { bots } = await api.get('/api/v1/platform/bots');
  const rest = bots
    .filter(({ uuid }) => (search.bot === undefined || uuid === search.bot) && !costs.some(({ id }) => id === uuid))
    .map(({ uuid, name }) => ({ id: uuid, name }));
  return [...costs, ...rest];
}
