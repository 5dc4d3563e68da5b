import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import { expect, it } from 'vitest';
import { chooseFonts, quoted } from './fonts.ts';
import { squareFont } from './testing/square-font.ts';

const context = createCanvas(1, 1).getContext('2d');
GlobalFonts.register(squareFont('abcdefghij'), 'Latin Squares');
GlobalFonts.register(squareFont('中文字图片'), 'Chinese Squares');
GlobalFonts.register(squareFont('0123'), 'Number Squares');

const choose = (text: string, families: string[], first: string | null = null) =>
  chooseFonts(families, context, text, first);
const all = ['Number Squares', 'Latin Squares', 'Chinese Squares'];

it('takes the fonts that have the letters, and no others', async () => {
  expect(await choose('abc', all)).toEqual(['Latin Squares']);
  expect(await choose('中文 abc', all)).toEqual(['Latin Squares', 'Chinese Squares']);
});

it('uses the given font first', async () => {
  expect(await choose('中文 abc', all, 'Chinese Squares')).toEqual(['Chinese Squares', 'Latin Squares']);
});

it('takes none when letters are missing in all, unless they are few', async () => {
  expect(await choose('абв', all)).toBeNull();
  expect(await choose('abc 中', ['Latin Squares'])).toBeNull();
  expect(await choose('abc', [])).toBeNull();
  expect(await choose('', [])).toBeNull();
  expect(await choose('...', all)).toEqual(['Number Squares']);
});

it('adds the font of emoji where there is one', async () => {
  expect(await choose('abc', [...all, 'Noto Color Emoji'])).toEqual(['Latin Squares', 'Noto Color Emoji']);
});

it('finds a letter that no font has among many that they have', async () => {
  const many = Array.from({ length: 400 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('');
  GlobalFonts.register(squareFont(many), 'Many Squares');
  expect(await choose(many, ['Many Squares'])).toEqual(['Many Squares']);
  expect(await choose(`${many}абв`, ['Many Squares'])).toEqual(['Many Squares']);
});

it('has names with quotation marks quoted', () => {
  expect(quoted('My "Font"\\')).toBe('"My \\"Font\\"\\\\"');
});
