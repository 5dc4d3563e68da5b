import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import type { McpServer } from './server-queries.ts';

const tones = { connecting: 'busy', connected: 'good', error: 'bad', off: 'neutral' } as const;

/** The connection status of a server. */
export function ServerState({ server: { runtime_info } }: { server: McpServer }) {
  const { t } = useTranslation();
  const state = runtime_info?.status ?? 'off';
  return <Badge tone={tones[state]}>{t(`tools.states.${state}`)}</Badge>;
}
