const hour = 3_600_000;

/** Ranges that end now, milliseconds. */
export const spans = { '24h': 24 * hour, '7d': 7 * 24 * hour, '30d': 30 * 24 * hour } as const;

export const ranges = ['24h', '7d', '30d', 'own'] as const;
export type Range = (typeof ranges)[number];

/** A time range in a URL. `from` and `to` belong to a custom range: ISO 8601, both optional. */
export interface RangeSearch {
  range?: Range;
  from?: string;
  to?: string;
}

/** Timestamps in ISO 8601 UTC; undefined for an open end. */
export interface TimeWindow {
  from: string | undefined;
  to: string | undefined;
}

/** Parses a range from a URL; invalid values are ignored. */
export function rangeSearch({ range, from, to }: Record<string, unknown>): RangeSearch {
  const known = ranges.find((one) => one === range);
  if (known === undefined) return {};
  if (known !== 'own') return { range: known };
  const [start, end] = [timestampOf(from), timestampOf(to)];
  return { range: known, ...(start !== null && { from: start }), ...(end !== null && { to: end }) };
}

function timestampOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const time = Date.parse(value);
  // Later years have another format.
  return Number.isNaN(time) || time < 0 || time >= Date.UTC(10_000, 0) ? null : new Date(time).toISOString();
}

/** The window of a range at a time, milliseconds since 1970. Without a range, all time. */
export function windowOf({ range, from, to }: RangeSearch, now: number): TimeWindow {
  if (range === undefined) return { from: undefined, to: undefined };
  if (range === 'own') return { from, to };
  return { from: new Date(now - spans[range]).toISOString(), to: undefined };
}

/** The same with both ends, for comparison with the previous period. A custom range without a start is a day long. */
export function closedWindowOf(search: RangeSearch, now: number): { from: string; to: string } {
  const { from, to = new Date(now).toISOString() } = windowOf(search, now);
  const end = Date.parse(to);
  const start = from === undefined ? end - spans['24h'] : Math.min(Date.parse(from), end);
  return { from: new Date(start).toISOString(), to };
}

/** The previous period: the same length, ending at the start of the window. */
export function windowBefore({ from, to }: { from: string; to: string }): { from: string; to: string } {
  const start = Date.parse(from);
  const length = Math.max(Date.parse(to) - start, 1);
  // Windows include both ends.
  return {
    from: new Date(Math.max(0, start - length)).toISOString(),
    to: new Date(Math.max(0, start - 1)).toISOString(),
  };
}

/** A timestamp for a native input: local time to the minute. */
export function localTimestamp(timestamp: string | undefined): string {
  if (timestamp === undefined) return '';
  const date = new Date(timestamp);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
