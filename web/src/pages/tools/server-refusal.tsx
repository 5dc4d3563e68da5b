import { ParleyApiError } from '@parley/client';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../components/ui/alert.tsx';
import { errorText } from '../../lib/error-text.ts';
import type { ServerEntry } from './server-entry.ts';

/** Why a server was not taken. What the operator has to allow is named word for word. */
export function ServerRefusal({ error, entry }: { error: unknown; entry: ServerEntry }) {
  const { t } = useTranslation();
  const isCommand = error instanceof ParleyApiError && error.reason === 'mcp_command_not_allowed';
  if (!isCommand) return <Alert>{errorText(error, t)}</Alert>;
  return (
    <Alert>
      <p className="font-medium">{t('tools.notAllowed')}</p>
      <p>{t('tools.notAllowedText')}</p>
      <code className="mt-1 block font-mono break-all select-all">{[entry.command, ...entry.args].join(' ')}</code>
    </Alert>
  );
}
