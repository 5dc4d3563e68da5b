import type { ParleyApiErrorDetail } from '@parley/client';
import { useTranslation } from 'react-i18next';
import { localized } from '../../lib/i18n.ts';
import { type FieldPlace, placeAt } from './pipeline-fields.ts';

interface FaultListProps {
  faults: readonly ParleyApiErrorDetail[];
  places: readonly FieldPlace[];
  onChoose: (path: string) => void;
}

/** Links to the invalid settings. */
export function FaultList({ faults, places, onChoose }: FaultListProps) {
  const { t } = useTranslation();
  const found = new Map(
    faults.map(({ path }) => {
      const place = placeAt(places, path);
      return place === null
        ? [path, path]
        : [place.path, `${localized(place.tab.label)} › ${localized(place.field.label)}`];
    }),
  );
  if (found.size === 0) return null;
  return (
    <p className="order-last flex basis-full flex-wrap gap-x-3 text-sm">
      <span className="text-muted-foreground">{t('pipelines.toCorrect')}</span>
      {[...found].map(([path, label]) => (
        <button
          key={path}
          type="button"
          className="rounded py-0.5 font-medium text-primary underline underline-offset-4"
          onClick={() => onChoose(path)}
        >
          {label}
        </button>
      ))}
    </p>
  );
}
