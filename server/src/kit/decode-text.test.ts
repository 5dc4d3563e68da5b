import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decodeText, isProbablyText } from './decode-text.ts';

/** Bytes of a text in encodings that Node.js only reads: found by decoding all pairs of bytes. */
function encoder(encoding: string): (text: string) => Uint8Array {
  const decoder = new TextDecoder(encoding);
  const bytesOf = new Map<string, number[]>();
  for (let first = 0; first < 256; first += 1) {
    const single = decoder.decode(new Uint8Array([first]));
    if (single.length === 1 && single !== '�' && !bytesOf.has(single)) bytesOf.set(single, [first]);
    for (let second = 64; first > 127 && second < 255; second += 1) {
      const pair = decoder.decode(new Uint8Array([first, second]));
      if (pair.length === 1 && pair !== '�' && !bytesOf.has(pair)) bytesOf.set(pair, [first, second]);
    }
  }
  return (text) =>
    new Uint8Array(
      [...text].flatMap((character) => bytesOf.get(character) ?? expect.unreachable(`no ${character} in ${encoding}`)),
    );
}

const samples: [encoding: string, text: string][] = [
  ['gb18030', '根据公司规定，员工年假为十五天。请提前申请。'],
  ['gb18030', '价格表'],
  ['big5', '根據公司規定，員工年假為十五天。請提前申請。'],
  ['shift_jis', '有給休暇は年間二十日です。事前に申請してください。'],
  ['euc-jp', '有給休暇は年間二十日です。事前に申請してください。'],
  ['euc-kr', '연차 휴가는 일 년에 십오 일입니다. 미리 신청하십시오.'],
  ['windows-1250', 'Dovolená činí dvacet pět dnů za rok. Žádost podejte předem.'],
  ['windows-1251', 'Отпуск составляет двадцать восемь дней в году.'],
  ['windows-1252', 'Der Urlaub beträgt dreißig Tage im Jahr. “Genügend Zeit” für 20 €'],
  ['windows-1253', 'Η άδεια είναι είκοσι πέντε ημέρες τον χρόνο.'],
  ['koi8-r', 'Отпуск составляет двадцать восемь дней в году.'],
];

const utf16 = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'));
const swapped = (bytes: Uint8Array) => new Uint8Array(Buffer.from(bytes).swap16());

describe('decodeText', () => {
  it.each(samples)('reads %s', (encoding, text) => {
    const bytes = encoder(encoding)(text);
    expect(decodeText(bytes)).toEqual({ text, warning: expect.stringContaining('encoding') });
    expect(isProbablyText(bytes)).toBe(true);
  });

  it('finds the few lines that tell the encoding in a long file', () => {
    const bytes = encoder('gb18030')(`${'plain line of a log\n'.repeat(10_000)}错误：连接数据库失败，请稍后重试\n`);
    expect(decodeText(bytes).text).toContain('连接数据库失败');
  });

  it.each([
    ['UTF-8', new TextEncoder().encode('Größe 文件 🙂')],
    ['UTF-8 with a mark', new TextEncoder().encode('\ufeffGröße 文件 🙂')],
    ['UTF-16 with a mark', utf16('\ufeffGröße 文件 🙂')],
    ['UTF-16 with a mark, big end first', swapped(utf16('\ufeffGröße 文件 🙂'))],
    ['UTF-16 without a mark', utf16('Größe 文件 🙂')],
    ['UTF-16 without a mark, big end first', swapped(utf16('Größe 文件 🙂'))],
  ])('reads %s', (_title, bytes) => {
    expect(decodeText(bytes)).toEqual({ text: 'Größe 文件 🙂', warning: null });
  });

  it('reads ISO-2022-JP, which looks like ASCII', () => {
    const bytes = new TextEncoder().encode('\u001b$B%F%9%H\u001b(B end');
    expect(decodeText(bytes).text).toBe('テスト end');
  });

  it('takes all ends of lines for the same', () => {
    expect(decodeText(new TextEncoder().encode('a\r\nb\rc\nd')).text).toBe('a\nb\nc\nd');
  });

  it('reads UTF-8 with a few damaged characters, with a warning', () => {
    const bytes = new TextEncoder().encode('文件系统'.repeat(20)).slice(0, -1);
    const { text, warning } = decodeText(bytes);
    expect(text).toBe(`${'文件系统'.repeat(20).slice(0, -1)}�`);
    expect(warning).toContain('damaged');
  });

  it('reads a log with colours, and with the gap that a crash left', () => {
    const line = '\u001b[31mError\u001b[0m: it went wrong\n';
    const bytes = new TextEncoder().encode(`${line.repeat(20)}\0\0\0\0\0${line.repeat(20)}`);
    expect(decodeText(bytes).text).toContain('it went wrong');
  });

  it.each([
    ['random bytes', randomBytes(10_000)],
    ['a program', readFileSync(process.execPath).subarray(0, 100_000)],
    ['bytes of nothing', new Uint8Array(1000)],
  ])('refuses %s', (_title, bytes) => {
    expect(() => decodeText(bytes)).toThrow(expect.objectContaining({ reason: 'document_broken' }));
    expect(isProbablyText(bytes)).toBe(false);
  });

  it('reads nothing from nothing', () => {
    expect(decodeText(new Uint8Array())).toEqual({ text: '', warning: null });
  });
});
