import { useTranslation } from 'react-i18next';
import { Bar, BarChart, CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import type { Drawing } from './series.ts';
import './series-chart.css';
import { timestampText } from './series-words.ts';

interface SeriesChartProps {
  drawing: Drawing;
  /** Bars are stacked; lines are for metrics that cannot be added. */
  kind: 'bars' | 'lines';
  /** A formatted value; short for the axis. */
  format: (value: number, short?: boolean) => string;
}

const dashes = ['', '6 3', '2 3', '8 3 2 3', '4 2', '1 3'];

/** A metric over time. Hidden from screen readers: the table shows the same. */
export function SeriesChart({ drawing, kind, format }: SeriesChartProps) {
  const { i18n } = useTranslation();
  const { timestamps, lines, interval } = drawing;
  const points = timestamps.map((timestamp, index) => ({
    timestamp,
    ...Object.fromEntries(lines.map((line, number) => [`line${number}`, line.values[index] ?? null])),
  }));
  const words = (timestamp: unknown) => timestampText(String(timestamp), interval, i18n.language);
  const axes = (
    <>
      <CartesianGrid vertical={false} stroke="var(--border)" />
      <XAxis
        dataKey="timestamp"
        tickFormatter={(timestamp: string) => timestampText(timestamp, interval, i18n.language, true)}
        minTickGap={28}
        tickLine={false}
        axisLine={{ stroke: 'var(--border)' }}
        tick={{ fill: 'var(--muted-foreground)', fontSize: 12 }}
      />
      <YAxis
        width="auto"
        allowDecimals
        tickFormatter={(value: number) => format(value, true)}
        tickLine={false}
        axisLine={false}
        tick={{ fill: 'var(--muted-foreground)', fontSize: 12 }}
      />
      <Tooltip
        isAnimationActive={false}
        cursor={kind === 'bars' ? { fill: 'var(--muted)', opacity: 0.6 } : { stroke: 'var(--input)' }}
        labelFormatter={words}
        formatter={(value) => (typeof value === 'number' ? format(value) : '–')}
        contentStyle={{
          background: 'var(--card)',
          border: '1px solid var(--border)',
          borderRadius: '0.75rem',
          fontSize: '0.8125rem',
        }}
        labelStyle={{ color: 'var(--muted-foreground)' }}
        itemStyle={{ color: 'var(--foreground)', paddingBlock: 1 }}
      />
    </>
  );
  const margin = { top: 8, right: 8, bottom: 0, left: 0 };
  return (
    <div aria-hidden className="series-chart">
      <div className="h-64 overflow-hidden">
        <ResponsiveContainer width="100%" height="100%">
          {kind === 'bars' ? (
            <BarChart data={points} margin={margin} accessibilityLayer={false} maxBarSize={36}>
              {axes}
              {lines.map(({ name }, number) => (
                <Bar
                  // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat
                  key={number}
                  name={name}
                  dataKey={`line${number}`}
                  stackId="all"
                  fill={`var(--line-${number % 6})`}
                  stroke="var(--card)"
                  strokeWidth={1}
                  isAnimationActive={false}
                />
              ))}
            </BarChart>
          ) : (
            <LineChart data={points} margin={margin} accessibilityLayer={false}>
              {axes}
              {lines.map(({ name }, number) => (
                <Line
                  // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat
                  key={number}
                  name={name}
                  dataKey={`line${number}`}
                  stroke={`var(--line-${number % 6})`}
                  strokeWidth={2}
                  strokeDasharray={dashes[number % dashes.length] ?? ''}
                  dot={{ r: 2.5, strokeDasharray: '0' }}
                  isAnimationActive={false}
                />
              ))}
            </LineChart>
          )}
        </ResponsiveContainer>
      </div>
      {lines.length > 1 && (
        <ul className="mt-3 flex flex-wrap justify-center gap-x-5 gap-y-1.5 text-sm">
          {lines.map(({ name }, number) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat
            <li key={number} className="flex min-w-0 items-center gap-2">
              <span className="size-2.5 shrink-0 rounded-full" style={{ background: `var(--line-${number % 6})` }} />
              <span className="min-w-0 break-words">{name}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
