import type { LocateText, PageArea, PageTextAreas, PageTextQuery, RenderedPage, RenderPage } from '@parley/sdk';
import { alignText } from './align-text.ts';
import { type PageCharacter, PdfiumDocument } from './pdfium.ts';

/** Pixels of the longer side at which texts are located. */
const locatedPixels = 10_000;
/** Share of a line's height by which two of its characters may be apart. */
const wordGap = 1.5;
/** Share of its height by which an area is taller than its letters. */
const margin = 0.15;

export const renderPage: RenderPage = async (file, number, maximumPixels): Promise<RenderedPage | null> => {
  const document = await PdfiumDocument.open(file.bytes);
  try {
    const page = document.page(number);
    if (page === null) return null;
    try {
      const size = sizeWithin(page.size, maximumPixels);
      return { ...size, image: page.draw(size) };
    } finally {
      page.close();
    }
  } finally {
    document.close();
  }
};

export const locateText: LocateText = async (file, query): Promise<PageTextAreas[]> => {
  const document = await PdfiumDocument.open(file.bytes);
  try {
    const pages: PageTextAreas[] = [];
    for (let number = query.from; number <= Math.min(query.to, document.pageCount); number += 1) {
      const page = document.page(number);
      if (page === null) continue;
      try {
        const size = sizeWithin(page.size, locatedPixels);
        const areas = areasOf(page.characters(size), query, size);
        if (areas.text.length > 0) pages.push({ page: number, ...areas });
      } finally {
        page.close();
      }
    }
    return pages;
  } finally {
    document.close();
  }
};

interface Size {
  width: number;
  height: number;
}

function sizeWithin({ width, height }: Size, pixels: number): Size {
  const scale = pixels / Math.max(width, height, 1);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

function areasOf(characters: PageCharacter[], { text, quotes }: PageTextQuery, size: Size) {
  const found = alignText(text, characters);
  const areas = (start: number, end: number) =>
    lines(
      [...found.subarray(start, end)].flatMap((index) => characters[index] ?? []),
      size,
    );
  return { text: areas(0, text.length), quotes: quotes.flatMap(({ start, end }) => areas(start, end)) };
}

/** Characters side by side as one area. */
function lines(characters: readonly PageCharacter[], size: Size): PageArea[] {
  const boxes: Omit<PageCharacter, 'codePoint'>[] = [];
  for (const { codePoint: _, ...box } of characters) {
    if (box.right <= box.left || box.bottom <= box.top) continue;
    const last = boxes.at(-1);
    if (last === undefined || !continues(last, box)) boxes.push(box);
    else {
      last.left = Math.min(last.left, box.left);
      last.right = Math.max(last.right, box.right);
      last.top = Math.min(last.top, box.top);
      last.bottom = Math.max(last.bottom, box.bottom);
    }
  }
  return boxes.map((box) => areaOf(box, size));
}

function continues(last: Omit<PageCharacter, 'codePoint'>, next: Omit<PageCharacter, 'codePoint'>): boolean {
  const height = Math.max(last.bottom - last.top, next.bottom - next.top);
  const gap = Math.max(next.left - last.right, last.left - next.right);
  const overlap = Math.min(last.bottom, next.bottom) - Math.max(last.top, next.top);
  return overlap > 0 && gap < wordGap * height;
}

function areaOf({ left, top, right, bottom }: Omit<PageCharacter, 'codePoint'>, { width, height }: Size): PageArea {
  const more = (bottom - top) * margin;
  const share = (value: number, whole: number) => Math.round(Math.min(1, Math.max(0, value / whole)) * 1e5) / 1e5;
  const [x, y] = [share(left, width), share(top - more, height)];
  return {
    x,
    y,
    width: Math.max(0, share(right, width) - x),
    height: Math.max(0, share(bottom + more, height) - y),
  };
}
