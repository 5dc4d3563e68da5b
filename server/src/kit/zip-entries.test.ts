import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type ZipSource, zipArchive } from '../../test/factories/zip-archive.ts';
import { ZipEntries, type ZipLimits } from './zip-entries.ts';

const limits: ZipLimits = { maximumEntries: 100, maximumEntryBytes: 1_000_000, maximumExpandedBytes: 2_000_000 };

const open = (sources: ZipSource[], changed: Partial<ZipLimits> = {}) =>
  ZipEntries.open(zipArchive(sources), { ...limits, ...changed });

const refused = (reason: string) => expect.objectContaining({ reason, message: expect.stringMatching(/\S/) });

async function readAll(sources: ZipSource[], changed: Partial<ZipLimits> = {}): Promise<string[]> {
  const { entries } = await open(sources, changed);
  const contents: string[] = [];
  for (const entry of entries) contents.push((await entry.read()).toString());
  return contents;
}

describe('ZipEntries', () => {
  it('reads files, deflated or stored, and ignores folders', async () => {
    const sources = [
      { path: 'a.txt', content: 'one' },
      { path: 'folder/', isStored: true },
      { path: 'folder/b.txt', content: 'two', isStored: true },
      { path: 'empty.txt' },
    ];
    expect((await open(sources)).entries.map(({ path }) => path)).toEqual(['a.txt', 'folder/b.txt', 'empty.txt']);
    expect(await readAll(sources)).toEqual(['one', 'two', '']);
  });

  it('finds the last of those of one path', async () => {
    const zip = await open([
      { path: 'a', content: 'first' },
      { path: 'a', content: 'last' },
    ]);
    expect((await zip.find('a')?.read())?.toString()).toBe('last');
    expect(zip.find('b')).toBeUndefined();
  });

  it('takes names as they are, marked as UTF-8 or not, and those that lead elsewhere', async () => {
    const { entries } = await open([
      { path: '文件.txt', isMarked: false },
      { path: Buffer.from([0x81, 0x2e, 0x74]), isMarked: false },
      { path: '../../etc/passwd' },
      { path: '/etc/passwd' },
      { path: 'C:\\folder\\a.txt' },
    ]);
    expect(entries.map(({ path }) => path)).toEqual([
      '文件.txt',
      'ü.t',
      '../../etc/passwd',
      '/etc/passwd',
      'C:/folder/a.txt',
    ]);
  });

  it('rejects encrypted files, but lists their names', async () => {
    const { entries } = await open([
      { path: 'secret.txt', content: 'x', isStored: true, isEncrypted: true, packed: Buffer.alloc(13) },
    ]);
    expect(entries).toMatchObject([{ path: 'secret.txt', isEncrypted: true }]);
    await expect(entries[0]?.read()).rejects.toEqual(refused('document_encrypted'));
  });

  it('refuses a way of packing that it does not know', async () => {
    await expect(readAll([{ path: 'a', content: 'x', method: 14 }])).rejects.toEqual(
      refused('document_type_unsupported'),
    );
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('not an archive')],
    ['half of one', zipArchive([{ path: 'a', content: 'abc' }]).subarray(0, 30)],
    ['the end of one', zipArchive([{ path: 'a', content: 'abc' }]).subarray(40)],
  ])('refuses %s', async (_title, bytes) => {
    const reading = ZipEntries.open(bytes, limits).then(({ entries }) => entries[0]?.read());
    await expect(reading).rejects.toEqual(refused('document_broken'));
  });

  it.each([
    ['a wrong checksum', { content: 'abc', checksum: 1 }],
    ['fewer bytes than there are', { content: 'abc', declaredBytes: 2 }],
    ['more bytes than there are', { content: 'abc', declaredBytes: 4 }],
    ['content that cannot be inflated', { packed: Buffer.from([255, 255, 255]), declaredBytes: 3 }],
    ['next to nothing for very much', { packed: deflateRawSync(Buffer.alloc(50_000_000)), declaredBytes: 10 }],
  ])('refuses %s', async (_title, source) => {
    await expect(readAll([{ path: 'a', ...source }])).rejects.toEqual(refused('document_broken'));
  });

  it.each<[string, ZipSource[], Partial<ZipLimits>]>([
    ['many entries', [{ path: 'a' }, { path: 'b' }, { path: 'c' }], { maximumEntries: 2 }],
    ['a large entry', [{ path: 'a', content: 'abcd' }], { maximumEntryBytes: 3 }],
    [
      'much in all',
      [
        { path: 'a', content: 'abc' },
        { path: 'b', content: 'def' },
      ],
      { maximumExpandedBytes: 5 },
    ],
    [
      'the same content again and again',
      [{ path: 'a', content: 'abc' }, ...['b', 'c'].map((path) => ({ path, content: 'abc', sameAs: 'a' }))],
      { maximumExpandedBytes: 8 },
    ],
    [
      'next to nothing that becomes very much',
      [{ path: 'a', content: Buffer.alloc(20_000_000) }],
      { maximumEntryBytes: 1e9, maximumExpandedBytes: 1e9 },
    ],
  ])('refuses %s', async (_title, sources, changed) => {
    await expect(readAll(sources, changed)).rejects.toEqual(refused('document_too_complex'));
  });

  it('checks everything without counting it', async () => {
    const good = await open([{ path: 'a', content: 'abc' }], { maximumExpandedBytes: 3 });
    await good.check();
    expect((await good.entries[0]?.read())?.toString()).toBe('abc');
    const bad = await open([
      { path: 'a', content: 'abc' },
      { path: 'b', content: 'abc', checksum: 1 },
    ]);
    await expect(bad.check()).rejects.toEqual(refused('document_broken'));
  });
});
