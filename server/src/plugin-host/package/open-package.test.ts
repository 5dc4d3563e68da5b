import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { pluginPackage } from '../../../test/factories/plugin-package.ts';
import { type ZipSource, zipArchive } from '../../../test/factories/zip-archive.ts';
import { packageLimits } from '../../core/plugins/package/package-archive.ts';
import { openPackage } from './open-package.ts';

const file = (path: string, more: Partial<ZipSource> = {}): ZipSource => ({ path, content: 'content', ...more });
const field = (id: number, data: Buffer): Buffer => {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(id, 0);
  head.writeUInt16LE(data.length, 2);
  return Buffer.concat([head, data]);
};

async function faultOf(archive: Uint8Array): Promise<unknown> {
  try {
    for (const entry of await openPackage(archive)) await entry.read();
  } catch (error) {
    return error;
  }
  return 'nothing was refused';
}

const refused = (path: string, message: RegExp) =>
  expect.objectContaining({
    reason: 'plugin_invalid',
    details: [{ path, message: expect.stringMatching(message) }],
  });

it('reads files, deflated or stored, and passes over folders', async () => {
  const archive = zipArchive([
    file('a.js'),
    { path: 'folder/', isStored: true, attributes: (0o40755 << 16) | 0x10 },
    file('folder/b.js', { isStored: true, attributes: (0o100644 << 16) >>> 0 }),
    { path: 'empty.txt' },
    file('timed.js', { extra: field(0x5455, Buffer.alloc(5)), header: { extra: field(0x5455, Buffer.alloc(9)) } }),
  ]);
  const entries = await openPackage(archive);
  expect(entries.map(({ path, bytes }) => [path, bytes])).toEqual([
    ['a.js', 7],
    ['folder/b.js', 7],
    ['empty.txt', 0],
    ['timed.js', 7],
  ]);
  const contents = await Promise.all(entries.map((entry) => entry.read()));
  expect(contents.map(String)).toEqual(['content', 'content', '', 'content']);
});

describe('a path must not', () => {
  it.each([
    ['../a.js', /leads elsewhere/],
    ['a/../../b.js', /leads elsewhere/],
    ['./a.js', /leads elsewhere/],
    ['/etc/passwd', /absolute/],
    ['\\\\host\\share', /absolute/],
    ['C:/a.js', /absolute/],
    ['c:a.js', /absolute/],
    ['a\\b.js', /backslash/],
    ['a//b.js', /other characters/],
    ['caf\u00e9.js', /other characters/],
    ['cafe\u0301.js', /other characters/],
    ['a\0.js', /other characters/],
    ['a\nb.js', /other characters/],
    ['.env', /begins or ends with a dot/],
    ['folder/.npmrc', /begins or ends with a dot/],
    ['a.js.', /begins or ends with a dot/],
    ['a.js ', /other characters/],
    ['main.js:stream', /other characters/],
    ['folder/NUL', /device/],
    ['com1.js', /device/],
    [`${'a/'.repeat(10)}b.js`, /more than 10 levels/],
    ['a'.repeat(119).concat('/', 'b'.repeat(90)), /longer than 200/],
    ['', /without a name/],
  ])('be %j', async (path, message) => {
    const shown = path.length > 120 ? `${path.slice(0, 120)}…` : path.replaceAll('\0', '\ufffd');
    expect(await faultOf(zipArchive([file('main.js'), file(path)]))).toEqual(refused(shown, message));
  });

  it.each([
    ['twice', ['a.js', 'a.js'], /twice/],
    ['twice, as a folder', ['a/', 'a/'], /twice/],
    ['in another case', ['a.js', 'A.js'], /upper and lower case/],
    ['in a folder of another case', ['a/one.js', 'A/two.js'], /upper and lower case/],
    ['as a file and as a folder', ['a', 'a/b.js'], /both a file and a folder/],
    ['as a folder and as a file', ['a/b.js', 'a'], /both a file and a folder/],
  ])('be there %s', async (_, paths, message) => {
    const archive = zipArchive(paths.map((path) => (path.endsWith('/') ? { path, isStored: true } : file(path))));
    expect(await faultOf(archive)).toEqual(refused(paths[1] ?? '', message));
  });
});

