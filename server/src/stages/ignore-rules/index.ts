import { type Stage, type StageOutcome, textOfChain } from '@parley/sdk';
import { Patterns } from '../../kit/patterns.ts';
import { sampleOf } from '../../lib/sample.ts';
import { ignoreRulesConfig } from './config.ts';

export interface IgnoreRulesOptions {
  patterns?: Patterns;
}

/** Ignores messages whose text starts with a prefix or matches a pattern. */
export function createIgnoreRules({
  patterns = new Patterns(),
}: IgnoreRulesOptions = {}): Stage<typeof ignoreRulesConfig> {
  return {
    name: 'ignore-rules',
    label: { en_US: 'Ignore rules', zh_Hans: '忽略规则', ja_JP: '無視するルール' },
    config: ignoreRulesConfig,
    async check(message, { config, signal }): Promise<StageOutcome> {
      const rules = config.trigger['ignore-rules'];
      const text = textOfChain(message.message_chain);
      const start = text.trimStart();
      const prefix = rules.prefix.map((entry) => entry.trimStart()).find((entry) => entry && start.startsWith(entry));
      if (prefix !== undefined) {
        return { outcome: 'stop', reason: 'ignored', details: { rule: 'prefix', prefix: sampleOf([prefix]) } };
      }
      const { matched, invalid } = await patterns.search(rules.regexp, text, 'occurs', signal);
      const details = invalid.length > 0 ? { invalid_pattern: sampleOf(invalid) } : {};
      if (matched === null) return { outcome: 'pass', details };
      return {
        outcome: 'stop',
        reason: 'ignored',
        details: { rule: 'regexp', regexp: sampleOf([matched]), ...details },
      };
    },
  };
}
