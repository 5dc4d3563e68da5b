import { Check } from 'typebox/value';
import { expect, it } from 'vitest';
import { I18nText } from '../src/i18n-text.ts';

/** Registers the checks that every kind of extension shares: a stable name and display texts. */
export function identityTests(extension: { name: string; label: I18nText; description?: I18nText }): void {
  it('has a lower-case name', () => {
    expect(extension.name).toMatch(/^[a-z0-9]+([-_][a-z0-9]+)*$/);
  });

  textsTests(extension.label, extension.description);
}

/** Registers the check of display texts. */
export function textsTests(...texts: (I18nText | undefined)[]): void {
  it('has texts to show', () => {
    for (const text of texts) {
      if (text === undefined) continue;
      expect(Check(I18nText, text)).toBe(true);
      for (const translation of Object.values(text)) expect(translation.trim()).not.toBe('');
    }
  });
}
