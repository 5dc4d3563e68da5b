import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '@parley/sdk';
import { chooseFonts, quoted, registerFont, systemFonts } from './fonts.ts';
import { grayPng } from './gray-png.ts';
import { wrapText } from './wrap-text.ts';

export interface DrawTextOptions {
  /** Folder of the fonts that pipelines may name. */
  fontDirectory: string;
  /** Path of the font within the folder; empty for one of the system. */
  fontPath: string;
  logger: Logger;
  signal: AbortSignal;
}

/** In pixels. A page is no higher than platforms show without making it too small to be read. */
const page = { width: 800, maximumHeight: 1600, margin: 40, fontSize: 26, lineHeight: 40 };
const linesOnPage = Math.floor((page.maximumHeight - 2 * page.margin) / page.lineHeight);
const mostPages = 10;
/** Longest text that is worth trying: more than fits on all pages. */
const longestText = mostPages * linesOnPage * 100;

/**
 * Draws a text verbatim on one or several pages. Yields in between: a page is drawn in some 20 ms and compressed
 * outside the event loop. Only the first page of a process takes 100 ms more, to load the canvas library.
 * @returns a PNG for each page; null when no font fits, or it needs too many pages
 */
export async function drawText(text: string, options: DrawTextOptions): Promise<Buffer[] | null> {
  const { fontDirectory, fontPath, logger, signal } = options;
  if (text.length > longestText) return null;
  const canvas = await import('@napi-rs/canvas').catch((error: unknown) => {
    logger.warn({ error }, 'drawing texts is not available on this machine');
    return null;
  });
  if (canvas === null) return null;
  signal.throwIfAborted();
  const available = systemFonts(canvas.GlobalFonts);
  const named = fontPath === '' ? null : await registerFont(canvas.GlobalFonts, fontDirectory, fontPath);
  if (named === null && fontPath !== '') logger.warn({ font: fontPath }, 'the font of a pipeline is unusable');
  const measuring = canvas.createCanvas(1, 1).getContext('2d');
  const fonts = await chooseFonts(available, measuring, text, named);
  if (fonts === null) return null;
  const style = `${page.fontSize}px ${fonts.map(quoted).join(', ')}`;
  measuring.font = style;
  const measure = (part: string) => measuring.measureText(part).width;
  const lines = await wrapText(text, page.width - 2 * page.margin, measure, signal);
  if (lines.length > mostPages * linesOnPage) return null;
  const images: Buffer[] = [];
  for (let first = 0; first < lines.length; first += linesOnPage) {
    const shown = lines.slice(first, first + linesOnPage);
    const height = 2 * page.margin + shown.length * page.lineHeight;
    const sheet = canvas.createCanvas(page.width, height);
    const context = sheet.getContext('2d');
    context.fillStyle = '#ffffff';
    context.fillRect(0, 0, page.width, height);
    context.fillStyle = '#202020';
    context.font = style;
    context.textBaseline = 'middle';
    for (const [index, line] of shown.entries()) {
      context.fillText(line, page.margin, page.margin + (index + 0.5) * page.lineHeight);
    }
    await nextTurn();
    images.push(await grayPng(sheet.data(), page.width, height));
    signal.throwIfAborted();
  }
  return images;
}
