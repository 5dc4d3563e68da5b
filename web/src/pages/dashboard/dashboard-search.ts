import { type RangeSearch, rangeSearch } from '../../components/time-range/time-range.ts';

export const charts = ['messages', 'failures', 'latency', 'tokens', 'cost'] as const;
export type Chart = (typeof charts)[number];
export const divisions = ['bot', 'model'] as const;
export type Division = (typeof divisions)[number];

/** What is looked at, as it stands in the address. */
export interface DashboardSearch extends RangeSearch {
  bot?: string;
  /** What is drawn over time. */
  chart?: Chart;
  /** What the drawing is told apart by. */
  by?: Division;
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Reads the address; what the server would refuse is left out. */
export function dashboardSearch({ bot, chart, by, ...rest }: Record<string, unknown>): DashboardSearch {
  const [shown, division] = [charts.find((one) => one === chart), divisions.find((one) => one === by)];
  return {
    ...rangeSearch(rest),
    ...(typeof bot === 'string' && uuid.test(bot) && { bot }),
    ...(shown !== undefined && { chart: shown }),
    ...(division !== undefined && { by: division }),
  };
}

/** Of messages and of latency nothing is known by model. */
export function divisionsOf(chart: Chart): readonly Division[] {
  return chart === 'tokens' || chart === 'cost' ? divisions : ['bot'];
}
