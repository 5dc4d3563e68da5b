import { ParleyApiError } from '@parley/client';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { Alert } from '../../components/ui/alert.tsx';

/** The error of a server. Contains the exact entry that the operator must allow. */
export function ServerRefusal({ error }: { error: unknown }) {
  const { t } = useTranslation();
  if (!(error instanceof ParleyApiError && error.reason === 'mcp_command_not_allowed')) {
    return <FailureAlert error={error} />;
  }
  return (
    <Alert>
      <p className="font-medium">{t('tools.notAllowed')}</p>
      <p>{t('tools.notAllowedText')}</p>
      <code className="mt-1 block font-mono break-all select-all">{error.details[0]?.message}</code>
    </Alert>
  );
}
