import type { TObject } from 'typebox';
import { Check, Default } from 'typebox/value';
import { expect, it } from 'vitest';
import type { FieldPresentation } from '../src/config-schema.ts';
import { I18nText } from '../src/i18n-text.ts';

/** Registers the checks that every kind of extension shares: a stable name and display texts. */
export function identityTests(extension: { name: string; label: I18nText; description?: I18nText }): void {
  it('has a name of letters and digits', () => {
    expect(extension.name).toMatch(/^[a-z0-9]+([-_][a-z0-9]+)*$/i);
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

/** Registers the checks of the settings of an extension, at whatever depth: every field has a label and a default. */
export function configTests(config: TObject | undefined): void {
  it('has settings with labels and defaults', () => {
    for (const [path, field] of fieldsOf(config)) {
      const fallback = Default(field, undefined);
      expect(fallback, `the default of ${path}`).toBeDefined();
      expect(Check(field, fallback), `the default of ${path}`).toBe(true);
      expect(Check(I18nText, (field as FieldPresentation)['x-label']), `the label of ${path}`).toBe(true);
    }
  });
}

/** Fields that are no groups, by their path. */
function fieldsOf(schema: TObject | undefined, path = ''): [string, TObject][] {
  return Object.entries((schema?.properties ?? {}) as Record<string, TObject & FieldPresentation>).flatMap(
    ([name, field]): [string, TObject][] => {
      const isGroup = field.properties !== undefined && field['x-form'] === undefined;
      return isGroup ? fieldsOf(field, `${path}${name}.`) : [[`${path}${name}`, field]];
    },
  );
}
