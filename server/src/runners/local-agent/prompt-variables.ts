import type { PromptMessage, RunnerRequest } from '@parley/sdk';

/** Longest name of a user or a group in a prompt, characters. Users choose their names themselves. */
const longestName = 100;

const variable = /\{\{\s*(user|group|platform|date|time|knowledge)\s*\}\}/g;

let formats: { date: Intl.DateTimeFormat; time: Intl.DateTimeFormat } | undefined;

/**
 * Values for `{{user}}` and the like; texts in double braces that are no variable stay. They are computed when a prompt
 * has them: most have none.
 */
export type PromptValues = Record<'user' | 'group' | 'platform' | 'date' | 'time' | 'knowledge', () => string>;

/** The time is that of the message, in the time zone of the server. */
export function promptValues({ message, platform = '' }: RunnerRequest, passages: string): PromptValues {
  const { sender_name, facts, created_at } = message;
  return {
    user: () => nameOf(sender_name),
    group: () => nameOf(facts.group_name ?? ''),
    platform: () => platform,
    date: () => sharedFormats().date.format(new Date(created_at)),
    time: () => sharedFormats().time.format(new Date(created_at)),
    knowledge: () => passages,
  };
}

/** Formats take far longer to create than to use. */
function sharedFormats() {
  formats ??= { date: inDigits({ dateStyle: 'short' }), time: inDigits({ timeStyle: 'short' }) };
  return formats;
}

/** A format of dates or times. This locale writes them as ISO 8601 does. */
function inDigits(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('sv-SE', options);
}

export function namesKnowledge(prompt: readonly PromptMessage[]): boolean {
  return prompt.some(({ content }) => /\{\{\s*knowledge\s*\}\}/.test(content));
}

export function fillPrompt(prompt: readonly PromptMessage[], values: PromptValues): PromptMessage[] {
  return prompt.map(({ role, content }) => ({
    role,
    content: content.replaceAll(variable, (_, name: keyof PromptValues) => values[name]()),
  }));
}

/** On one line, so that it cannot pass for another part of the prompt. */
function nameOf(text: string): string {
  return [...text.replaceAll(/\s+/g, ' ').trim()].slice(0, longestName).join('');
}
