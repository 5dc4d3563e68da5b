import type { PipelineMessage, Stage, StageOutcome } from '@parley/sdk';
import { accessControlConfig } from './config.ts';

/** Applies the blocklist or allowlist of a pipeline. Blocked users get no response. */
export const accessControl: Stage<typeof accessControlConfig> = {
  name: 'access-control',
  label: { en_US: 'Access control', zh_Hans: '访问控制', ja_JP: 'アクセス制御' },
  config: accessControlConfig,
  check(message, { config }): StageOutcome {
    const { mode, blacklist, whitelist } = config.trigger['access-control'];
    const entry = entryFor(message, mode === 'whitelist' ? whitelist : blacklist);
    const isAllowed = mode === 'whitelist' ? entry !== null : entry === null;
    const details = entry === null ? { mode } : { mode, entry };
    return isAllowed ? { outcome: 'pass', details } : { outcome: 'stop', reason: 'access_denied', details };
  },
};

/** The first entry that matches the conversation or, anywhere, the sender. Ids are compared as texts. */
function entryFor({ session_type, session_id, sender_id }: PipelineMessage, entries: readonly string[]): string | null {
  const names = [`${session_type}_*`, `${session_type}_${session_id}`, `*_${session_id}`, `*_${sender_id}`];
  return entries.map((entry) => entry.trim()).find((entry) => names.includes(entry)) ?? null;
}
