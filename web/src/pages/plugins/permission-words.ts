import type { TFunction } from 'i18next';
import type { english } from '../../locales/en/index.ts';
import type { Permission } from './plugin-queries.ts';

/** What a permission allows, in the order in which it matters to an operator. */
export const effects = ['see', 'change', 'reach', 'spend', 'other'] as const;
export type Effect = (typeof effects)[number];

type Words = (typeof english.plugins)['may'];
type Phrase = { [Kind in Effect]: readonly [Kind, keyof Words[Kind] & string] }[Effect];

/** By kind and value, or by kind where the value is a name. A listener both sees and changes. */
const phrases: Readonly<Record<string, readonly Phrase[]>> = {
  'listeners received': [
    ['see', 'received'],
    ['change', 'received'],
  ],
  'listeners command': [
    ['see', 'command'],
    ['change', 'command'],
  ],
  'listeners prompt': [
    ['see', 'prompt'],
    ['change', 'prompt'],
  ],
  'listeners question': [
    ['see', 'question'],
    ['change', 'question'],
  ],
  'listeners answer': [
    ['see', 'answer'],
    ['change', 'answer'],
  ],
  'listeners sent': [['see', 'sent']],
  tools: [['other', 'tools']],
  runners: [
    ['see', 'runners'],
    ['change', 'runners'],
  ],
  parsers: [['see', 'parsers']],
  engines: [['see', 'engines']],
  schedules: [['other', 'schedules']],
  'fetch *': [['reach', 'any']],
  fetch: [['reach', 'host']],
  fetch_setting: [['reach', 'setting']],
  storage: [['other', 'storage']],
  reply: [['change', 'reply']],
  send: [['change', 'send']],
  'models generate': [['spend', 'generate']],
  'models embed': [['spend', 'embed']],
  'knowledge pipeline': [['see', 'knowledgePipeline']],
  'knowledge chosen': [['see', 'knowledgeChosen']],
  files: [['see', 'files']],
  'conversation read': [['see', 'conversation']],
  'conversation reset': [['change', 'conversation']],
};

/** A sentence about what a permission allows. */
export interface Allowed {
  effect: Effect;
  text: string;
  /** Whether the text is that of the server, in English: the permission is one of a newer server. */
  isEnglish: boolean;
}

/**
 * What a permission allows, in the language of the console.
 * @param labelOf what a setting is called
 */
export function allowedBy(
  { kind, value, text }: Permission,
  t: TFunction,
  labelOf: (name: string) => string,
): Allowed[] {
  if (kind === 'fetch' && value.startsWith('*.')) {
    return [{ effect: 'reach', text: t('plugins.may.reach.below', { value: value.slice(2) }), isEnglish: false }];
  }
  const known = phrases[`${kind} ${value}`] ?? phrases[kind];
  if (known === undefined) return [{ effect: 'other', text, isEnglish: true }];
  const words = { value: kind === 'fetch_setting' ? labelOf(value) : value };
  return known.map(([effect, key]) => {
    // Each pair of the table is a key.
    const name = `plugins.may.${effect}.${key}` as 'plugins.may.reach.host';
    return { effect, text: t(name, words), isEnglish: false };
  });
}

/** Whether a plugin turns off streaming in its pipelines. */
export function stopsStreaming(permissions: readonly Permission[]): boolean {
  return permissions.some(({ kind, value }) => kind === 'listeners' && value === 'answer');
}

/** Whether a permission is in a list. */
export function isAmong(permissions: readonly Permission[], { kind, value }: Permission): boolean {
  return permissions.some((one) => one.kind === kind && one.value === value);
}
