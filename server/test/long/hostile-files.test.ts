import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ParsedDocument, ParserFile } from '@parley/sdk';
import { parserFile, silentLogger } from '@parley/sdk/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { mediaTypeOf } from '../../src/core/files/media-type.ts';
import { Registry } from '../../src/lib/registry.ts';
import { ParserHost } from '../../src/parser-host/parser-host.ts';
import { parsers } from '../../src/parsers/index.ts';
import { zipArchive } from '../factories/zip-archive.ts';
import { bomb, laughs, noise, packages, packageWith, pdfOf } from './hostile-content.ts';
import type { MemoryReport } from './hostile-memory.ts';

/*
 * Files that are made to do harm, and files that came to harm. Each one fails with a reason and words for people, or is
 * read as something sensible; none takes the process along, and no memory and no thread is left.
 */

const patience = 180_000;
const never = new AbortController().signal;
const extensions = parsers.flatMap((parser) => parser.extensions);
/** One format of each parser that treats all its formats alike. */
const kinds = parsers.flatMap((parser) => parser.extensions.slice(0, 1));
const packed = Object.keys(packages).filter((extension) => extensions.includes(extension));
const host = new ParserHost(new Registry(parsers), { logger: silentLogger });

type Content = string | Uint8Array | Promise<Uint8Array>;

/** Read as the service reads it: with the media type detected from the content. */
async function outcomeOf(
  name: string,
  content: Content,
): Promise<ParsedDocument | { reason: string; message: string }> {
  const named = parserFile(name, await content);
  const file: ParserFile = { ...named, media_type: await mediaTypeOf(named.bytes.subarray(0, 4100)) };
  const parser = host.parserFor(file);
  if (parser === null) return { reason: 'document_type_unsupported', message: 'no parser' };
  return host
    .parse(parser, file, { signal: never })
    .catch((error: unknown) => error as { reason: string; message: string });
}

async function reasonOf(name: string, content: Content): Promise<string> {
  const outcome = await outcomeOf(name, content);
  if (!('reason' in outcome)) return `read: ${JSON.stringify(outcome.blocks).slice(0, 300)}`;
  expect(outcome.message).toMatch(/\S/);
  // What a fault says of itself is for the log.
  expect(outcome.message).not.toMatch(/undefined|null|\bat .*:\d+:\d+|TypeError|Cannot read/);
  return outcome.reason;
}

async function textOf(name: string, content: Content): Promise<string> {
  const outcome = await outcomeOf(name, content);
  if ('reason' in outcome) return expect.unreachable(`${outcome.reason}: ${outcome.message}`);
  return outcome.blocks.map((block) => (block.type === 'table' ? block.rows.flat().join(' ') : block.text)).join('\n');
}

const clean = /^document_(broken|type_unsupported|empty|encrypted|too_complex)$/;

/** What a process of its own takes up and gives back, measured beside the other tests. */
const measured = measureMemory();
// It is awaited in the last test.
measured.catch(() => {});

async function measureMemory(): Promise<MemoryReport> {
  const script = fileURLToPath(new URL('hostile-memory.ts', import.meta.url));
  // As `server/allocator.js` has it for the service.
  const env = { ...process.env, MALLOC_ARENA_MAX: '2' };
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script], { env });
  // The script prints one.
  return JSON.parse(stdout) as MemoryReport;
}

afterAll(async () => {
  await measured.catch(() => {});
  await host.close();
  expect(host.threads).toBe(0);
}, patience);

