import { useTranslation } from 'react-i18next';
import { CartesianGrid, Legend, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { figureText } from './figures.ts';
import type { EvaluationSummary } from './knowledge-queries.ts';
import { useRunName } from './use-run-name.ts';

const lines = [
  { name: 'hit_at_5', color: 'var(--primary)', dash: '0' },
  { name: 'ndcg_at_10', color: 'var(--notice)', dash: '6 3' },
  { name: 'mrr', color: 'var(--muted-foreground)', dash: '2 3' },
] as const;

/** Metrics of evaluations over time. The table below shows the same as text. */
export function FiguresChart({ runs }: { runs: readonly EvaluationSummary[] }) {
  const { t, i18n } = useTranslation();
  const runName = useRunName();
  const day = new Intl.DateTimeFormat(i18n.language, { month: 'short', day: 'numeric' });
  const data = runs.map((run, index) => ({ index, ...run.figures }));
  const timestampOf = (index: unknown) => runs[Number(index)];
  return (
    <div aria-hidden className="absolute inset-3 text-xs">
      <ResponsiveContainer width="100%" height="100%">
        <LineChart data={data} margin={{ top: 8, right: 16, bottom: 0, left: -12 }} accessibilityLayer={false}>
          <CartesianGrid stroke="var(--border)" vertical={false} />
          <XAxis
            dataKey="index"
            stroke="var(--muted-foreground)"
            tickLine={false}
            tickFormatter={(index) => day.format(new Date(timestampOf(index)?.created_at ?? 0))}
          />
          <YAxis domain={[0, 1]} stroke="var(--muted-foreground)" tickLine={false} axisLine={false} />
          <Tooltip
            isAnimationActive={false}
            contentStyle={{ background: 'var(--card)', border: '1px solid var(--border)', borderRadius: 12 }}
            labelFormatter={(index) => {
              const run = timestampOf(index);
              return run === undefined ? '' : runName(run);
            }}
            formatter={(value) => figureText(typeof value === 'number' ? value : null, i18n.language)}
          />
          <Legend iconType="plainline" itemSorter={null} />
          {lines.map(({ name, color, dash }) => (
            <Line
              key={name}
              dataKey={name}
              name={t(`knowledge.figures.${name}`)}
              stroke={color}
              strokeDasharray={dash}
              strokeWidth={2}
              dot={{ r: 3, strokeDasharray: '0' }}
              isAnimationActive={false}
            />
          ))}
        </LineChart>
      </ResponsiveContainer>
    </div>
  );
}
