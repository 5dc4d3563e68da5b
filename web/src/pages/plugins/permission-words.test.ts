import i18next from 'i18next';
import { afterEach, expect, it } from 'vitest';
import { english } from '../../../testing/texts.ts';
import { plugins as japanese } from '../../locales/ja/plugins.ts';
import { plugins as chinese } from '../../locales/zh-hans/plugins.ts';
import { allowedBy, isAmong, stopsStreaming } from './permission-words.ts';

const labelOf = (name: string) => `label of ${name}`;
const allowed = (kind: string, value = '') => allowedBy({ kind, value, text: 'In English.' }, i18next.t, labelOf);
const texts = english.plugins.may;

afterEach(() => i18next.changeLanguage('en'));

it.each(['received', 'command', 'prompt', 'question', 'answer'] as const)(
  'a listener of %s sees and may change something',
  (point) => {
    expect(allowed('listeners', point)).toEqual([
      { effect: 'see', text: texts.see[point], isEnglish: false },
      { effect: 'change', text: texts.change[point], isEnglish: false },
    ]);
  },
);

it.each([
  ['listeners', 'sent', 'see', texts.see.sent],
  ['fetch', 'api.example.com:8443', 'reach', 'api.example.com:8443'],
  ['fetch', '*', 'reach', texts.reach.any],
  ['fetch', '*.example.com', 'reach', texts.reach.below.replace('{{value}}', 'example.com')],
  ['fetch_setting', 'server', 'reach', texts.reach.setting.replace('{{value}}', 'label of server')],
  ['models', 'generate', 'spend', texts.spend.generate],
  ['tools', 'shout', 'other', texts.other.tools.replace('{{value}}', 'shout')],
  ['storage', '', 'other', texts.other.storage],
])('%s %s is named in the language of the console', (kind, value, effect, text) => {
  expect(allowed(kind, value)).toEqual([{ effect, text, isEnglish: false }]);
});

it('every permission of a manifest has words in each language', async () => {
  const all = [
    ...['received', 'command', 'prompt', 'question', 'answer', 'sent'].map((point) => ['listeners', point]),
    ...['tools', 'runners', 'parsers', 'engines', 'schedules'].map((kind) => [kind, '']),
    ...['storage', 'reply', 'send', 'files'].map((kind) => [kind, '']),
    ...[
      ['fetch', 'a.example'],
      ['fetch_setting', 'server'],
      ['models', 'generate'],
      ['models', 'embed'],
    ],
    ...[
      ['knowledge', 'pipeline'],
      ['knowledge', 'chosen'],
      ['conversation', 'read'],
      ['conversation', 'reset'],
    ],
  ] as [string, string][];
  for (const [language, own] of [
    ['zh-Hans', chinese],
    ['ja', japanese],
  ] as const) {
    i18next.addResourceBundle(language, 'translation', { plugins: own }, true);
    await i18next.changeLanguage(language);
    for (const [kind, value] of all) {
      for (const { text, isEnglish } of allowed(kind, value)) {
        expect(isEnglish, `${kind} ${value}`).toBe(false);
        expect(text).not.toMatch(/^plugins\.|In English/);
      }
    }
    expect(allowed('listeners', 'sent')[0]?.text).toBe(own.may.see.sent);
  }
});

it('a permission of a newer server is described by the server', () => {
  expect(allowed('telepathy', 'all')).toEqual([{ effect: 'other', text: 'In English.', isEnglish: true }]);
});

it('only listeners of answers turn off streaming', () => {
  const permission = (kind: string, value: string) => ({ kind, value, text: '' });
  expect(stopsStreaming([permission('listeners', 'sent'), permission('tools', 'answer')])).toBe(false);
  expect(stopsStreaming([permission('listeners', 'answer')])).toBe(true);
  expect(isAmong([permission('fetch', 'a')], permission('fetch', 'b'))).toBe(false);
});
