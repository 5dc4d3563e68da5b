import type { getDocumentProxy } from 'unpdf';
import { normalizeCharacters } from './characters.ts';
import type { Fragment } from './rows.ts';

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;
export type PdfPage = Awaited<ReturnType<PdfDocument['getPage']>>;
export type { PdfDocument };

type TextContent = Awaited<ReturnType<PdfPage['getTextContent']>>;
type TextItem = Extract<TextContent['items'][number], { str: string }>;

export interface PageText {
  height: number;
  /** Horizontal text. */
  fragments: Fragment[];
  /** Text in other directions, in the order of the file. */
  turned: string[];
  characters: number;
}

/** Reads the text of a page; stops after `mostCharacters`, which are then in `characters`. */
export async function readPageText(page: PdfPage, mostCharacters: number): Promise<PageText> {
  const viewport = page.getViewport({ scale: 1 });
  const text: PageText = { height: viewport.height, fragments: [], turned: [], characters: 0 };
  const reader = (page.streamTextContent() as ReadableStream<TextContent>).getReader();
  const turned = new TurnedText();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      for (const item of part.value.items) {
        if (!('str' in item)) continue;
        text.characters += item.str.length;
        const style = part.value.styles[item.fontName];
        const fragment = fragmentOf(item, style?.fontFamily === 'monospace', viewport.transform);
        if (fragment === null || style?.vertical) turned.add(item);
        else if (isWithin(fragment, viewport)) text.fragments.push(fragment);
      }
      if (text.characters > mostCharacters) break;
    }
  } finally {
    // A reader that has come to its end has nothing left to cancel.
    await reader.cancel(new Error('The text is long enough.')).catch(() => undefined);
  }
  return { ...text, turned: turned.finish() };
}

/** @returns null when it is not written from side to side */
function fragmentOf(item: TextItem, monospace: boolean, view: readonly number[]): Fragment | null {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = view;
  const [m0 = 0, m1 = 0, m2 = 0, m3 = 0, x = 0, y = 0] = item.transform as number[];
  const along = { x: a * m0 + c * m1, y: b * m0 + d * m1 };
  const size = Math.hypot(a * m2 + c * m3, b * m2 + d * m3);
  if (along.x <= 0 || Math.abs(along.y) > Math.abs(along.x) * 0.1) return item.str.trim() === '' ? blank : null;
  if (![size, x, y, item.width].every(Number.isFinite) || size <= 0) return blank;
  const x0 = a * x + c * y + e;
  const text = normalizeCharacters(item.str);
  return { text, x0, x1: x0 + Math.abs(item.width), y: b * x + d * y + f, size, font: item.fontName, monospace };
}

const blank: Fragment = { text: '', x0: 0, x1: 0, y: -1, size: 0, font: '', monospace: false };

function isWithin({ text, x0, x1, y, size }: Fragment, { width, height }: { width: number; height: number }): boolean {
  return text !== '' && x1 > 0 && x0 < width && y > 0 && y - size < height;
}

/** Text along the edge of a page, or from top to bottom: its own order is all that is known of it. */
class TurnedText {
  readonly #parts: string[] = [];
  #direction = '';
  #text = '';

  add(item: TextItem): void {
    const direction = (item.transform as number[]).slice(0, 4).map(Math.round).join(' ');
    if (direction !== this.#direction) this.#end();
    this.#direction = direction;
    const isSpaced = item.hasEOL && !/[\u3000-\u9fff]$/.test(this.#text + item.str);
    this.#text += normalizeCharacters(item.str) + (isSpaced ? ' ' : '');
  }

  finish(): string[] {
    this.#end();
    return this.#parts;
  }

  #end(): void {
    if (this.#text.trim() !== '') this.#parts.push(this.#text.trim());
    this.#text = '';
  }
}
