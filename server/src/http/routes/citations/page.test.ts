import { expect, it } from 'vitest';
import type { CitedPassage } from '../../../core/messages/cited-passages.ts';
import { pageHeaders, passagePage, refusalPage } from './page.ts';

const passage: CitedPassage = {
  file_name: 'handbook.pdf',
  page: 3,
  page_end: 3,
  text: 'We close at five.',
  quotes: ['at five'],
};
const textOf = (html: string) =>
  html
    .replace(/<style>.*<\/style>/s, '')
    .replace(/<[^>]+>/g, '|')
    .replace(/\|+/g, '|');

it('shows the document, the page and the passage, and nothing else', () => {
  const html = passagePage(passage, undefined);
  expect(textOf(html)).toBe('|handbook.pdf|handbook.pdf|Page 3|We close |at five|.|');
  expect(html).toContain('<mark>at five</mark>');
  expect(html).not.toMatch(/<script|<a |<img|<link|href=|src=/);
  expect(html).toContain('<meta name="robots" content="noindex, nofollow, noarchive">');
});

it('escapes everything', () => {
  const hostile = `<script>alert("1")</script>&'\ud800`;
  const html = passagePage(
    { ...passage, file_name: hostile, text: `${hostile}${hostile}`, quotes: [hostile] },
    hostile,
  );
  expect(html).not.toContain('<script');
  expect(html).toContain(
    '<mark>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;\ufffd</mark>&lt;script&gt;',
  );
});

it.each([
  [['one two', 'two three'], 'zero <mark>one two three</mark> four'],
  [['one', 'three'], 'zero <mark>one</mark> two <mark>three</mark> four'],
  [['five', ''], 'zero one two three four'],
  [['zero one two three four'], '<mark>zero one two three four</mark>'],
])('marks quotes: %j', (quotes, marked) => {
  expect(passagePage({ ...passage, text: 'zero one two three four', quotes }, undefined)).toContain(
    `<blockquote>${marked}</blockquote>`,
  );
});

it.each([
  ['zh-TW,zh;q=0.9,en;q=0.8', '第 3 页', 'zh-Hans'],
  ['ja', '3ページ', 'ja'],
  ['de,ja;q=0.5', '3ページ', 'ja'],
  ['de', 'Page 3', 'en'],
  ['', 'Page 3', 'en'],
])('speaks the language of %j', (accepted, place, language) => {
  const html = passagePage(passage, accepted);
  expect(html).toContain(place);
  expect(html).toContain(`<html lang="${language}">`);
});

it('shows several pages, or none', () => {
  expect(textOf(passagePage({ ...passage, page_end: 5 }, 'en'))).toContain('Pages 3–5');
  expect(textOf(passagePage({ ...passage, page: null, page_end: null, file_name: '' }, 'en'))).toBe(
    '|Cited passage|Cited passage|We close |at five|.|',
  );
});

it.each(['invalid', 'expired', 'gone', 'busy'] as const)('says in each language that a link is %s', (refusal) => {
  const texts = ['en', 'zh', 'ja'].map((language) => textOf(refusalPage(refusal, language)));
  expect(new Set(texts).size).toBe(3);
  expect(texts.join()).not.toContain('undefined');
});

it('allows its own style and nothing to be loaded', () => {
  expect(pageHeaders['content-security-policy']).toMatch(
    /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  );
});
