import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../components/copy-button.tsx';
import { Button } from '../../components/ui/button.tsx';

/** Recovery codes, shown only once. */
export function RecoveryCodes({ codes, onSaved }: { codes: readonly string[]; onSaved: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="mt-2 space-y-4">
      <p className="text-pretty text-muted-foreground">{t('secondFactor.saveText')}</p>
      <div className="rounded-xl border border-dashed border-input bg-muted p-4">
        <div className="mb-2 flex items-center justify-between gap-2">
          <span className="text-sm font-medium text-muted-foreground">{t('secondFactor.codes')}</span>
          <CopyButton
            text={() => codes.join('\n')}
            label={t('secondFactor.copyCodes')}
            copiedLabel={t('secondFactor.copiedCodes')}
          />
        </div>
        <ul
          data-secret=""
          aria-label={t('secondFactor.codes')}
          className="grid gap-x-6 gap-y-1 font-mono sm:grid-cols-2"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </div>
      <div className="flex justify-end">
        <Button onClick={onSaved}>{t('recovery.saved')}</Button>
      </div>
    </div>
  );
}
