import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { chinese } from '../locales/chinese.ts';
import { english } from '../locales/english.ts';

const key = 'language';

/** The languages of the console by their tag, each named in itself. */
export const languages = { en: 'English', 'zh-Hans': '简体中文' } as const;
export type Language = keyof typeof languages;

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof english };
  }
}

function preferredLanguage(): Language {
  const wanted = [localStorage.getItem(key) ?? '', ...navigator.languages];
  for (const tag of wanted) {
    if (tag.startsWith('zh')) return 'zh-Hans';
    if (tag.startsWith('en')) return 'en';
  }
  return 'en';
}

i18next.on('languageChanged', (language) => {
  document.documentElement.lang = language;
});

await i18next.use(initReactI18next).init({
  lng: preferredLanguage(),
  fallbackLng: 'en',
  resources: { en: { translation: english }, 'zh-Hans': { translation: chinese } },
  // React escapes what it shows.
  interpolation: { escapeValue: false },
});

/** Shows the console in another language and keeps the choice in this browser. */
export function chooseLanguage(language: Language) {
  localStorage.setItem(key, language);
  void i18next.changeLanguage(language);
}
