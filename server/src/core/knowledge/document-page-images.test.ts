import { type PageTextQuery, ParleyError, type Parser, type ParserFile } from '@parley/sdk';
import { describe, expect, it, vi } from 'vitest';
import type { KnowledgeDocument } from './document.ts';
import { DocumentPageImages, type DocumentPageImagesOptions } from './document-page-images.ts';

const parser = { plugin_id: 'tests/pages', page_module: 'file:///pages' } as Parser;
const plain = { plugin_id: 'tests/plain' } as Parser;
const never = new AbortController().signal;
const document = {
  uuid: 'd',
  file_uuid: 'f',
  file_name: 'a.pdf',
  extension: 'pdf',
  media_type: 'application/pdf',
  size: 3,
  sha256: 'abc',
  parser_plugin_id: null,
} as KnowledgeDocument;

function open(over: Partial<DocumentPageImagesOptions> = {}, stored: Partial<KnowledgeDocument> = {}) {
  const cached = new Map<string, Uint8Array>();
  const kept = { deleted: false };
  const renderPage = vi.fn(async (_parser: Parser, file: ParserFile, { page }: { page: number }) =>
    page > 2 ? null : { width: 1, height: 1, image: new Uint8Array([...file.bytes, page]) },
  );
  const locateText = vi.fn(async (_parser: Parser, _file: ParserFile, { query }: { query: PageTextQuery }) => [
    { page: query.from, text: [], quotes: [] },
  ]);
  const images = new DocumentPageImages(
    { get: async () => ({ ...document, ...stored }) },
    {
      parsers: {
        parserFor: ({ extension, media_type }) =>
          extension === 'pdf' || (extension === '' && media_type === 'application/pdf') ? parser : plain,
      },
      files: {
        document: async () =>
          kept.deleted
            ? null
            : ({
                content: (async function* () {
                  yield new Uint8Array([7, 8, 9]);
                })(),
              } as never),
      },
      pages: { renderPage, locateText },
      cache: {
        read: async (key) => cached.get(key) ?? null,
        write: async (key, image) => void cached.set(key, image),
        removeAll: async (prefix) => {
          for (const key of cached.keys()) if (key.startsWith(prefix)) cached.delete(key);
        },
      },
      findParser: (name) => (name === 'tests/plain' ? plain : null),
      ...over,
    },
  );
  return { images, cached, kept, renderPage, locateText };
}

describe('images of pages', () => {
  it('are drawn once, and then read from the cache', async () => {
    const { images, cached, renderPage } = open();
    const image = new Uint8Array([7, 8, 9, 2]);
    expect(await images.image('b', 'd', 2, never)).toEqual(image);
    expect(await images.image('b', 'd', 2, never)).toEqual(image);
    expect([...cached.keys()]).toEqual(['abc-2']);
    expect(renderPage).toHaveBeenCalledTimes(1);
  });

  it('are drawn once for all who ask at the same time, of whom one may leave', async () => {
    const { images, renderPage } = open();
    const leaving = new AbortController();
    const first = images.image('b', 'd', 1, leaving.signal);
    const second = images.image('b', 'd', 1, never);
    leaving.abort(new Error('left'));
    await expect(first).rejects.toThrow('left');
    expect(await second).toHaveLength(4);
    expect(renderPage).toHaveBeenCalledTimes(1);
  });

  it('are not there for pages that are not', async () => {
    const { images, cached } = open();
    await expect(images.image('b', 'd', 3, never)).rejects.toMatchObject({ reason: 'not_found' });
    expect(cached.size).toBe(0);
  });

  it('are shown although they cannot be cached, and drawn again after a failure', async () => {
    const faults = [new ParleyError('parse_time_limit', 'slow')];
    const cache = {
      read: async () => null,
      write: () => Promise.reject(new Error('disk full')),
      removeAll: async () => undefined,
    };
    const { images } = open({
      cache,
      pages: {
        renderPage: async () => {
          const fault = faults.shift();
          if (fault !== undefined) throw fault;
          return { width: 1, height: 1, image: new Uint8Array(1) };
        },
        locateText: async () => [],
      },
    });
    await expect(images.image('b', 'd', 1, never)).rejects.toMatchObject({ reason: 'parse_time_limit' });
    expect(await images.image('b', 'd', 1, never)).toHaveLength(1);
  });

  it('of a document that is deleted meanwhile do not stay', async () => {
    const { images, cached, kept, renderPage } = open();
    renderPage.mockImplementationOnce(async () => {
      kept.deleted = true;
      return { width: 1, height: 1, image: new Uint8Array(1) };
    });
    await images.image('b', 'd', 1, never);
    expect(cached.size).toBe(0);
    await expect(images.image('b', 'd', 2, never)).rejects.toMatchObject({ reason: 'not_found' });
  });

  it.each<[string, Partial<KnowledgeDocument>, boolean]>([
    ['a format with pages', {}, true],
    ['a named parser without pages, by the content', { parser_plugin_id: 'tests/plain' }, true],
    ['a parser that is gone, by the content', { parser_plugin_id: 'tests/gone' }, true],
    ['a misleading name, by the content', { extension: 'txt' }, true],
    ['another format', { extension: 'md', media_type: 'text/markdown' }, false],
  ])('of %s', async (_, stored, isShown) => {
    const { images } = open({}, stored);
    expect(images.areShown({ ...document, ...stored })).toBe(isShown);
    if (!isShown) await expect(images.image('b', 'd', 1, never)).rejects.toMatchObject({ reason: 'not_found' });
  });

  it('are refused when too many are waited for', async () => {
    const hold = Promise.withResolvers<void>();
    const { images } = open({ pages: { renderPage: async () => null, locateText: () => hold.promise.then(() => []) } });
    const query = { text: 'x', quotes: [], from: 1, to: 1 };
    const asked = Array.from({ length: 67 }, () =>
      images.locate('b', 'd', query, never).then(
        () => 'found',
        ({ reason }) => reason,
      ),
    );
    expect(await Promise.race(asked)).toBe('too_many_requests');
    hold.resolve();
    expect((await Promise.all(asked)).filter((one) => one === 'found')).toHaveLength(66);
  });
});

it('finds texts on pages', async () => {
  const { images, locateText } = open();
  const query = { text: 'x', quotes: [], from: 4, to: 5 };
  expect(await images.locate('b', 'd', query, never)).toEqual([{ page: 4, text: [], quotes: [] }]);
  expect(locateText.mock.calls[0]?.[1]).toMatchObject({ name: 'a.pdf', bytes: new Uint8Array([7, 8, 9]) });
});
