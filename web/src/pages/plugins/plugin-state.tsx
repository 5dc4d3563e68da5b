import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import type { PluginDetails, PluginProcess } from './plugin-queries.ts';

const tones = {
  enabled: 'good',
  disabled: 'neutral',
  consent_required: 'warning',
  damaged: 'bad',
  fetching: 'neutral',
} as const;

interface PluginStateProps {
  state: PluginDetails['state'];
  process: PluginProcess | null;
  /** Whether an update waits for consent. */
  hasUpdate: boolean;
}

/** Whether a plugin may run, and what keeps it from running. */
export function PluginState({ state, process, hasUpdate }: PluginStateProps) {
  const { t } = useTranslation();
  const isPaused = state === 'enabled' && process?.state === 'paused';
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      {isPaused ? (
        <Badge tone="bad">{t('plugins.paused')}</Badge>
      ) : (
        <Badge tone={tones[state]}>{t(`plugins.states.${state}`)}</Badge>
      )}
      {hasUpdate && <Badge tone="warning">{t('plugins.updateWaits')}</Badge>}
    </span>
  );
}
