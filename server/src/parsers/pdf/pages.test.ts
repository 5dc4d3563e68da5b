import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { PageArea } from '@parley/sdk';
import { parserFile } from '@parley/sdk/testing';
import { describe, expect, it } from 'vitest';
import { locateText, renderPage } from './pages.ts';
import { linesAt, makePdf, type PdfText } from './testing/make-pdf.ts';

const file = (...pages: PdfText[][]) => parserFile('a.pdf', makePdf(pages), 'application/pdf');
const text = 'The drill must cool for 30 minutes after two hours of use.';
const manual = file(
  linesAt(60, 100, ['Safety', 'Read this first.'], 12),
  linesAt(60, 400, ['The drill must cool for 30', 'minutes after two hours of use.'], 12),
);

/** Dark pixels of an area of a page. */
async function inkIn(image: Uint8Array, area: PageArea): Promise<number> {
  const picture = await loadImage(Buffer.from(image));
  const canvas = createCanvas(picture.width, picture.height);
  const context = canvas.getContext('2d');
  context.drawImage(picture, 0, 0);
  const [x, y] = [Math.round(area.x * picture.width), Math.round(area.y * picture.height)];
  const [width, height] = [Math.round(area.width * picture.width), Math.round(area.height * picture.height)];
  const { data } = context.getImageData(x, y, Math.max(1, width), Math.max(1, height));
  return data.filter((value, index) => index % 4 === 0 && value < 128).length;
}

const whole: PageArea = { x: 0, y: 0, width: 1, height: 1 };

describe('renderPage', () => {
  it('draws a page within the given size', async () => {
    const page = await renderPage(manual, 2, 1000);
    expect(page).toMatchObject({ width: 707, height: 1000 });
    expect(await inkIn(page?.image ?? new Uint8Array(), whole)).toBeGreaterThan(200);
  });

  it.each([0, 3, 1e9])('has no page %i', async (number) => {
    expect(await renderPage(manual, number, 1000)).toBeNull();
  });

  it.each([
    ['broken', parserFile('a.pdf', 'no PDF', 'application/pdf')],
    ['cut off', parserFile('a.pdf', makePdf([linesAt(0, 0, ['x'])]).subarray(0, 60), 'application/pdf')],
    ['empty', parserFile('a.pdf', '', 'application/pdf')],
  ])('refuses a file that is %s', async (_, broken) => {
    await expect(renderPage(broken, 1, 1000)).rejects.toMatchObject({ reason: 'document_broken' });
  });
});

describe('locateText', () => {
  it('finds the page, and the lines of a text and of its quote', async () => {
    const start = text.indexOf('30 minutes');
    const query = { text, quotes: [{ start, end: start + '30 minutes'.length }], from: 1, to: 2 };
    const pages = await locateText(manual, query);
    expect(pages.map(({ page }) => page)).toEqual([2]);
    expect(pages[0]?.text).toHaveLength(2);
    expect(pages[0]?.quotes).toHaveLength(2);
    const [line, next] = pages[0]?.text ?? [];
    const [quote, rest] = pages[0]?.quotes ?? [];
    // At the place of the text: 60 of 595 points from the left, the baseline 400 of 842 from above.
    expect(line?.x).toBeCloseTo(60 / 595, 2);
    expect(line?.y).toBeGreaterThan(385 / 842);
    expect((line?.y ?? 0) + (line?.height ?? 0)).toBeLessThan(406 / 842);
    expect(quote?.x).toBeGreaterThan((line?.x ?? 0) + 0.15);
    expect(rest?.x).toBeCloseTo(next?.x ?? 0, 2);
    expect(rest?.width).toBeLessThan((next?.width ?? 0) / 2);
  });

  it('finds areas with ink, and none beside them', async () => {
    const [found] = await locateText(manual, { text, quotes: [], from: 2, to: 2 });
    const image = (await renderPage(manual, 2, 1600))?.image ?? new Uint8Array();
    const all = await inkIn(image, whole);
    const inks = await Promise.all((found?.text ?? []).map((area) => inkIn(image, area)));
    expect(all).toBeGreaterThan(500);
    expect(inks.reduce((sum, ink) => sum + ink, 0)).toBeGreaterThan(all * 0.98);
  });

  it('finds a text that goes over two pages', async () => {
    const over = file(
      linesAt(60, 780, ['The drill must cool for 30']),
      linesAt(60, 60, ['minutes after two hours of use.']),
    );
    const pages = await locateText(over, { text, quotes: [], from: 1, to: 2 });
    expect(pages.map(({ page }) => page)).toEqual([1, 2]);
  });

  it('finds turned text', async () => {
    const turned = file([{ text, x: 300, y: 600, turned: 90 }]);
    const [found] = await locateText(turned, { text, quotes: [], from: 1, to: 1 });
    expect(found?.text.length).toBeGreaterThan(0);
    for (const { x } of found?.text ?? []) expect(Math.abs(x - 290 / 595)).toBeLessThan(0.05);
  });

  it.each([
    ['a text that is not there', { text: 'Nothing of this stands there at all.', quotes: [], from: 1, to: 2 }],
    ['pages that are not there', { text, quotes: [], from: 3, to: 9 }],
    ['no text', { text: '', quotes: [{ start: 0, end: 0 }], from: 1, to: 2 }],
  ])('finds nothing for %s', async (_, query) => {
    expect(await locateText(manual, query)).toEqual([]);
  });
});