describe('an entry must not', () => {
  const long = Buffer.alloc(2_000_000);
  it.each<[string, Partial<ZipSource>, RegExp]>([
    ['be a symbolic link', { attributes: (0o120777 << 16) >>> 0 }, /link/],
    ['be a device', { attributes: (0o020644 << 16) >>> 0 }, /special/],
    ['be a pipe', { attributes: (0o010644 << 16) >>> 0 }, /special/],
    ['be a folder by its attributes', { attributes: (0o40755 << 16) >>> 0 }, /special/],
    ['be a folder of Windows', { attributes: 0x10 }, /special/],
    ['be a link of Windows', { attributes: 0x400 }, /link/],
    ['be encrypted', { isEncrypted: true }, /encrypted/],
    ['be encrypted with its directory', { flags: 0x2000 }, /encrypted/],
    ['have its size behind it', { flags: 0x8 }, /behind it/],
    ['be a patch', { flags: 0x20 }, /not supported/],
    ['be packed otherwise', { method: 93 }, /Deflate/],
    ['have a comment', { comment: 'hello' }, /comment/],
    ['have fields of ZIP64', { extra: field(1, Buffer.alloc(8)) }, /ZIP64/],
    ['have fields of ZIP64 in its header', { header: { extra: field(1, Buffer.alloc(8)) } }, /two ways/],
    ['have another name', { extra: field(0x7075, Buffer.from('\x01\0\0\0\0b.js')) }, /another name/],
    ['have another name in its header', { header: { path: 'b.js' } }, /two ways/],
    ['have another size in its header', { header: { declaredBytes: 8 } }, /two ways/],
    ['have another checksum in its header', { header: { checksum: 8 } }, /two ways/],
    ['have another method in its header', { header: { method: 0 } }, /two ways/],
    ['begin behind other data', { gap: Buffer.from('hidden') }, /begin where/],
    ['have another checksum than its content', { checksum: 1 }, /damaged/],
    ['be longer than it says', { declaredBytes: 6 }, /damaged/],
    ['be shorter than it says', { declaredBytes: 8 }, /damaged/],
    ['be stored in another size', { isStored: true, declaredBytes: 6 }, /two sizes/],
    ['be noise', { packed: Buffer.from('\xff\xff\xff\xff', 'latin1') }, /damaged/],
    [
      'have data behind its content',
      { packed: Buffer.concat([deflateRawSync('content'), Buffer.from('x')]) },
      /behind/,
    ],
    ['unpack to far more', { content: long }, /times its size/],
    ['be too large', { declaredBytes: packageLimits.entryBytes + 1 }, /more than 10485760/],
    ['unpack to far more than it says', { content: long, declaredBytes: 900_000 }, /damaged/],
    ['share its content', { sameAs: 'main.js' }, /begin where/],
  ])('%s', async (_, changes, message) => {
    expect(await faultOf(zipArchive([file('main.js'), file('a.js', changes)]))).toEqual(refused('a.js', message));
  });

  it('be encrypted by its whole header', async () => {
    expect(await faultOf(zipArchive([file('a.js', { flags: 0x41 })]))).toEqual(refused('', /encrypted/));
  });

  it('be a folder with content', async () => {
    expect(await faultOf(zipArchive([file('a/')]))).toEqual(refused('a/', /folder with content/));
  });

  it('unpack along with the others to too much, which is seen before any is unpacked', async () => {
    const large = {
      content: 'x',
      declaredBytes: packageLimits.entryBytes,
      isStored: false,
      packed: Buffer.alloc(200_000),
    };
    const archive = zipArchive(Array.from({ length: 5 }, (_, index) => file(`${index}.js`, large)));
    await expect(openPackage(archive)).rejects.toEqual(refused('4.js', /unpacks to more than/));
  });
});

describe('an archive must not', () => {
  const good = pluginPackage();
  const changed = (change: (archive: Buffer) => void) => {
    const copy = Buffer.from(good);
    change(copy);
    return copy;
  };
  const end = good.length - 22;
  it.each<[string, Buffer, RegExp]>([
    ['be empty', Buffer.alloc(0), /not a ZIP archive/],
    ['be a text', Buffer.from('{"id": "example/units", "version": "1.2.0"}'), /not a ZIP archive/],
    ['have data before it', Buffer.concat([Buffer.from('#!/bin/sh\n'), good]), /data before/],
    ['have an archive before it', Buffer.concat([good, good]), /directory that does not end/],
    ['have data behind it', Buffer.concat([good, Buffer.from('more')]), /data behind/],
    ['be cut off', good.subarray(0, -1), /cut off/],
    ['be a part', changed((archive) => archive.writeUInt16LE(1, end + 4)), /part of/],
    ['have other numbers of entries', changed((archive) => archive.writeUInt16LE(3, end + 8)), /part of/],
    [
      'have more entries than it says',
      changed((archive) => archive.writeUInt32LE(0x0003_0003, end + 8)),
      /does not end/,
    ],
    [
      'have less entries than it says',
      changed((archive) => archive.writeUInt32LE(0x0005_0005, end + 8)),
      /damaged directory/,
    ],
    ['have a directory elsewhere', changed((archive) => archive.writeUInt32LE(0, end + 16)), /does not end/],
    ['have an endless directory', changed((archive) => archive.writeUInt32LE(0xffffffff, end + 12)), /does not end/],
    [
      'have a comment',
      Buffer.concat([changed((archive) => archive.writeUInt16LE(7, end + 20)), Buffer.from('comment')]),
      /comment/,
    ],
    ['be ZIP64', withLocator(good), /ZIP64/],
    ['have data before its directory', withGap(good), /between its files/],
  ])('%s', async (_, archive, message) => {
    expect(await faultOf(archive)).toEqual(refused('', message));
  });

  it.each([1001, 65_536 + 3, 100_000])('have %i entries, and is refused at once', async (count) => {
    const archive = zipArchive(Array.from({ length: count }, (_, index) => ({ path: `${index}`, isStored: true })));
    const started = performance.now();
    expect(await faultOf(archive)).toEqual(refused('', /more than 1000|does not end/));
    // Reading them all would take longer, also on a machine that is busy.
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

/** With a locator of ZIP64 before the end, which a reader may follow to another directory. */
function withLocator(archive: Buffer): Buffer {
  const end = archive.length - 22;
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  const last = Buffer.from(archive.subarray(end));
  last.writeUInt32LE(archive.readUInt32LE(end + 12) + locator.length, 12);
  return Buffer.concat([archive.subarray(0, end), locator, last]);
}

function withGap(archive: Buffer): Buffer {
  const end = archive.length - 22;
  const start = archive.readUInt32LE(end + 16);
  const last = Buffer.from(archive.subarray(end));
  last.writeUInt32LE(start + 4, 16);
  return Buffer.concat([archive.subarray(0, start), Buffer.from('more'), archive.subarray(start, end), last]);
}
