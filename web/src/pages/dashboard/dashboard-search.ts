import { type RangeSearch, rangeSearch } from '../../components/time-range/time-range.ts';
import { oneOf } from '../../lib/search-parameters.ts';

export const charts = ['messages', 'failures', 'latency', 'tokens', 'cost'] as const;
export type Chart = (typeof charts)[number];
export const divisions = ['bot', 'model'] as const;
export type Division = (typeof divisions)[number];

/** The view, in the URL. */
export interface DashboardSearch extends RangeSearch {
  bot?: string;
  /** The metric of the chart. */
  chart?: Chart;
  /** The grouping of the chart. */
  by?: Division;
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Parses the URL; invalid values are ignored. */
export function dashboardSearch({ bot, chart, by, ...rest }: Record<string, unknown>): DashboardSearch {
  return {
    ...rangeSearch(rest),
    ...(typeof bot === 'string' && uuid.test(bot) && { bot }),
    ...oneOf({ chart }, charts),
    ...oneOf({ by }, divisions),
  };
}

/** Messages and latency cannot be grouped by model. */
export function divisionsOf(chart: Chart): readonly Division[] {
  return chart === 'tokens' || chart === 'cost' ? divisions : ['bot'];
}
