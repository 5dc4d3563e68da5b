import { ParleyApiError } from '@parley/client';
import { conflicts } from '@parley/sdk/conflicts';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { english } from '../../testing/texts.ts';
import { conflicts as japanese } from '../locales/ja/conflicts.ts';
import { conflicts as chinese } from '../locales/zh-hans/conflicts.ts';
import { errorText } from './error-text.ts';
import { chooseLanguage, type Language, loadPageTexts } from './i18n.ts';

const refused = (conflict?: { code: string; parameters: Record<string, string> }) =>
  new ParleyApiError('There is an account ada already', { status: 409, reason: 'conflict', conflict });
async function changeLanguage(language: Language) {
  chooseLanguage(language);
  await vi.waitFor(() => expect(i18next.language).toBe(language));
}

const known = { code: 'account_exists', parameters: { user: '<ada> {{user}} $t(reasons.internal)' } };

describe('a request that the state does not allow', () => {
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

it.each(Object.entries(conflicts))('the texts of %s have its parameters', (code, text) => {
  const parameters = (one: string) => (one.match(/\{\{\w+\}\}/g) ?? []).sort();
  for (const texts of [chinese, japanese]) {
    expect(parameters(texts[code as keyof typeof conflicts])).toEqual(parameters(text));
  }
});
