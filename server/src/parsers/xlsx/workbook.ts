import { mainPartOf, relationIdOf, relationsOf } from '../../kit/office-relations.ts';
import { attributeOf, readXml } from '../../kit/xml-reader.ts';
import type { ZipEntries } from '../../kit/zip-entries.ts';
import { builtInFormat, type Dates } from './number-format.ts';

export interface SheetReference {
  name: string;
  isHidden: boolean;
  /** Of its part in the archive; null when there is none with cells, as for a sheet that is a chart. */
  path: string | null;
}

export interface Workbook extends Dates {
  sheets: SheetReference[];
  /** Shared strings that cells refer to by index. */
  strings: string[];
  /** The format of numbers, by the style of a cell. */
  formats: string[];
}

/** @returns null when the archive is no workbook */
export async function readWorkbook(parts: ZipEntries): Promise<Workbook | null> {
  const path = await mainPartOf(parts);
  const entry = path === null ? undefined : parts.find(path);
  if (path === null || entry === undefined) return null;
  const targets = await relationsOf(parts, path);
  const sheets: SheetReference[] = [];
  let from1904 = false;
  readXml(await entry.read(), {
    open: (element) => {
      if (element.name === 'workbookPr') from1904 = /^(?:1|true)$/.test(attributeOf(element, 'date1904') ?? '');
      if (element.name !== 'sheet') return;
      const target = targets.get(relationIdOf(element));
      sheets.push({
        name: attributeOf(element, 'name') ?? '',
        isHidden: /hidden/i.test(attributeOf(element, 'state') ?? ''),
        path: target !== undefined && /\/worksheet$/.test(target.type) && parts.find(target.path) ? target.path : null,
      });
    },
  });
  const ofType = (type: string) => [...targets.values()].find((target) => target.type.endsWith(`/${type}`))?.path;
  return {
    sheets,
    from1904,
    strings: await readStrings(parts, ofType('sharedStrings')),
    formats: await readFormats(parts, ofType('styles')),
  };
}

async function readStrings(parts: ZipEntries, path: string | undefined): Promise<string[]> {
  const entry = path === undefined ? undefined : parts.find(path);
  const strings: string[] = [];
  if (entry === undefined) return strings;
  let text = '';
  let isText = false;
  let phonetic = 0;
  readXml(await entry.read(), {
    open: ({ name }) => {
      if (name === 'si') text = '';
      else if (name === 'rPh') phonetic += 1;
      else if (name === 't') isText = phonetic === 0;
    },
    text: (part) => {
      if (isText) text += part;
    },
    close: (name) => {
      if (name === 'si') strings.push(text);
      else if (name === 'rPh') phonetic -= 1;
      else if (name === 't') isText = false;
    },
  });
  return strings;
}

async function readFormats(parts: ZipEntries, path: string | undefined): Promise<string[]> {
  const entry = path === undefined ? undefined : parts.find(path);
  const own = new Map<number, string>();
  const formats: string[] = [];
  if (entry === undefined) return formats;
  let isCells = false;
  readXml(await entry.read(), {
    open: (element) => {
      const id = Number(attributeOf(element, 'numFmtId') ?? 0);
      if (element.name === 'numFmt') own.set(id, attributeOf(element, 'formatCode') ?? '');
      else if (element.name === 'cellXfs') isCells = true;
      else if (element.name === 'xf' && isCells) formats.push(own.get(id) ?? builtInFormat(id));
    },
    close: (name) => {
      if (name === 'cellXfs') isCells = false;
    },
  });
  return formats;
}
