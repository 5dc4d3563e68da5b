import type { DraftBlock } from '../../kit/document-draft.ts';
import { attributeOf, readXml, type XmlElement } from '../../kit/xml-reader.ts';

export interface Slide {
  isHidden: boolean;
  title: string | null;
  /** Without its title. */
  blocks: DraftBlock[];
}

interface Shape {
  /** Its type in the layout; null if it is not a placeholder. */
  placeholder: string | null;
  paragraphs: { text: string; isItem: boolean | null }[];
}

interface TableCell {
  text: string;
  fromAbove: boolean;
}

/** On every slide, and written by the program. */
const running = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);
const titles = new Set(['title', 'ctrTitle']);
/** Where layouts put lists. */
const lists = new Set(['obj', 'body']);

/** Reads a slide, a page of notes or the data of a diagram. */
export function readSlide(bytes: Uint8Array): Slide {
  return new SlideReader().read(bytes);
}

class SlideReader {
  readonly #slide: Slide = { isHidden: false, title: null, blocks: [] };
  #shape: Shape = free();
  #table: { head: boolean; rows: TableCell[][] } | null = null;
  #text = '';
  #isItem: boolean | null = null;
  #collects = false;
  /** Depth within fallback content for programs that do not support the newer form. */
  #skipped = 0;

  read(bytes: Uint8Array): Slide {
    readXml(bytes, {
      open: (element) => this.#open(element),
      text: (part) => {
        if (this.#collects) this.#text += part;
      },
      close: (name) => this.#close(name),
    });
    this.#endShape();
    return this.#slide;
  }

  #open(element: XmlElement): void {
    const { name } = element;
    if (this.#skipped > 0 || name === 'Fallback') {
      this.#skipped += 1;
      return;
    }
    if (name === 'sld') this.#slide.isHidden = /^(?:0|false)$/.test(attributeOf(element, 'show') ?? '');
    else if (name === 'sp' || name === 'pt') this.#endShape();
    else if (name === 'ph') this.#shape.placeholder = attributeOf(element, 'type') ?? 'obj';
    else if (name === 'tbl') this.#table = { head: false, rows: [] };
    else if (name === 'tblPr' && this.#table !== null)
      this.#table.head = /^(?:1|true)$/.test(attributeOf(element, 'firstRow') ?? '');
    else if (name === 'tr') this.#table?.rows.push([]);
    else if (name === 'tc') this.#table?.rows.at(-1)?.push({ text: '', fromAbove: isMerged(element) });
    else if (name === 'p') [this.#text, this.#isItem] = ['', null];
    else if (name === 'buNone') this.#isItem = false;
    else if (name === 'buChar' || name === 'buAutoNum' || name === 'buBlip') this.#isItem = true;
    else if (name === 'br') this.#text += '\n';
    else if (name === 't') this.#collects = true;
  }

  #close(name: string): void {
    if (this.#skipped > 0) {
      this.#skipped -= 1;
      return;
    }
    if (name === 't') this.#collects = false;
    else if (name === 'p') this.#endParagraph();
    else if (name === 'sp' || name === 'pt') this.#endShape();
    else if (name === 'tbl') this.#endTable();
  }

  #endParagraph(): void {
    const cell = this.#table?.rows.at(-1)?.at(-1);
    if (cell !== undefined) cell.text = `${cell.text}\n${this.#text}`.trim();
    else if (this.#text.trim() !== '') this.#shape.paragraphs.push({ text: this.#text, isItem: this.#isItem });
    this.#text = '';
  }

  #endShape(): void {
    const { placeholder, paragraphs } = this.#shape;
    this.#shape = free();
    if (paragraphs.length === 0 || (placeholder !== null && running.has(placeholder))) return;
    if (placeholder !== null && titles.has(placeholder) && this.#slide.title === null) {
      this.#slide.title = paragraphs.map(({ text }) => text).join(' ');
      return;
    }
    const isList = placeholder !== null && lists.has(placeholder);
    for (const { text, isItem } of paragraphs)
      this.#slide.blocks.push({ type: (isItem ?? isList) ? 'list-item' : 'paragraph', text });
  }

  #endTable(): void {
    if (this.#table === null) return;
    const { head, rows } = this.#table;
    this.#table = null;
    const texts: string[][] = [];
    for (const [index, row] of rows.entries())
      texts.push(row.map(({ text, fromAbove }, column) => (fromAbove ? (texts[index - 1]?.[column] ?? '') : text)));
    this.#slide.blocks.push({ type: 'table', head, rows: texts });
  }
}

function free(): Shape {
  return { placeholder: null, paragraphs: [] };
}

function isMerged(element: XmlElement): boolean {
  return /^(?:1|true)$/.test(attributeOf(element, 'vMerge') ?? '');
}
