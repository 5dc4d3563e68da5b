/** Data of a chart: one value per line for each hour or day. */
export interface Drawing {
  interval: 'hour' | 'day';
  /** Start of the hours or days, ISO 8601 UTC. */
  timestamps: string[];
  lines: Line[];
}

export interface Line {
  name: string;
  /** Null if unknown. */
  values: (number | null)[];
}

/** Stacked lines, with the remainder to the total; omitted if it is zero. */
export function withOthers(lines: readonly Line[], whole: readonly (number | null)[], name: string): Line[] {
  const values = whole.map((value, index) => {
    const told = lines.reduce((sum, line) => sum + (line.values[index] ?? 0), 0);
    // Sums of fractions are not exact.
    const rest = (value ?? 0) - told;
    return rest < 1e-9 ? 0 : rest;
  });
  return values.some((value) => value > 0) ? [...lines, { name, values }] : [...lines];
}

/** Adds lines pointwise. */
export function added(...lines: readonly (readonly (number | null)[])[]): (number | null)[] {
  return (lines[0] ?? []).map((_, index) =>
    lines.reduce<number | null>((sum, line) => {
      const value = line[index] ?? null;
      return value === null ? sum : (sum ?? 0) + value;
    }, null),
  );
}

const hour = 3_600_000;
/** Maximum number of hours in a chart; longer ranges are shown by day. */
const mostHours = 49;

/** The interval of a window, and the start of the first complete one. */
export function stepsOf({ from, to }: { from: string; to: string }): { interval: 'hour' | 'day'; from: string } {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const interval = end - start <= mostHours * hour ? 'hour' : 'day';
  const step = interval === 'hour' ? hour : 24 * hour;
  // A partial interval at the start would look like a drop.
  const first = Math.ceil(start / step) * step;
  return { interval, from: new Date(first <= end ? first : start).toISOString() };
}
