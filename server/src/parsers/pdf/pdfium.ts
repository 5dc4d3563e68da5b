import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';
import { ParleyError } from '@parley/sdk';

/*
 * PDFium, compiled to WebAssembly. Scripts and actions of documents are not executed, and nothing is loaded from
 * elsewhere. Pointers are numbers; whatever was allocated is freed here.
 */

/** The memory, whose view is replaced when it grows. */
interface Memory {
  HEAPU8: Uint8Array;
  wasmExports: { malloc(size: number): number; free(pointer: number): void };
}

/** A character of a page: its code point, and its box in pixels of a drawing of the page. */
export interface PageCharacter {
  codePoint: number;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

interface Size {
  width: number;
  height: number;
}

/** Draws annotations; red is the first byte of a pixel. */
const renderFlags = 0x01 | 0x10;
const white = 0xff_ff_ff_ff;
const bytesPerPixel = 4;
/** From 0 to 9: text is hardly smaller with more. */
const compression = 1;

let loading: Promise<WrappedPdfiumModule> | undefined;

async function load(): Promise<WrappedPdfiumModule> {
  const path = createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm');
  const wasmBinary = await readFile(path);
  const pdfium = await init({ wasmBinary } as unknown as Parameters<typeof init>[0]);
  pdfium.PDFiumExt_Init();
  return pdfium;
}

/** An open PDF file. It must be closed. */
export class PdfiumDocument {
  readonly #pdfium: WrappedPdfiumModule;
  readonly #memory: Memory;
  /** Pointers; the content must stay in memory while the document is open. */
  readonly #content: number;
  readonly #document: number;
  readonly pageCount: number;

  /** @throws ParleyError `document_broken` */
  static async open(bytes: Uint8Array): Promise<PdfiumDocument> {
    loading ??= load();
    return new PdfiumDocument(await loading, bytes);
  }

  private constructor(pdfium: WrappedPdfiumModule, bytes: Uint8Array) {
    this.#pdfium = pdfium;
    this.#memory = pdfium.pdfium as unknown as Memory;
    this.#content = this.#memory.wasmExports.malloc(bytes.byteLength);
    this.#memory.HEAPU8.set(bytes, this.#content);
    this.#document = pdfium.FPDF_LoadMemDocument(this.#content, bytes.byteLength, '');
    if (this.#document === 0) {
      this.#memory.wasmExports.free(this.#content);
      throw new ParleyError('document_broken', 'The PDF file cannot be shown; it is damaged or needs a password.');
    }
    this.pageCount = pdfium.FPDF_GetPageCount(this.#document);
  }

  close(): void {
    this.#pdfium.FPDF_CloseDocument(this.#document);
    this.#memory.wasmExports.free(this.#content);
  }

  /** @param number from 1 @returns null when there is no such page, or it is damaged */
  page(number: number): PdfiumPage | null {
    if (number < 1 || number > this.pageCount) return null;
    const page = this.#pdfium.FPDF_LoadPage(this.#document, number - 1);
    return page === 0 ? null : new PdfiumPage(this.#pdfium, this.#memory, page);
  }
}

/** A page of an open document. It must be closed. */
class PdfiumPage {
  readonly #pdfium: WrappedPdfiumModule;
  readonly #memory: Memory;
  readonly #page: number;
  /** Points, as the page is shown. */
  readonly size: Size;

  constructor(pdfium: WrappedPdfiumModule, memory: Memory, page: number) {
    this.#pdfium = pdfium;
    this.#memory = memory;
    this.#page = page;
    this.size = { width: pdfium.FPDF_GetPageWidthF(page), height: pdfium.FPDF_GetPageHeightF(page) };
  }

  close(): void {
    this.#pdfium.FPDF_ClosePage(this.#page);
  }

  /** A PNG file. */
  draw({ width, height }: Size): Uint8Array {
    const { HEAPU8: _, wasmExports } = this.#memory;
    const pdfium = this.#pdfium;
    const bitmap = pdfium.FPDFBitmap_Create(width, height, 1);
    if (bitmap === 0) throw new RangeError('Array buffer allocation failed');
    const place = wasmExports.malloc(Uint32Array.BYTES_PER_ELEMENT);
    try {
      pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white);
      pdfium.FPDF_RenderPageBitmap(bitmap, this.#page, 0, 0, width, height, 0, renderFlags);
      const pixels = pdfium.FPDFBitmap_GetBuffer(bitmap);
      const length = pdfium.EPDF_PNG_EncodeRGBA(pixels, width, height, width * bytesPerPixel, compression, place);
      if (length === 0) throw new Error('the page could not be encoded');
      const start = this.#view(place, Uint32Array.BYTES_PER_ELEMENT).getUint32(0, true);
      const image = this.#memory.HEAPU8.slice(start, start + length);
      wasmExports.free(start);
      return image;
    } finally {
      wasmExports.free(place);
      pdfium.FPDFBitmap_Destroy(bitmap);
    }
  }

  /** The characters in the order of the file, as they are placed in a drawing of the page. */
  characters({ width, height }: Size): PageCharacter[] {
    const pdfium = this.#pdfium;
    const text = pdfium.FPDFText_LoadPage(this.#page);
    if (text === 0) return [];
    const box = this.#memory.wasmExports.malloc(4 * Float64Array.BYTES_PER_ELEMENT);
    try {
      return Array.from({ length: pdfium.FPDFText_CountChars(text) }, (_, index) => {
        const codePoint = pdfium.FPDFText_GetUnicode(text, index);
        pdfium.FPDFText_GetCharBox(text, index, box, box + 8, box + 16, box + 24);
        const [left = 0, right = 0, bottom = 0, top = 0] = this.#doubles(box, 4);
        const one = this.#toDevice(left, top, { width, height }, box);
        const other = this.#toDevice(right, bottom, { width, height }, box);
        return {
          codePoint,
          left: Math.min(one.x, other.x),
          right: Math.max(one.x, other.x),
          top: Math.min(one.y, other.y),
          bottom: Math.max(one.y, other.y),
        };
      });
    } finally {
      this.#memory.wasmExports.free(box);
      pdfium.FPDFText_ClosePage(text);
    }
  }

  /** The page may be turned, and show only a part of itself. */
  #toDevice(x: number, y: number, { width, height }: Size, place: number): { x: number; y: number } {
    this.#pdfium.FPDF_PageToDevice(this.#page, 0, 0, width, height, 0, x, y, place, place + 4);
    const view = this.#view(place, 8);
    return { x: view.getInt32(0, true), y: view.getInt32(4, true) };
  }

  #doubles(place: number, count: number): number[] {
    const view = this.#view(place, count * 8);
    return Array.from({ length: count }, (_, index) => view.getFloat64(index * 8, true));
  }

  #view(place: number, length: number): DataView {
    return new DataView(this.#memory.HEAPU8.buffer, place, length);
  }
}
