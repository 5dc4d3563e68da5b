import { ParleyApiError } from '@parley/client';
import { fieldRules } from '@parley/sdk/field-rules';
import { knownProblems, type ProblemCode } from '@parley/sdk/problems';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { english } from '../../testing/texts.ts';
import { errors as japaneseErrors } from '../locales/ja/errors.ts';
import { fieldRules as japaneseRules } from '../locales/ja/field-rules.ts';
import { problems as japanese } from '../locales/ja/problems.ts';
import { errors as chineseErrors } from '../locales/zh-hans/errors.ts';
import { fieldRules as chineseRules } from '../locales/zh-hans/field-rules.ts';
import { problems as chinese } from '../locales/zh-hans/problems.ts';
import { errorText, faultText } from './error-text.ts';
import { chooseLanguage, type Language, loadPageTexts } from './i18n.ts';

const refused = (problem?: { code: string; parameters: Record<string, string> }) =>
  new ParleyApiError('There is an account ada already', { status: 409, reason: 'conflict', problem });
async function changeLanguage(language: Language) {
  chooseLanguage(language);
  await vi.waitFor(() => expect(i18next.language).toBe(language));
}

const known = { code: 'account_exists', parameters: { user: '<ada> {{user}} $t(reasons.internal)' } };

describe('a problem that has a code', () => {
  beforeEach(loadPageTexts);
  afterEach(() => changeLanguage('en'));

  it.each([
    ['zh-Hans', chinese],
    ['ja', japanese],
  ] as const)('is shown in %s, with its parameters as they are', async (language, texts) => {
    await changeLanguage(language);
    expect(errorText(refused(known), i18next.t)).toBe(
      texts.account_exists.replace('{{user}}', () => known.parameters.user),
    );
  });

  it('has the general text where its code is not known, and the text of the server in English', async () => {
    expect(errorText(refused(), i18next.t)).toBe('There is an account ada already');
    await changeLanguage('ja');
    const general = i18next.t('reasons.conflict');
    expect(general).not.toBe(english.reasons.conflict);
    expect(errorText(refused({ code: 'of_a_newer_server', parameters: {} }), i18next.t)).toBe(general);
  });
});

describe('in other languages', () => {
  beforeEach(loadPageTexts);
  afterEach(() => changeLanguage('en'));

  it.each([
    ['zh-Hans', chinese, chineseRules],
    ['ja', japanese, japaneseRules],
  ] as const)('the particular sentence stays, in %s', async (language, problems, rules) => {
    await changeLanguage(language);
    const limit = new ParleyApiError('Maximum number of bots (3) reached', {
      status: 409,
      reason: 'limit_reached',
      problem: { code: 'too_many_bots', parameters: { maximum: '3' } },
    });
    expect(errorText(limit, i18next.t)).toBe(problems.too_many_bots.replace('{{maximum}}', '3'));
    const fault = { path: 'name', message: 'is not the name of a time zone', rule: 'timeZone' };
    expect(faultText(fault, i18next.t)).toBe(rules.timeZone);
  });
});

const parameters = (one: string) => (one.match(/\{\{\w+\}\}/g) ?? []).sort();

it.each(Object.entries(knownProblems))('the texts of %s have its parameters', (code, { text }) => {
  for (const texts of [chinese, japanese]) {
    expect(parameters(texts[code as ProblemCode])).toEqual(parameters(text));
  }
});

it.each(Object.entries(fieldRules))('the texts of the rule %s have its limit', (rule, text) => {
  for (const rules of [
    { ...chineseErrors.rules, ...chineseRules },
    { ...japaneseErrors.rules, ...japaneseRules },
  ]) {
    expect(parameters(rules[rule as keyof typeof fieldRules])).toEqual(parameters(text));
  }
});
