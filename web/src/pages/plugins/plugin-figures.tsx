import { useTranslation } from 'react-i18next';
import { classNames } from '../../lib/class-names.ts';
import { fileSize } from '../../lib/file-size.ts';
import { duration, number } from '../../lib/number-text.ts';
import type { PluginProcess } from './plugin-queries.ts';

const figures = ['memory', 'calls', 'p95', 'failures', 'crashes'] as const;
type Figure = (typeof figures)[number];

interface PluginFiguresProps {
  process: PluginProcess;
  /** Default: all. */
  shown?: readonly Figure[];
  className?: string;
}

/** What a plugin used and did since the server started. */
export function PluginFigures({ process, shown = figures, className }: PluginFiguresProps) {
  const { t, i18n } = useTranslation();
  const { memory_bytes, p95_ms, calls, failures, crashes } = process;
  const { language } = i18n;
  const texts: Record<Figure, string> = {
    memory: memory_bytes === null ? '–' : fileSize(memory_bytes, language),
    calls: number(calls, language),
    p95: p95_ms === null ? '–' : duration(p95_ms, language),
    failures: number(failures, language),
    crashes: number(crashes, language),
  };
  const isBad = { failures: failures > 0, crashes: crashes > 0 };
  return (
    <dl className={classNames('flex flex-wrap gap-x-6 gap-y-2 text-sm', className)}>
      {shown.map((figure) => (
        <div key={figure}>
          <dt className="text-xs text-muted-foreground">{t(`plugins.figures.${figure}`)}</dt>
          <dd
            className={classNames(
              'tabular-nums',
              figure in isBad && isBad[figure as keyof typeof isBad] && 'font-medium text-destructive',
            )}
          >
            {texts[figure]}
          </dd>
        </div>
      ))}
    </dl>
  );
}
