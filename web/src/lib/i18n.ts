import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { english } from '../locales/en/index.ts';

const key = 'language';

/** The languages of the console by tag, with their own names. */
export const languages = { en: 'English', 'zh-Hans': '简体中文', ja: '日本語' } as const;
export type Language = keyof typeof languages;

type Dictionary = typeof english;

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: Dictionary };
  }
}

/** `first`: texts of the first page; `pages`: of all other pages. */
type Part = 'first' | 'pages';

/** Only the current language is loaded, and only the required texts. */
const dictionaries: Record<Language, Record<Part, () => Promise<object>>> = {
  en: {
    first: async () => (await import('../locales/en/first.ts')).first,
    pages: async () => (await import('../locales/en/pages.ts')).pages,
  },
  'zh-Hans': {
    first: async () => (await import('../locales/zh-hans/first.ts')).first,
    pages: async () => (await import('../locales/zh-hans/pages.ts')).pages,
  },
  ja: {
    first: async () => (await import('../locales/ja/first.ts')).first,
    pages: async () => (await import('../locales/ja/pages.ts')).pages,
  },
};
const needed = new Set<Part>(['first']);
const loaded = new Map<string, Promise<void>>();

function preferredLanguage(): Language {
  const wanted = [localStorage.getItem(key) ?? '', ...navigator.languages];
  for (const tag of wanted) {
    if (tag.startsWith('zh')) return 'zh-Hans';
    if (tag.startsWith('ja')) return 'ja';
    if (tag.startsWith('en')) return 'en';
  }
  return 'en';
}

async function load(language: Language): Promise<void> {
  await Promise.all([...needed].map((part) => loadPart(language, part)));
}

function loadPart(language: Language, part: Part): Promise<void> {
  const key = `${language} ${part}`;
  let loading = loaded.get(key);
  if (loading === undefined) {
    loading = dictionaries[language][part]().then((texts) => {
      i18next.addResourceBundle(language, 'translation', texts, true);
    });
    loaded.set(key, loading);
    // To be tried again.
    loading.catch(() => loaded.delete(key));
  }
  return loading;
}

/** Must be awaited before any page other than the first is shown. */
export async function loadPageTexts(): Promise<void> {
  needed.add('pages');
  await load(i18next.language as Language);
}

i18next.on('languageChanged', (language) => {
  document.documentElement.lang = language;
});

await i18next.use(initReactI18next).init({
  resources: {},
  // React escapes output.
  interpolation: { escapeValue: false },
});
const first = preferredLanguage();
await load(first);
await i18next.changeLanguage(first);

/** Changes the language of the console and stores it in this browser. */
export function chooseLanguage(language: Language) {
  localStorage.setItem(key, language);
  void load(language).then(() => i18next.changeLanguage(language));
}

/** A multilingual text of the server, in the current language. */
export function localized(text: { en_US: string; zh_Hans?: string | null; ja_JP?: string | null }): string {
  if (i18next.language === 'zh-Hans' && text.zh_Hans) return text.zh_Hans;
  if (i18next.language === 'ja' && text.ja_JP) return text.ja_JP;
  return text.en_US;
}
