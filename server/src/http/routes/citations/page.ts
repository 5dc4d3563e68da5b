import { hash } from 'node:crypto';
import type { CitedPassage, LinkRefusal } from '../../../core/messages/cited-passages.ts';

const style = `
:root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif; }
body { margin: 0; background: light-dark(#fafafa, #161618); color: light-dark(#1c1c1f, #ececef); }
main { max-width: 42rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.125rem; line-height: 1.4; margin: 0; overflow-wrap: anywhere; }
p { margin: 0.25rem 0 0; color: light-dark(#5b5b63, #a4a4ad); }
blockquote { margin: 1.5rem 0 0; padding: 1.25rem; border-radius: 0.75rem; background: light-dark(#fff, #202024);
  border: 1px solid light-dark(#e4e4e8, #34343a); white-space: pre-wrap; overflow-wrap: anywhere; }
mark { background: light-dark(#fde68a, #6b5310); color: inherit; border-radius: 0.2rem; }
`;

/** Nothing is loaded and nothing is executed: the page consists of its text and this style. */
const securityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const pageHeaders = {
  'content-security-policy': securityPolicy,
  'content-type': 'text/html; charset=utf-8',
  'x-robots-tag': 'noindex, nofollow, noarchive',
};

const languages = ['en', 'zh', 'ja'] as const;
type Language = (typeof languages)[number];

interface Texts {
  title: string;
  page: (first: number) => string;
  pages: (first: number, last: number) => string;
  refusals: Record<LinkRefusal | 'busy', string>;
}

const texts: Record<Language, Texts> = {
  en: {
    title: 'Cited passage',
    page: (first) => `Page ${first}`,
    pages: (first, last) => `Pages ${first}–${last}`,
    refusals: {
      invalid: 'This link is not valid. Check that it was copied completely.',
      expired: 'This link has expired.',
      gone: 'This passage is no longer available.',
      busy: 'Too many requests. Try again in a minute.',
    },
  },
  zh: {
    title: '引用的段落',
    page: (first) => `第 ${first} 页`,
    pages: (first, last) => `第 ${first}–${last} 页`,
    refusals: {
      invalid: '链接无效，请检查是否完整复制。',
      expired: '链接已过期。',
      gone: '该段落已不可用。',
      busy: '请求过于频繁，请一分钟后再试。',
    },
  },
  ja: {
    title: '引用箇所',
    page: (first) => `${first}ページ`,
    pages: (first, last) => `${first}～${last}ページ`,
    refusals: {
      invalid: 'このリンクは無効です。全体がコピーされているか確認してください。',
      expired: 'このリンクは有効期限が切れています。',
      gone: 'この引用箇所は表示できなくなりました。',
      busy: 'リクエストが多すぎます。1分後にもう一度お試しください。',
    },
  },
};

const htmlLanguages: Record<Language, string> = { en: 'en', zh: 'zh-Hans', ja: 'ja' };

/** @param accepted the header `Accept-Language` */
export function passagePage(passage: CitedPassage, accepted: string | undefined): string {
  const language = languageOf(accepted);
  const { title } = texts[language];
  const { file_name, text, quotes } = passage;
  const place = placeOf(passage, language);
  return html(language, file_name || title, [
    `<h1>${escaped(file_name || title)}</h1>`,
    ...(place === '' ? [] : [`<p>${escaped(place)}</p>`]),
    `<blockquote>${marked(text, quotes)}</blockquote>`,
  ]);
}

/** @param accepted the header `Accept-Language` */
export function refusalPage(refusal: LinkRefusal | 'busy', accepted: string | undefined): string {
  const language = languageOf(accepted);
  const { title, refusals } = texts[language];
  return html(language, title, [`<h1>${escaped(title)}</h1>`, `<p>${escaped(refusals[refusal])}</p>`]);
}

function html(language: Language, title: string, content: string[]): string {
  return [
    `<!doctype html><html lang="${htmlLanguages[language]}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="robots" content="noindex, nofollow, noarchive">',
    `<title>${escaped(title)}</title><style>${style}</style></head>`,
    `<body><main>${content.join('')}</main></body></html>`,
  ].join('');
}

function placeOf({ page, page_end }: CitedPassage, language: Language): string {
  if (page === null) return '';
  return page_end === null || page_end <= page ? texts[language].page(page) : texts[language].pages(page, page_end);
}

/** The text with its quotes marked; where they overlap, as one. */
function marked(text: string, quotes: readonly string[]): string {
  const isMarked = new Uint8Array(text.length);
  for (const quote of quotes) {
    const start = quote === '' ? -1 : text.indexOf(quote);
    if (start >= 0) isMarked.fill(1, start, start + quote.length);
  }
  let result = '';
  for (let from = 0; from < text.length; ) {
    let to = from;
    while (to < text.length && isMarked[to] === isMarked[from]) to += 1;
    const part = escaped(text.slice(from, to));
    result += isMarked[from] === 1 ? `<mark>${part}</mark>` : part;
    from = to;
  }
  return result;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.toWellFormed().replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** The first of the accepted languages that there is. */
function languageOf(accepted = ''): Language {
  const wanted = accepted
    .slice(0, 200)
    .split(',')
    .map((part) => (part.trim().split(/[-;]/, 1)[0] ?? '').toLowerCase());
  return (
    languages.find((language) => language === wanted.find((one) => languages.some((known) => known === one))) ?? 'en'
  );
}
