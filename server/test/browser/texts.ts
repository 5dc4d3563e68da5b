import type { Platform } from '@parley/sdk';
import { english, fill, type Values } from '../../../web/testing/texts.ts';
import { aiocqhttp } from '../../src/platforms/aiocqhttp/index.ts';
import { discord } from '../../src/platforms/discord/index.ts';
import { lark } from '../../src/platforms/lark/index.ts';
import { slack } from '../../src/platforms/slack/index.ts';
import { telegram } from '../../src/platforms/telegram/index.ts';
import { services } from '../../src/providers/openai-compatible/services.ts';

export { counted, fill, moreActions } from '../../../web/testing/texts.ts';

/** What the server calls the kinds of bots and of providers that are chosen here. */
export function kindsIn(language: 'en_US' | 'zh_Hans') {
  const openAi = services.find(({ name }) => name === 'openai-chat-completions')?.label;
  const labelOf = ({ label }: Pick<Platform, 'label'>) => label[language] ?? label.en_US;
  return {
    aiocqhttp: labelOf(aiocqhttp),
    discord: labelOf(discord),
    lark: labelOf(lark),
    slack: labelOf(slack),
    telegram: labelOf(telegram),
    openAi: openAi?.[language] ?? openAi?.en_US ?? '',
  };
}
export const kinds = kindsIn('en_US');

/** Matches a text of the console within other words, with anything in the places that have no value. */
export function pattern(text: string, values: Values = {}): RegExp {
  return new RegExp(sourceOf(text, values));
}

/** Matches what begins with a text of the console: a button that names its record after what it does. */
export function beginning(text: string): RegExp {
  return new RegExp(`^${sourceOf(text, {})}`);
}

/** What the field is called that takes the name of a record before it is deleted. */
export function confirmName(record: string): string {
  return fill(english.common.confirmName, { name: record });
}

/** What the audit log says of an action: `auditAction('bot', 'update')`. */
export function auditAction(kind: keyof typeof english.audit.kinds, verb: keyof typeof english.audit.verbs): string {
  return fill(english.audit.action, { kind: english.audit.kinds[kind], verb: english.audit.verbs[verb] });
}

function sourceOf(text: string, values: Values): string {
  // A text is split at its places, whose names stand between the parts then.
  const parts = text.split(/\{\{(\w+)\}\}/);
  return parts
    .map((part, index) => (index % 2 === 0 ? part : values[part]))
    .map((part) => (part === undefined ? '.+' : RegExp.escape(String(part))))
    .join('');
}
