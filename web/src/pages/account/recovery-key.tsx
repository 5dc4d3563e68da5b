import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../components/copy-button.tsx';
import { FullPage } from '../../components/full-page.tsx';
import { Button } from '../../components/ui/button.tsx';

interface RecoveryKeyProps {
  recoveryKey: string;
  onSaved: () => void;
}

/** Shows a recovery key once, and requires confirmation that it was saved. */
export function RecoveryKey({ recoveryKey, onSaved }: RecoveryKeyProps) {
  const { t } = useTranslation();

  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, []);

  return (
    <FullPage title={t('recovery.title')} introduction={t('recovery.introduction')}>
      <div className="rounded-xl border border-dashed border-input bg-muted p-4">
        <div className="mb-1 flex items-center justify-between gap-2">
          <span className="text-sm font-medium text-muted-foreground">{t('recovery.key')}</span>
          <CopyButton text={() => recoveryKey} label={t('recovery.copy')} copiedLabel={t('recovery.copied')} />
        </div>
        <code className="block font-mono text-lg leading-relaxed break-all select-all">{recoveryKey}</code>
      </div>
      <Button className="mt-6 w-full" onClick={onSaved}>
        {t('recovery.saved')}
      </Button>
    </FullPage>
  );
}
