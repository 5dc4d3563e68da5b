import { useTranslation } from 'react-i18next';
import { FullPage } from '../../components/full-page.tsx';
import { Button } from '../../components/ui/button.tsx';
import { RecoveryKeyBox } from './recovery-key-box.tsx';
import { useSaveFirst } from './use-save-first.tsx';

interface RecoveryKeyProps {
  user: string;
  recoveryKey: string;
  onSaved: () => void;
}

/** Shows a recovery key once, and requires confirmation that it was saved. */
export function RecoveryKey({ user, recoveryKey, onSaved }: RecoveryKeyProps) {
  const { t } = useTranslation();
  const { warning, confirm } = useSaveFirst(onSaved);
  return (
    <FullPage title={t('recovery.title')} introduction={t('recovery.introduction')}>
      <RecoveryKeyBox user={user} recoveryKey={recoveryKey} />
      <Button className="mt-6 w-full" onClick={confirm}>
        {t('recovery.saved')}
      </Button>
      {warning}
    </FullPage>
  );
}
