import type { PipelineMessage, Stage, Verdict } from '@parley/sdk';

/** Lets only those talk to the bot who may. Whoever may not is told nothing. */
export const accessControl: Stage = {
  name: 'access-control',
  label: { en_US: 'Access control', zh_Hans: '访问控制', ja_JP: 'アクセス制御' },
  check(message, { config }): Verdict {
    const { mode, blacklist, whitelist } = config.trigger['access-control'];
    const entry = entryFor(message, mode === 'whitelist' ? whitelist : blacklist);
    const isAllowed = mode === 'whitelist' ? entry !== null : entry === null;
    const details = entry === null ? { mode } : { mode, entry };
    return isAllowed ? { outcome: 'pass', details } : { outcome: 'stop', reason: 'access_denied', details };
  },
};

/** The first entry that means the conversation or, wherever it is, who wrote. Identifiers are compared as texts. */
function entryFor({ session_type, session_id, sender_id }: PipelineMessage, entries: readonly string[]): string | null {
  const names = [`${session_type}_*`, `${session_type}_${session_id}`, `*_${session_id}`, `*_${sender_id}`];
  return entries.map((entry) => entry.trim()).find((entry) => names.includes(entry)) ?? null;
}