describe('whatever its name says', { timeout: patience }, () => {
  it.each(extensions)('noise by the name of .%s is refused', async (extension) => {
    expect(await reasonOf(`noise.${extension}`, noise(100_000))).toMatch(clean);
  });

  it.each(kinds)('nothing by the name of .%s is refused', async (extension) => {
    expect(await reasonOf(`nothing.${extension}`, '')).toMatch(clean);
    expect(await reasonOf(`spaces.${extension}`, ' \n\t\r\n')).toMatch(clean);
  });

  it.each(kinds)('a program by the name of .%s is refused', async (extension) => {
    const program = Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff\0\0', 'latin1'), noise(5000)]);
    expect(await reasonOf(`program.${extension}`, program)).toMatch(clean);
    const picture = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), noise(5000)]);
    expect(await reasonOf(`picture.${extension}`, picture)).toMatch(clean);
  });

  it.each(kinds)('a PDF by the name of .%s is read as one or refused', async (extension) => {
    const outcome = await outcomeOf(`mislabelled.${extension}`, pdfOf(1));
    if ('reason' in outcome) expect(outcome.reason).toMatch(clean);
    else expect(outcome.blocks).toEqual([expect.objectContaining({ page: 1, text: 'A page of many' })]);
  });

  it('a text that begins like a picture or a program stays a text', async () => {
    expect(await textOf('cars.txt', 'BMW builds cars.')).toBe('BMW builds cars.');
    expect(await textOf('places.md', 'MZ is short for Mainz.')).toBe('MZ is short for Mainz.');
  });

  it('rejects rich text with the name of a text file', async () => {
    expect(await reasonOf('letter.txt', '{\\rtf1\\ansi\\deff0 {\\fonttbl {\\f0 Times;}} \\f0\\fs24 Hello}')).toBe(
      'document_type_unsupported',
    );
  });
});

