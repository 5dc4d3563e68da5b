/** What is drawn: one value of each line for each hour or day. */
export interface Drawing {
  interval: 'hour' | 'day';
  /** When the hours or days begin, ISO 8601 UTC. */
  timestamps: string[];
  lines: Line[];
}

export interface Line {
  name: string;
  /** Null where nothing is known. */
  values: (number | null)[];
}

/** Lines that stand on each other, with what the others make up to the whole; they are left out where that is nothing. */
export function withOthers(lines: readonly Line[], whole: readonly (number | null)[], name: string): Line[] {
  const values = whole.map((value, index) => {
    const told = lines.reduce((sum, line) => sum + (line.values[index] ?? 0), 0);
    // Sums of fractions are not exact.
    const rest = (value ?? 0) - told;
    return rest < 1e-9 ? 0 : rest;
  });
  return values.some((value) => value > 0) ? [...lines, { name, values }] : [...lines];
}

/** Adds lines up, moment by moment. */
export function added(...lines: readonly (readonly (number | null)[])[]): (number | null)[] {
  return (lines[0] ?? []).map((_, index) =>
    lines.reduce<number | null>((sum, line) => {
      const value = line[index] ?? null;
      return value === null ? sum : (sum ?? 0) + value;
    }, null),
  );
}

const hour = 3_600_000;
/** Most hours that are told apart; longer spans are told by day. */
const mostHours = 49;

/** How a window is cut into hours or days, and where the first whole one that is drawn begins. */
export function stepsOf({ from, to }: { from: string; to: string }): { interval: 'hour' | 'day'; from: string } {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const interval = end - start <= mostHours * hour ? 'hour' : 'day';
  const step = interval === 'hour' ? hour : 24 * hour;
  // A piece at the beginning would look like a fall.
  const first = Math.ceil(start / step) * step;
  return { interval, from: new Date(first <= end ? first : start).toISOString() };
}
