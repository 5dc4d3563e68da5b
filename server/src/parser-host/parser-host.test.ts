import { setTimeout as later } from 'node:timers/promises';
import { ParleyError, type ParsedDocument, type ParserFile, type RemoteParser } from '@parley/sdk';
import { fakeParser, parserFile, silentLogger } from '@parley/sdk/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { zipArchive } from '../../test/factories/zip-archive.ts';
import { troubledParser } from '../../test/fakes/troubled-parser.ts';
import { looksClosely } from '../../test/shared/looks-closely.ts';
import { Registry } from '../lib/registry.ts';
import { ParserHost, type ParserHostOptions } from './parser-host.ts';

const hosts: ParserHost[] = [];
const never = new AbortController().signal;

function open(options: Partial<ParserHostOptions> = {}): ParserHost {
  const host = new ParserHost(new Registry([troubledParser, fakeParser]), { logger: silentLogger, ...options });
  hosts.push(host);
  return host;
}

afterEach(async () => {
  await Promise.all(hosts.map((host) => host.close()));
  expect(hosts.map(({ threads }) => threads).filter((threads) => threads > 0)).toEqual([]);
  hosts.length = 0;
});

const trouble = (text: string) => parserFile('a.trouble', text, 'text/x-trouble');
const read = (host: ParserHost, text: string, signal: AbortSignal = never) =>
  host.parse(troubledParser, trouble(text), { signal });
/** Which file of its thread it was. */
const fileOf = async (document: ReturnType<typeof read>) => (await document).warnings[0];
const refused = (reason: string) =>
  expect.objectContaining({ name: 'ParleyError', reason, message: expect.any(String) });

