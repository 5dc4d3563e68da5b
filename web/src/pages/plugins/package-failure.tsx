import { useTranslation } from 'react-i18next';
import { FailureContent } from '../../components/failure/failure-content.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import type { Failure } from '../../lib/failure.ts';

interface PackageFailureProps {
  failure: Failure;
  /** What failed. */
  title: string;
  /** What is as it was. */
  children?: React.ReactNode;
}

/** Why a package was refused or a version could not be started, with each entry or field that the server names. */
export function PackageFailure({ failure, title, children }: PackageFailureProps) {
  const { t } = useTranslation();
  const { reason, message, text } = failure;
  // Other reasons list their fields themselves.
  const entries = reason === 'plugin_invalid' ? failure.details : [];
  const said = entries.length > 0 || message === text ? null : message;
  return (
    <Alert>
      <FailureContent failure={{ ...failure, message: null }} title={title} />
      {entries.length > 0 && (
        <ul lang="en" className="mt-1.5 list-disc space-y-0.5 pl-5 text-foreground">
          {entries.map((entry) => (
            <li key={`${entry.path} ${entry.message}`} className="break-words">
              {entry.path !== '' && <code className="font-mono text-[0.9em] break-all">{entry.path}</code>}{' '}
              {entry.message}
            </li>
          ))}
        </ul>
      )}
      {said !== null && said !== '' && (
        <p className="mt-1.5 text-foreground">
          <span className="text-xs text-muted-foreground">{t('plugins.serverSays')}</span>{' '}
          <span lang="en" className="break-words">
            {said}
          </span>
        </p>
      )}
      {children && <div className="mt-1.5 text-foreground">{children}</div>}
    </Alert>
  );
}