describe('texts', { timeout: patience }, () => {
  it('of millions of empty lines have no text', async () => {
    for (const name of ['lines.txt', 'lines.csv', 'lines.md', 'lines.py', 'lines.jsonl', 'lines.yaml']) {
      expect(await reasonOf(name, '\n'.repeat(5_000_000)), name).toBe('document_empty');
    }
  });

  it('of millions of paragraphs are refused', async () => {
    expect(await reasonOf('paragraphs.txt', 'a\n\n'.repeat(3_000_000))).toBe('document_too_complex');
  });

  it.each(['txt', 'log', 'md', 'csv', 'js'].filter((extension) => extensions.includes(extension)))(
    'of one line of ten million characters are read: .%s',
    async (extension) => {
      const text = await textOf(`line.${extension}`, 'abcdefghi '.repeat(1_000_000));
      // Spaces may have become breaks.
      expect(text.split(/\s+/)).toHaveLength(1_000_000);
    },
  );

  it('of spaces and form feeds without end are read in time', async () => {
    expect(await textOf('spaces.txt', `${' '.repeat(3_000_000)}word${' \n'.repeat(2_000_000)}`)).toBe('word');
    expect(await reasonOf('pages.txt', 'a\f'.repeat(1_000_000))).toBe('document_too_complex');
  });

  it.each(['txt', 'md', 'csv', 'py', 'html', 'eml'])(
    'of lines of white space are read in time: .%s',
    async (extension) => {
      const head = extension === 'eml' ? 'From: a@example.com\n\n' : '';
      for (const space of [' ', '\u00a0', '\u3000', '\t']) {
        for (const line of [`${space.repeat(1000)}\n`, ` \n${space}`]) {
          const content = `${head}one${line.repeat(10_000_000 / Buffer.byteLength(line))}two`;
          expect(await textOf(`lines.${extension}`, content), JSON.stringify(line.slice(0, 5))).toMatch(/one\s*two/);
        }
      }
    },
  );

  it('of nothing but delimiters have no text', async () => {
    expect(await reasonOf('commas.csv', ','.repeat(5_000_000))).toBe('document_empty');
    expect(await reasonOf('quotes.csv', '"'.repeat(1_000_001))).toMatch(/^(read|document_)/);
  });

  it.each(['json', 'jsonl', 'yaml'])('nested too deep are refused: .%s', async (extension) => {
    expect(await reasonOf(`deep.${extension}`, '['.repeat(200_000) + ']'.repeat(200_000))).toMatch(clean);
    expect(await reasonOf(`deep-keys.${extension}`, `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`)).toMatch(clean);
  });

  it.each([
    ['quotations', `${'>'.repeat(200_000)}a`],
    ['lists', `${'- '.repeat(20_000)}a`],
    ['elements', `${'<div>'.repeat(8000)}a`],
  ])('of Markdown nested too deep are refused: %s', async (_title, content) => {
    expect(await reasonOf('deep.md', content)).toBe('document_too_complex');
  });

  it.each([
    ['brackets', '['.repeat(50_000)],
    ['links', '[a]('.repeat(10_000)],
    ['stars', '*a **a '.repeat(20_000)],
    ['emphasis', `${'*'.repeat(3000)}a${'*'.repeat(3000)}`],
    ['ticks', Array.from({ length: 800 }, (_tick, index) => `${'`'.repeat(index)} `).join('')],
    ['a wide table', `${'|a'.repeat(5000)}|\n${'|-'.repeat(5000)}|\n${'|1'.repeat(5000)}|`],
  ])('of Markdown that is hard to read come to an end: %s', async (_title, content) => {
    expect(await textOf('hard.md', content)).toMatch(/\S/);
  });

  it('of YAML that refers to itself are refused', async () => {
    const lines = Array.from({ length: 30 }, (_line, index) =>
      index === 0
        ? 'a0: &a0 [ha, ha]'
        : `a${index}: &a${index} [${Array(9)
            .fill(`*a${index - 1}`)
            .join(', ')}]`,
    );
    expect(await reasonOf('laughs.yaml', lines.join('\n'))).toBe('document_broken');
  });

  it('of numbers without end are read', async () => {
    expect(await textOf('number.json', `{"a": ${'9'.repeat(100_000)}}`)).toHaveLength(100_002);
  });
});

describe('archives', { timeout: patience }, () => {
  const unpacking = async (bytes: Uint8Array) => {
    const outcome = await host.unpack(bytes, { signal: never }).catch((error: { reason: string }) => error);
    return 'reason' in outcome ? outcome.reason : outcome.map(({ name, bytes }) => [name, bytes.length]);
  };

  it('that unpack to very much are refused', async () => {
    expect(await unpacking(zipArchive([await bomb('bomb.txt', 300)]))).toBe('document_too_complex');
    const small = Array.from({ length: 100 }, () => bomb('bomb.txt', 9));
    expect(await unpacking(zipArchive(await Promise.all(small)))).toBe('document_too_complex');
  });

  it('that say they are small are stopped when they are not', async () => {
    expect(await unpacking(zipArchive([await bomb('bomb.txt', 300, { declaredBytes: 100 })]))).toBe('document_broken');
  });

  it('whose entries share what is packed are refused', async () => {
    const first = await bomb('first.txt', 9);
    const others = Array.from({ length: 500 }, (_entry, index) => ({
      ...first,
      path: `${index}.txt`,
      sameAs: 'first.txt',
    }));
    expect(await unpacking(zipArchive([first, ...others]))).toBe('document_too_complex');
  });

  it('in archives are not opened', async () => {
    const inner = zipArchive([await bomb('bomb.txt', 300)]);
    expect(await unpacking(zipArchive([{ path: 'inner.zip', content: inner }]))).toBe('document_empty');
    const outcome = [
      { path: 'inner.zip', content: inner },
      { path: 'a.txt', content: 'text' },
    ];
    expect(await unpacking(zipArchive(outcome))).toEqual([['a.txt', 4]]);
  });

  it('of very many entries are refused', async () => {
    const entries = Array.from({ length: 60_000 }, (_entry, index) => ({
      path: `${index}.txt`,
      content: 'x',
      isStored: true,
    }));
    expect(await unpacking(zipArchive(entries))).toBe('document_too_complex');
  });

  it('that are cut off, noise or empty are refused', async () => {
    const whole = zipArchive([{ path: 'a.txt', content: noise(1000) }]);
    for (const bytes of [whole.subarray(0, 500), whole.subarray(500), noise(5000), new Uint8Array()]) {
      expect(await unpacking(bytes)).toBe('document_broken');
    }
  });

  it('with a password are refused', async () => {
    const locked = { path: 'a.txt', content: 'x', isStored: true, isEncrypted: true, packed: Buffer.alloc(13) };
    expect(await unpacking(zipArchive([locked]))).toBe('document_encrypted');
  });
});

describe.skipIf(packed.length === 0)('documents that are archives', { timeout: patience }, () => {
  it.each(packed)('that unpack to very much are refused: .%s', async (extension) => {
    expect(await reasonOf(`bomb.${extension}`, packageWith(extension, await bomb('', 300)))).toMatch(clean);
    const beside = packageWith(extension, { content: '<a/>' }, [await bomb('media/bomb.xml', 300)]);
    expect(await reasonOf(`beside.${extension}`, beside)).toMatch(clean);
  });

  it.each(packed)('that say they are small are stopped when they are not: .%s', async (extension) => {
    const lie = await bomb('', 300, { declaredBytes: 100 });
    expect(await reasonOf(`lie.${extension}`, packageWith(extension, lie))).toMatch(clean);
  });

  it.each(packed)('with XML that stands for very much are refused: .%s', async (extension) => {
    expect(await reasonOf(`laughs.${extension}`, packageWith(extension, { content: laughs }))).toMatch(clean);
  });

  it.each(packed)('with XML nested too deep are refused: .%s', async (extension) => {
    const deep = `${'<a>'.repeat(200_000)}${'</a>'.repeat(200_000)}`;
    expect(await reasonOf(`deep.${extension}`, packageWith(extension, { content: deep }))).toMatch(clean);
  });

  it.each(packed)('that are cut off, damaged or locked are refused: .%s', async (extension) => {
    const whole = packageWith(extension, { content: noise(20_000) });
    expect(await reasonOf(`cut.${extension}`, whole.subarray(0, whole.length / 2))).toMatch(clean);
    expect(await reasonOf(`damaged.${extension}`, whole)).toMatch(clean);
    const locked = packageWith(extension, { content: 'x', isStored: true, isEncrypted: true, packed: noise(13) });
    expect(await reasonOf(`locked.${extension}`, locked)).toMatch(clean);
  });
});

describe.skipIf(!extensions.includes('pdf'))('PDF files', { timeout: patience }, () => {
  it('of very many pages are refused', async () => {
    expect(await reasonOf('pages.pdf', pdfOf(100_000))).toBe('document_too_complex');
  });

  it('with a password are refused', async () => {
    expect(await reasonOf('locked.pdf', pdfOf(1, true))).toBe('document_encrypted');
  });

  it('that are cut off or damaged are refused, or what is left of them is read', async () => {
    const whole = pdfOf(3);
    const damaged = whole.map((byte, index) => (index > 100 && index % 7 === 0 ? 255 - byte : byte));
    for (const bytes of [whole.subarray(0, 200), whole.subarray(whole.length / 2), damaged]) {
      const outcome = await outcomeOf('broken.pdf', bytes);
      if ('reason' in outcome) expect(outcome.reason).toMatch(clean);
      else expect(JSON.stringify(outcome.blocks)).toContain('A page of many');
    }
  });
});

describe.skipIf(!extensions.includes('html'))('web pages', { timeout: patience }, () => {
  it('nested too deep are refused or read', async () => {
    expect(await reasonOf('deep.html', `${'<div>'.repeat(100_000)}word`)).toMatch(/^(document_|read: .*word)/);
  });

  it('with XML that stands for very much are not taken in by it', async () => {
    expect(await reasonOf('laughs.xhtml', laughs)).toMatch(/^(document_|read: .{0,299}$)/);
  });
});

describe('what was taken up', { timeout: 2 * patience }, () => {
  it('comes back, memory and threads', async () => {
    const report = await measured;
    expect(report.threads).toBe(0);
    // Otherwise there would be nothing to come back.
    expect(report.highestMegabytes).toBeGreaterThan(100);
    // What the allocator keeps differs from run to run, up to 180 MB; a leak would remain whole, and grow with each time.
    const { leftMegabytes, highestMegabytes } = report;
    expect(Math.max(...leftMegabytes), leftMegabytes.join()).toBeLessThan(highestMegabytes / 2);
    const growth = leftMegabytes.slice(1).map((left, index) => left - (leftMegabytes[index] ?? 0));
    expect(Math.min(...growth), leftMegabytes.join()).toBeLessThan(30);
  });
});
