import { useTranslation } from 'react-i18next';
import type { FieldDifference } from '../../lib/field-differences.ts';
import { shownLabel } from '../../lib/shown-label.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';

interface ConflictNoticeProps {
  differences: readonly FieldDifference[];
  /** What the form calls a field; null if it is not known. Default: as the page shows it. */
  labelOf?: ((path: string) => string | null) | undefined;
  isSaving: boolean;
  onOverwrite: () => void;
  onTakeTheirs: () => void;
}

/** The record was changed by another user meanwhile: both versions, field by field, to choose one. */
export function ConflictNotice({
  differences,
  labelOf = shownLabel,
  isSaving,
  onOverwrite,
  onTakeTheirs,
}: ConflictNoticeProps) {
  const { t } = useTranslation();
  const shown = (value: string | null) => {
    if (value === null) return t('common.secretValue');
    return value === '' ? t('common.none') : value;
  };
  return (
    <Alert>
      <p className="font-medium">{t('common.conflict')}</p>
      <p>{t('common.conflictText')}</p>
      {differences.length > 0 && (
        <section
          aria-label={t('common.differences')}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
          tabIndex={0}
          className="mt-3 max-h-[40dvh] overflow-auto rounded-lg border bg-card text-sm text-foreground"
        >
          <table className="w-full border-collapse text-left">
            <thead className="text-muted-foreground">
              <tr>
                <th className="px-3 py-1.5 font-medium">{t('common.field')}</th>
                <th className="px-3 py-1.5 font-medium">{t('common.mine')}</th>
                <th className="px-3 py-1.5 font-medium">{t('common.theirs')}</th>
              </tr>
            </thead>
            <tbody>
              {differences.map(({ path, mine, theirs }) => (
                <tr key={path} className="border-t align-top">
                  <th scope="row" title={path} className="min-w-28 px-3 py-1.5 font-normal break-words">
                    {labelOf(path) ?? <span className="font-mono text-xs">{path}</span>}
                  </th>
                  <td className="min-w-32 px-3 py-1.5 break-words whitespace-pre-wrap">{shown(mine)}</td>
                  <td className="min-w-32 px-3 py-1.5 break-words whitespace-pre-wrap">{shown(theirs)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button variant="outline" size="small" onClick={onOverwrite} disabled={isSaving}>
          {t('common.overwrite')}
        </Button>
        <Button variant="outline" size="small" onClick={onTakeTheirs}>
          {t('common.takeTheirs')}
        </Button>
      </div>
    </Alert>
  );
}
