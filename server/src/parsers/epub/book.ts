import { posix } from 'node:path';
import { ParleyError } from '@parley/sdk';
import { attributeOf, readXml } from '../../kit/xml-reader.ts';
import type { ZipEntries } from '../../kit/zip-entries.ts';

export interface Book {
  title: string;
  /** Paths of the chapters within the archive, in the order in which they are read. */
  chapters: string[];
}

/** Font obfuscation; it does not affect the text. */
const fontAlgorithms = /obfuscation|RC$/;
const chapterTypes = /^(?:application\/xhtml\+xml|text\/html|application\/x-dtbook\+xml)$/;

/** @throws ParleyError `document_broken` or `document_encrypted` */
export async function readBook(parts: ZipEntries): Promise<Book> {
  const path = await packagePath(parts);
  const entry = path === null ? undefined : parts.find(path);
  if (path === null || entry === undefined)
    throw new ParleyError('document_broken', 'The file is not an EPUB book, or its table of contents is missing.');
  const items = new Map<string, { path: string; isChapter: boolean }>();
  const spine: string[] = [];
  let title = '';
  let titles = 0;
  let isTitle = false;
  readXml(await entry.read(), {
    open: (element) => {
      const { name } = element;
      if (name === 'title') {
        titles += 1;
        isTitle = titles === 1;
      } else if (name === 'item') {
        const properties = (attributeOf(element, 'properties') ?? '').split(/\s+/);
        items.set(attributeOf(element, 'id') ?? '', {
          path: posix.join(posix.dirname(path), decoded(attributeOf(element, 'href') ?? '')),
          isChapter: chapterTypes.test(attributeOf(element, 'media-type') ?? '') && !properties.includes('nav'),
        });
      } else if (name === 'itemref') spine.push(attributeOf(element, 'idref') ?? '');
    },
    text: (part) => {
      if (isTitle) title += part;
    },
    close: () => {
      isTitle = false;
    },
  });
  const chapters = spine.flatMap((id) => {
    const item = items.get(id);
    return item?.isChapter ? [item.path] : [];
  });
  const encrypted = await encryptedPaths(parts);
  if (chapters.some((chapter) => encrypted.has(chapter)))
    throw new ParleyError('document_encrypted', 'The book is protected against copying and cannot be read.');
  return { title, chapters };
}

async function packagePath(parts: ZipEntries): Promise<string | null> {
  const entry = parts.find('META-INF/container.xml');
  if (entry === undefined) return null;
  let path: string | null = null;
  readXml(await entry.read(), {
    open: (element) => {
      if (element.name === 'rootfile') path ??= attributeOf(element, 'full-path') ?? null;
    },
  });
  return path;
}

async function encryptedPaths(parts: ZipEntries): Promise<Set<string>> {
  const entry = parts.find('META-INF/encryption.xml');
  const paths = new Set<string>();
  if (entry === undefined) return paths;
  let isFont = false;
  readXml(await entry.read(), {
    open: (element) => {
      if (element.name === 'EncryptionMethod') isFont = fontAlgorithms.test(attributeOf(element, 'Algorithm') ?? '');
      if (element.name === 'CipherReference' && !isFont) paths.add(decoded(attributeOf(element, 'URI') ?? ''));
    },
    close: (name) => {
      if (name === 'EncryptedData') isFont = false;
    },
  });
  return paths;
}

function decoded(reference: string): string {
  const [path = ''] = reference.split('#');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
