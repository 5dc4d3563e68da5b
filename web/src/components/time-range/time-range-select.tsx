import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Input } from '../ui/input.tsx';
import { Select } from '../ui/select.tsx';
import { closedWindowOf, localTimestamp, type Range, type RangeSearch, ranges } from './time-range.ts';

interface TimeRangeSelectProps {
  value: RangeSearch;
  /** Sets all three, so that obsolete parameters are removed from the URL. */
  onChange: (value: { range: Range | undefined; from: string | undefined; to: string | undefined }) => void;
  /** Whether all time is an option; otherwise the default is a day. */
  all?: boolean;
}

/** A time range: one of several that end now, or a custom range. */
export function TimeRangeSelect({ value, onChange, all = false }: TimeRangeSelectProps) {
  const { t } = useTranslation();
  const label = useId();
  const { range = all ? undefined : '24h' } = value;

  const choose = (next: string) => {
    if (next === 'own') {
      // Starts with the current range.
      onChange({ range: 'own', ...closedWindowOf({ ...value, range: range ?? '7d' }, Date.now()) });
    } else onChange({ range: ranges.find((one) => one === next), from: undefined, to: undefined });
  };

  return (
    <div className="flex flex-wrap items-end gap-2">
      <Select
        aria-label={t('timeRange.label')}
        value={range ?? ''}
        onChange={(event) => choose(event.target.value)}
        className="min-w-40 flex-1"
      >
        {all && <option value="">{t('timeRange.all')}</option>}
        <option value="24h">{t('timeRange.day')}</option>
        <option value="7d">{t('timeRange.week')}</option>
        <option value="30d">{t('timeRange.month')}</option>
        <option value="own">{t('timeRange.own')}</option>
      </Select>
      {range === 'own' &&
        (['from', 'to'] as const).map((end) => (
          <div key={end}>
            <label htmlFor={`${label}-${end}`} className="sr-only">
              {t(`timeRange.${end}`)}
            </label>
            <Input
              id={`${label}-${end}`}
              type="datetime-local"
              max="9999-12-31T23:59"
              title={t(`timeRange.${end}`)}
              // Typing produces intermediate values; only complete ones count.
              key={value[end]}
              defaultValue={localTimestamp(value[end])}
              onBlur={(event) => {
                const timestamp = event.target.value === '' ? undefined : new Date(event.target.value).toISOString();
                if (localTimestamp(timestamp) === localTimestamp(value[end])) return;
                onChange({ range: 'own', from: value.from, to: value.to, [end]: timestamp });
              }}
            />
          </div>
        ))}
    </div>
  );
}
