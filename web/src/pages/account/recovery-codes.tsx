import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../components/copy-button.tsx';
import { DownloadButton } from '../../components/download-button.tsx';
import { Button } from '../../components/ui/button.tsx';
import { recoveryFileFields, recoveryFileName } from './recovery-file.ts';
import { useSaveFirst } from './use-save-first.tsx';

interface RecoveryCodesProps {
  /** Whose codes they are. */
  user: string;
  codes: readonly string[];
  onSaved: () => void;
}

/** Recovery codes, shown only once. */
export function RecoveryCodes({ user, codes, onSaved }: RecoveryCodesProps) {
  const { t } = useTranslation();
  const { warning, confirm } = useSaveFirst(onSaved);
  return (
    <div className="mt-2 space-y-4">
      <p className="text-pretty text-muted-foreground">{t('secondFactor.saveText')}</p>
      <div className="rounded-xl border border-dashed border-input bg-muted p-4">
        <div className="mb-2 flex flex-wrap items-center justify-between gap-x-2">
          <span className="text-sm font-medium text-muted-foreground">{t('secondFactor.codes')}</span>
          <div className="ml-auto flex items-center">
            <CopyButton
              text={() => codes.join('\n')}
              label={t('secondFactor.copyCodes')}
              copiedLabel={t('secondFactor.copiedCodes')}
            />
            <DownloadButton
              label={t('recovery.download')}
              name={recoveryFileName('recovery-codes', user)}
              text={() => t('secondFactor.codesFile', { ...recoveryFileFields(user), codes: codes.join('\n') })}
            />
          </div>
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
        <Button onClick={confirm}>{t('recovery.saved')}</Button>
      </div>
      {warning}
    </div>
  );
}
