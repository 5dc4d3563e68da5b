import { useTranslation } from 'react-i18next';
import { DownloadButton } from '../../components/download-button.tsx';
import { OnceSecret } from '../../components/once-secret.tsx';
import { recoveryFileFields, recoveryFileName } from './recovery-file.ts';

interface RecoveryKeyBoxProps {
  /** Whose key it is. */
  user: string;
  recoveryKey: string;
}

/** A recovery key, to be copied or downloaded. */
export function RecoveryKeyBox({ user, recoveryKey }: RecoveryKeyBoxProps) {
  const { t } = useTranslation();
  return (
    <OnceSecret
      label={t('recovery.key')}
      secret={recoveryKey}
      copyLabel={t('recovery.copy')}
      copiedLabel={t('recovery.copied')}
      actions={
        <DownloadButton
          label={t('recovery.download')}
          name={recoveryFileName('recovery-key', user)}
          text={() => t('recovery.file', { ...recoveryFileFields(user), key: recoveryKey })}
        />
      }
    />
  );
}