describe('ParserHost', () => {
  it('reads in a thread, and only what can be stored', async () => {
    const host = open();
    const document = await read(host, 'some text');
    expect(document).toEqual({
      title: '�',
      blocks: [
        { type: 'paragraph', text: 'some text' },
        { type: 'paragraph', text: '�' },
      ],
      page_kind: null,
      pages: [],
      warnings: ['file 1', expect.stringMatching(/^environment \{("NODE_COMPILE_CACHE":"[^"]+")?\}$/)],
    });
  });

  it('does not detach the bytes of the caller, nor neighbouring ones', async () => {
    const all = new TextEncoder().encode('secret before one\ntwo secret behind');
    const file: ParserFile = { ...parserFile('a.lines', ''), bytes: all.subarray(14, 21) };
    const document = await open().parse(fakeParser, file, { signal: never });
    expect(document.blocks.map((block) => 'text' in block && block.text)).toEqual(['one', 'two']);
    expect(file.bytes.byteLength).toBe(7);
    expect(new TextDecoder().decode(all)).toContain('secret behind');
  });

  it('transfers large documents completely and in order', async () => {
    const { blocks } = await read(open(), 'many 25000');
    expect(blocks).toHaveLength(25_000);
    expect(blocks.every((block, index) => 'text' in block && block.text === String(index))).toBe(true);
  });

  it('refuses documents with very many parts', async () => {
    await expect(read(open({ maximumBlocks: 100 }), 'many 101')).rejects.toEqual(refused('document_too_complex'));
  });

  it('reports a document without text', async () => {
    await expect(open().parse(fakeParser, parserFile('a.lines', '\n'), { signal: never })).rejects.toEqual(
      refused('document_empty'),
    );
  });

  it('passes on how far it is', async () => {
    const progress = vi.fn();
    await open().parse(troubledParser, trouble('report'), { signal: never, progress });
    expect(progress.mock.calls).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
  });

  it('ignores late messages about a finished document', async () => {
    const host = open();
    const progress = vi.fn();
    await host.parse(troubledParser, trouble('report late'), { signal: never, progress });
    await host.parse(troubledParser, trouble('fail later'), { signal: never, progress });
    expect(progress).not.toHaveBeenCalledWith(7, 7);
  });

  it('uses a thread again, and one at a time', async () => {
    const host = open();
    const files = await Promise.all(['a', 'b', 'c'].map((text) => fileOf(read(host, text))));
    expect(files).toEqual(['file 1', 'file 2', 'file 3']);
    expect(host.threads).toBe(1);
  });

  it('uses several when it may', async () => {
    const host = open({ threads: 2 });
    const files = await Promise.all(['report', 'report', 'a'].map((text) => fileOf(read(host, text))));
    expect(files).toEqual(['file 1', 'file 1', 'file 2']);
    expect(host.threads).toBe(2);
  });

  it('ends threads that have no work', async () => {
    const host = open({ idleMs: 20 });
    await read(host, 'a');
    await vi.waitFor(() => expect(host.threads).toBe(0), 30_000);
    expect(await fileOf(read(host, 'a'))).toBe('file 1');
  });

  it('keeps the noise of libraries to itself', async () => {
    const written = vi.spyOn(process.stdout, 'write');
    await read(open(), 'write');
    expect(written.mock.calls.filter(([text]) => String(text).includes('noise'))).toEqual([]);
    written.mockRestore();
  });
});

describe('a document that a parser fails with', () => {
  it.each([
    ['refuse', 'document_encrypted', 'file 2'],
    ['refuse like others', 'document_encrypted', 'file 2'],
    ['call itself', 'document_too_complex', 'file 2'],
    ['fail', 'document_broken', 'file 1'],
    ['throw nothing', 'document_broken', 'file 1'],
    ['end the process', 'document_broken', 'file 1'],
    ['throw later', 'document_broken', 'file 1'],
  ])('%s: %s, and the next one is the %s', async (text, reason, next) => {
    const host = open();
    await expect(read(host, text)).rejects.toEqual(refused(reason));
    expect(await fileOf(read(host, 'next'))).toBe(next);
  });

  it('has the message of the parser, but not that of a bug', async () => {
    const warn = vi.fn();
    const host = open({ logger: { ...silentLogger, warn } });
    await expect(read(host, 'refuse')).rejects.toMatchObject({
      message: 'It is locked.',
      details: [{ path: 'page', message: 'is locked' }],
    });
    expect(warn).not.toHaveBeenCalled();
    await expect(read(host, 'fail')).rejects.toMatchObject({ message: expect.not.stringContaining('of no use') });
    expect(warn).toHaveBeenCalledWith(
      expect.objectContaining({ plugin_id: 'tests/troubled', error: expect.stringContaining('of no use to people') }),
      expect.any(String),
    );
  });

  it('does not take others along when something of it fails later', async () => {
    const host = open();
    expect(await fileOf(read(host, 'fail later'))).toBe('file 1');
    expect(await fileOf(read(host, 'next'))).toBe('file 1');
  });

  it('whose module is missing fails, too', async () => {
    const host = open();
    const missing = { ...troubledParser, module: new URL('./nothing.ts', import.meta.url).href };
    await expect(host.parse(missing, trouble('a'), { signal: never })).rejects.toEqual(refused('document_broken'));
  });
});

describe('a document that is too much', () => {
  it.each(['loop', 'wait for ever'])('of time: %s', async (text) => {
    const host = open({ timeLimitMs: 1000 });
    await expect(read(host, text)).rejects.toEqual(refused('parse_time_limit'));
    expect(await fileOf(read(open(), 'next'))).toBe('file 1');
  });

  it.each(looksClosely ? ['grow buffers', 'grow objects', 'grow one list'] : ['grow buffers'])(
    'of memory: %s',
    async (text) => {
      const host = open({ memoryLimitBytes: 150_000_000 });
      await expect(read(host, text)).rejects.toEqual(refused('parse_memory_limit'));
      expect(await fileOf(read(host, 'next'))).toBe('file 1');
    },
  );

  it.runIf(looksClosely)('of memory does not take another one along', async () => {
    const host = open({ memoryLimitBytes: 300_000_000, threads: 2 });
    const other = read(host, 'grow to 150 MB');
    await expect(read(host, 'grow buffers')).rejects.toEqual(refused('parse_memory_limit'));
    expect(await fileOf(other)).toBe('file 1');
  });

  it('of memory: a text of more characters than allowed', async () => {
    await expect(read(open(), 'grow a text')).rejects.toEqual(refused('parse_memory_limit'));
  });
});

describe('a parser elsewhere', () => {
  const document = (over: object = {}): ParsedDocument => ({
    title: 'Notes',
    blocks: [{ type: 'paragraph', text: 'read elsewhere', page: 1 }],
    page_kind: 'page',
    pages: [{ number: 1, characters: 14 }],
    warnings: [],
    ...over,
  });
  const elsewhere = (parse: RemoteParser['parse']): RemoteParser => ({
    plugin_id: 'tests/elsewhere',
    name: { en_US: 'Elsewhere' },
    description: { en_US: 'Reads documents elsewhere.' },
    media_types: ['application/pdf'],
    extensions: ['remote'],
    parse,
  });
  const hostOf = (parser: RemoteParser, options: Partial<ParserHostOptions> = {}) => {
    const host = new ParserHost(new Registry([troubledParser, fakeParser, parser]), {
      logger: silentLogger,
      ...options,
    });
    hosts.push(host);
    return host;
  };
  const readBy = (parse: RemoteParser['parse'], options: Partial<ParserHostOptions> = {}) => {
    const parser = elsewhere(parse);
    return hostOf(parser, options).parse(parser, parserFile('a.remote', 'some bytes'), { signal: never });
  };

  it('gets the file and the limits, and reports how far it is', async () => {
    const progress = vi.fn();
    const parser = elsewhere(async (file, context) => {
      context.progress(1, 2);
      const { maximumPages, maximumCharacters } = context;
      const text = `${file.name} ${new TextDecoder().decode(file.bytes)} ${maximumPages} ${maximumCharacters}`;
      return document({ blocks: [{ type: 'paragraph', text }] });
    });
    const host = hostOf(parser, { maximumPages: 3 });
    const read = host.parse(parser, parserFile('a.remote', 'bytes'), { signal: never, progress });
    expect((await read).blocks).toEqual([{ type: 'paragraph', text: 'a.remote bytes 3 20000000' }]);
    expect(progress).toHaveBeenCalledExactlyOnceWith(1, 2);
  });

  it('is chosen by the content, as others are', async () => {
    const host = hostOf(elsewhere(async () => document()));
    const file = parserFile('a.lines', '%PDF-1.7\n%\u0001\u0002\u0000');
    const { blocks, warnings } = await host.parse(fakeParser, file, { signal: never });
    expect(blocks).toEqual(document().blocks);
    expect(warnings).toEqual(['The content is PDF, whatever the name says.']);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['an unknown field', document({ owner: 'me' })],
    ['an unknown kind of block', document({ blocks: [{ type: 'script', text: 'a' }] })],
    ['an unknown field of a block', document({ blocks: [{ type: 'paragraph', text: 'a', html: '<b>' }] })],
    ['a page before the first', document({ blocks: [{ type: 'paragraph', text: 'a', page: 0 }] })],
    ['rows of something else', document({ blocks: [{ type: 'table', head: true, rows: [[1]] }] })],
    ['what cannot be sent', document({ title: () => undefined })],
  ])('that returns %s has not read the document', async (_, result) => {
    await expect(readBy(async () => result as ParsedDocument)).rejects.toEqual(refused('document_broken'));
  });

  it('keeps to the limits', async () => {
    const long = document({ blocks: [{ type: 'paragraph', text: 'x'.repeat(20) }] });
    await expect(readBy(async () => long, { maximumCharacters: 19 })).rejects.toEqual(refused('document_too_complex'));
    const many = document({ pages: [1, 2, 3].map((number) => ({ number, characters: 1 })) });
    await expect(readBy(async () => many, { maximumPages: 2 })).rejects.toEqual(refused('document_too_complex'));
    await expect(readBy(async () => document({ blocks: [] }))).rejects.toEqual(refused('document_empty'));
  });

  it('fails with its own error, but not with the text of a bug', async () => {
    const locked = () => Promise.reject(new ParleyError('document_encrypted', 'It is locked.'));
    await expect(readBy(locked)).rejects.toMatchObject({ reason: 'document_encrypted', message: 'It is locked.' });
    await expect(readBy(() => Promise.reject(new Error('of no use')))).rejects.toMatchObject({
      reason: 'document_broken',
      message: expect.not.stringContaining('of no use'),
    });
  });

  it('gets its signal aborted when the document is no longer wanted', async () => {
    const told = Promise.withResolvers<void>();
    const controller = new AbortController();
    const parser = elsewhere((_, { signal }) => {
      signal.addEventListener('abort', () => told.resolve());
      controller.abort(new Error('gone'));
      return new Promise(() => undefined);
    });
    const file = parserFile('a.remote', 'bytes');
    await expect(hostOf(parser).parse(parser, file, { signal: controller.signal })).rejects.toThrow('gone');
    await told.promise;
  });

  it('may be gone by the time it is needed', async () => {
    const parser = elsewhere(async () => document());
    const reading = open().parse(parser, parserFile('a.remote', 'bytes'), { signal: never });
    await expect(reading).rejects.toEqual(refused('document_type_unsupported'));
  });
});

describe('pages', () => {
  const draw = (host: ParserHost, text: string, page: number, signal: AbortSignal = never) =>
    host.renderPage(troubledParser, trouble(text), { page, maximumPixels: 10, signal });
  const find = (host: ParserHost, content: string, text: string) =>
    host.locateText(troubledParser, trouble(content), { query: { text, quotes: [], from: 2, to: 3 }, signal: never });

  it('are drawn in a thread', async () => {
    const host = open();
    expect(await draw(host, 'some text', 4)).toEqual({ width: 4, height: 4, image: new Uint8Array([4, 4]) });
    expect(await draw(host, 'some text', 11)).toBeNull();
    expect(host.threads).toBe(1);
  });

  it('are searched for a text in a thread', async () => {
    const host = open();
    const area = { x: 5, y: 0, width: 1, height: 1 };
    expect(await find(host, 'some text', 'text')).toEqual([
      { page: 2, text: [area], quotes: [] },
      { page: 3, text: [area], quotes: [] },
    ]);
    expect(await find(host, 'some text', 'other')).toEqual([]);
  });

  it.each([
    ['refuse', 'document_encrypted'],
    ['fail', 'document_broken'],
    ['end the process', 'document_broken'],
  ])('of a document that a parser fails with: %s', async (text, reason) => {
    const host = open();
    await expect(draw(host, text, 1)).rejects.toEqual(refused(reason));
    await expect(find(host, text, 'x')).rejects.toEqual(refused(reason));
    expect(await draw(host, 'next', 1)).not.toBeNull();
  });

  it('have limits', async () => {
    const host = open({ timeLimitMs: 500, memoryLimitBytes: 150_000_000 });
    await expect(draw(host, 'loop', 1)).rejects.toEqual(refused('parse_time_limit'));
    await expect(find(host, 'loop', 'x')).rejects.toEqual(refused('parse_time_limit'));
  });

  it('are not drawn any more for a caller that is gone', async () => {
    const host = open();
    const controller = new AbortController();
    const drawing = draw(host, 'loop', 1, controller.signal);
    controller.abort(new Error('gone'));
    await expect(drawing).rejects.toThrow('gone');
  });

  it('are only drawn by parsers that can', async () => {
    await expect(
      open().renderPage(fakeParser, trouble('a'), { page: 1, maximumPixels: 10, signal: never }),
    ).rejects.toThrow('tests/lines draws no pages');
  });
});

describe('giving up', () => {
  it('ends the thread immediately with the reason', async () => {
    const host = open();
    const controller = new AbortController();
    const reason = new Error('not wanted any more');
    const reading = read(host, 'loop', controller.signal);
    await later(300);
    controller.abort(reason);
    await expect(reading).rejects.toBe(reason);
    await vi.waitFor(() => expect(host.threads).toBe(0), 30_000);
    expect(await fileOf(read(host, 'next'))).toBe('file 1');
  });

  it('before the start prevents it', async () => {
    const host = open();
    const reason = new Error('not wanted');
    await expect(read(host, 'a', AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(host.threads).toBe(0);
  });

  it('while others are read does not wait for them', async () => {
    const host = open();
    const first = new AbortController();
    const second = new AbortController();
    const reading = read(host, 'loop', first.signal);
    const waiting = read(host, 'a', second.signal);
    second.abort(new Error('second'));
    await expect(waiting).rejects.toThrow('second');
    expect(host.threads).toBe(1);
    first.abort(new Error('first'));
    await expect(reading).rejects.toThrow('first');
  });

  it('everything at the end, and nothing starts any more', async () => {
    const host = open();
    const reading = [read(host, 'loop'), read(host, 'waits for its turn')].map((document) =>
      expect(document).rejects.toEqual(refused('not_ready')),
    );
    await host.close();
    expect(host.threads).toBe(0);
    await Promise.all(reading);
    await expect(read(host, 'a')).rejects.toEqual(refused('not_ready'));
    await host.close();
    expect(host.threads).toBe(0);
  });
});

describe('parserFor', () => {
  it.each([
    [{ extension: 'lines', media_type: 'text/x-trouble' }, 'tests/lines'],
    [{ extension: 'LINES', media_type: '' }, 'tests/lines'],
    [{ extension: '', media_type: 'text/x-trouble; charset=utf-8' }, 'tests/troubled'],
    [{ extension: 'other', media_type: 'Text/X-Lines' }, 'tests/lines'],
    [{ extension: '', media_type: 'text/plain' }, undefined],
    [{ extension: 'exe', media_type: 'application/octet-stream' }, undefined],
  ])('%j is %j', (file, expected) => {
    expect(open().parserFor(file)?.plugin_id).toBe(expected);
  });

  it('matches a wildcard type only if no parser supports the exact type', () => {
    const host = new ParserHost(new Registry([{ ...troubledParser, media_types: ['text/*'] }, fakeParser]), {
      logger: silentLogger,
    });
    expect(host.parserFor({ extension: '', media_type: 'text/x-lines' })?.plugin_id).toBe('tests/lines');
    expect(host.parserFor({ extension: '', media_type: 'text/css' })?.plugin_id).toBe('tests/troubled');
  });
});

describe('unpack', () => {
  const unpack = (archive: Parameters<typeof zipArchive>[0], options: Partial<ParserHostOptions> = {}) =>
    open(options).unpack(zipArchive(archive), { signal: never });

  it('gives the files that are read, by the last part of their path', async () => {
    const files = await unpack([
      { path: 'one.lines', content: 'one' },
      { path: 'folder/', isStored: true },
      { path: 'folder/two.LINES', content: 'two' },
      { path: '../../../etc/three.lines', content: 'three' },
      { path: '/root/four.lines', content: 'four' },
      { path: 'C:\\temp\\five.lines', content: 'five' },
      { path: 'photo.jpg', content: 'x' },
      { path: 'inner.zip', content: zipArchive([{ path: 'a.lines', content: 'x' }]) },
      { path: '.hidden.lines', content: 'x' },
      { path: '.git/config.lines', content: 'x' },
      { path: '__MACOSX/._one.lines', content: 'x' },
      { path: 'empty.lines' },
    ]);
    expect(files.map(({ name, bytes }) => [name, new TextDecoder().decode(bytes)])).toEqual([
      ['one.lines', 'one'],
      ['two.LINES', 'two'],
      ['three.lines', 'three'],
      ['four.lines', 'four'],
      ['five.lines', 'five'],
    ]);
  });

  it('knows files without an extension by their content', async () => {
    const reader = { ...fakeParser, media_types: ['text/*'] };
    const host = new ParserHost(new Registry([reader]), { logger: silentLogger });
    hosts.push(host);
    const files = await host.unpack(
      zipArchive([
        { path: 'README', content: 'read me' },
        { path: 'program', content: Buffer.from([127, 69, 76, 70, 2, 1, 1, 0]) },
      ]),
      { signal: never },
    );
    expect(files.map(({ name }) => name)).toEqual(['README']);
  });

  it.each<[string, string, Parameters<typeof zipArchive>[0], Partial<ParserHostOptions>]>([
    ['no supported file', 'document_empty', [{ path: 'a.jpg', content: 'x' }], {}],
    ['no file', 'document_empty', [], {}],
    [
      'a locked file',
      'document_encrypted',
      [{ path: 'a.lines', content: 'x', isStored: true, isEncrypted: true, packed: Buffer.alloc(13) }],
      {},
    ],
    ['a false size', 'document_broken', [{ path: 'a.lines', content: 'abc', declaredBytes: 1 }], {}],
    [
      'too many entries',
      'document_too_complex',
      [{ path: 'a.lines' }, { path: 'b.lines' }],
      { maximumArchiveEntries: 1 },
    ],
    ['a large file', 'document_too_complex', [{ path: 'a.lines', content: 'abc' }], { maximumArchiveEntryBytes: 2 }],
    [
      'too much',
      'document_too_complex',
      [
        { path: 'a.lines', content: 'abc' },
        { path: 'b.lines', content: 'abc' },
      ],
      { maximumExpandedBytes: 5 },
    ],
  ])('refuses %s: %s', async (_title, reason, archive, options) => {
    await expect(unpack(archive, options)).rejects.toEqual(refused(reason));
  });

  it('names the file that is wrong', async () => {
    await expect(unpack([{ path: 'folder/a.lines', content: 'abc', checksum: 1 }])).rejects.toThrow(/^a\.lines: /);
  });

  it('refuses an invalid archive', async () => {
    await expect(open().unpack(new Uint8Array(100), { signal: never })).rejects.toEqual(refused('document_broken'));
  });

  it('can be aborted', async () => {
    await expect(open().unpack(zipArchive([]), { signal: AbortSignal.abort('no') })).rejects.toBe('no');
  });
});
