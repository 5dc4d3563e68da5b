import { useTranslation } from 'react-i18next';
import { FailureContent } from '../../components/failure/failure-content.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { failureOfRecord } from '../../lib/failure.ts';
import type { PluginActivity, PluginDetails } from './plugin-queries.ts';

interface PluginProblemsProps {
  details: PluginDetails;
  activity: PluginActivity | undefined;
}

/** What keeps a plugin, or a part of it, from working. */
export function PluginProblems({ details, activity }: PluginProblemsProps) {
  const { t } = useTranslation();
  const { process = null, clash = null } = activity ?? {};
  const isStopped = process?.state === 'paused' || process?.state === 'waiting';
  const failure = isStopped ? process.failure : null;
  if (details.fault === null && clash === null && failure === null) return null;
  return (
    <div className="mb-5 space-y-3">
      {details.state === 'fetching' && <Alert variant="notice">{t('plugins.fetching')}</Alert>}
      {details.fault !== null && details.state !== 'fetching' && (
        <Alert>
          <p className="font-medium">{t('plugins.damaged')}</p>
          <p>{t('plugins.damagedText')}</p>
          <p lang="en" className="mt-1 break-words text-foreground">
            {details.fault}
          </p>
        </Alert>
      )}
      {clash !== null && (
        <Alert>
          <p className="font-medium">{t('plugins.clashShort')}</p>
          <p>{t('plugins.clashText')}</p>
          <p lang="en" className="mt-1 break-words text-foreground">
            {clash}
          </p>
        </Alert>
      )}
      {failure !== null && (
        <Alert>
          <FailureContent
            title={t(process?.state === 'paused' ? 'plugins.pausedTitle' : 'plugins.waitingTitle')}
            failure={failureOfRecord({ reason: failure.reason, error: failure.message, response: null, hint: null }, t)}
          />
          <p className="mt-1 text-foreground">
            {t(process?.state === 'paused' ? 'plugins.pausedText' : 'plugins.waitingText')}{' '}
            <RelativeTime timestamp={failure.at} />
          </p>
        </Alert>
      )}
    </div>
  );
}
