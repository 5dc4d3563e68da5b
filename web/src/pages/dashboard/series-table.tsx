import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Drawing } from './series.ts';
import { timestampText } from './series-words.ts';

interface SeriesTableProps {
  label: string;
  drawing: Drawing;
  format: (value: number) => string;
}

/** The values of a chart, newest first. */
export function SeriesTable({ label, drawing, format }: SeriesTableProps) {
  const { t, i18n } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { timestamps, lines, interval } = drawing;
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)} className="mt-3 text-sm">
      <summary className="w-fit cursor-pointer rounded py-1 text-muted-foreground hover:text-foreground">
        {t('dashboard.series.asTable')}
      </summary>
      {isOpen && (
        <section
          aria-label={label}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
          tabIndex={0}
          className="mt-2 max-h-80 overflow-auto rounded-xl border"
        >
          <table aria-label={label} className="w-full border-collapse text-left">
            <thead className="sticky top-0 bg-muted">
              <tr>
                <th scope="col" className="px-3 py-2 font-medium whitespace-nowrap">
                  {t(interval === 'day' ? 'dashboard.series.day' : 'dashboard.series.hour')}
                </th>
                {lines.map(({ name }, number) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat
                  <th key={number} scope="col" className="px-3 py-2 text-right font-medium">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {timestamps
                .map((timestamp, index) => (
                  <tr key={timestamp} className="border-t">
                    <th scope="row" className="px-3 py-1.5 font-normal whitespace-nowrap">
                      {timestampText(timestamp, interval, i18n.language)}
                    </th>
                    {lines.map(({ values }, number) => {
                      const value = values[index] ?? null;
                      return (
                        // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat
                        <td key={number} className="px-3 py-1.5 text-right tabular-nums">
                          {value === null ? '–' : format(value)}
                        </td>
                      );
                    })}
                  </tr>
                ))
                .reverse()}
            </tbody>
          </table>
        </section>
      )}
    </details>
  );
}
