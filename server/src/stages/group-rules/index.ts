import { type PipelineMessage, type Stage, type StageOutcome, textOfChain } from '@parley/sdk';
import { Patterns } from '../../kit/patterns.ts';
import { sampleOf } from '../../lib/sample.ts';
import { fingerprint } from '../../lib/token.ts';
import { type GroupRulesConfig, groupRulesConfig } from './config.ts';
import { cutPrefix, matchingPrefix, trimChain, withoutMentions } from './strip.ts';

type Rules = GroupRulesConfig['trigger']['group-respond-rules'];
type Rule = Exclude<keyof Rules, 'all-mentions'>;

export interface GroupRulesOptions {
  /** A number from 0 up to, but not including, 1: the same each time for the same message. */
  chance?: (message: PipelineMessage) => number;
  patterns?: Patterns;
}

/**
 * Passes those messages of a group that address the bot, and removes the mention or prefix. The rules are checked in a
 * fixed order, and the removal does not depend on which of them matched.
 */
export function createGroupRules(options: GroupRulesOptions = {}): Stage<typeof groupRulesConfig> {
  const { chance = chanceOf, patterns = new Patterns() } = options;
  return {
    name: 'group-rules',
    label: { en_US: 'Group rules', zh_Hans: '群聊响应规则', ja_JP: 'グループのルール' },
    config: groupRulesConfig,
    async check(message, { config, botAccountId, signal }): Promise<StageOutcome> {
      if (message.session_type !== 'group') return { outcome: 'pass' };
      const rules = config.trigger['group-respond-rules'];
      const { chain: unmentioned, mentions } = withoutMentions(message.message_chain, botAccountId);
      const text = textOfChain(unmentioned).trimStart();
      const prefix = matchingPrefix(rules.prefix, text);

      let rule: Rule | null = null;
      let details: Record<string, unknown> = {};
      const kinds = rules['all-mentions'] ? (message.facts.bot_mentions ?? []) : [];
      if (rules.at && mentions > 0) rule = 'at';
      else if (rules.at && kinds.length > 0) {
        rule = 'at';
        details = { mentions: kinds };
      } else if (prefix !== null) rule = 'prefix';
      else {
        const { matched, invalid } = await patterns.search(rules.regexp, text, 'begins', signal);
        if (invalid.length > 0) details = { invalid_pattern: sampleOf(invalid) };
        if (matched !== null) {
          rule = 'regexp';
          details = { ...details, regexp: sampleOf([matched]) };
        } else if (rules.random > 0 && chance(message) < rules.random) rule = 'random';
      }

      if (rule === null) {
        return { outcome: 'stop', reason: 'group_rule_not_matched', details: { rules: shown(rules), ...details } };
      }
      if (prefix !== null) details = { ...details, prefix: sampleOf([prefix]) };
      details = { rule, ...details };
      if (prefix === null && mentions === 0) return { outcome: 'pass', details };
      const chain = prefix === null ? trimChain(unmentioned) : cutPrefix(unmentioned, prefix);
      return { outcome: 'pass', message_chain: chain, details };
    },
  };
}

function shown({ prefix, regexp, ...rules }: Rules): Record<keyof Rules, unknown> {
  return { ...rules, prefix: sampleOf(prefix), regexp: sampleOf(regexp) };
}

/** Derived from the message's id: a message that is processed again, after a wait or a crash, gets the same result. */
function chanceOf({ uuid }: PipelineMessage): number {
  return Number.parseInt(fingerprint(uuid).slice(0, 12), 16) / 2 ** 48;
}
