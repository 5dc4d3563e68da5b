import { setTimeout as later } from 'node:timers/promises';
import { Registry } from '../../src/lib/registry.ts';
import { ParserHost } from '../../src/parser-host/parser-host.ts';
import { parsers } from '../../src/parsers/index.ts';
import { zipArchive } from '../factories/zip-archive.ts';
import { bomb, noise, packages, packageWith, pdfOf } from './hostile-content.ts';

/*
 * A process in which only the parser host uses memory: parses files that need much memory, and reports how much
 * remains. Run with `--expose-gc`, and with the allocator settings of the service.
 */

export interface MemoryReport {
  threads: number;
  /** While documents were read, above what it was before any. */
  highestMegabytes: number;
  /** After each time, above what it was before the first. */
  leftMegabytes: number[];
}

const megabyte = 1_048_576;
const never = new AbortController().signal;
const quiet = () => undefined;
const logger = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const host = new ParserHost(new Registry(parsers), { logger, idleMs: 0, timeLimitMs: 30_000 });

async function read(extension: string, content: string | Uint8Array): Promise<void> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const parser = host.parserFor({ extension, media_type: '' });
  if (parser === null) return;
  const file = { name: `a.${extension}`, extension, media_type: '', bytes };
  await host.parse(parser, file, { signal: never }).catch(quiet);
}

/** A separate function, because its closure would live as long as the module. */
async function readMuch(): Promise<void> {
  await read('txt', 'a\n\n'.repeat(2_000_000));
  await read('log', 'abcdefghi '.repeat(1_000_000));
  await read('md', `${'# Title\n\nSome *words* of [it](x)\n\n'.repeat(20_000)}`);
  await read('csv', ','.repeat(3_000_000));
  await read('json', '['.repeat(1_000_000));
  await read('pdf', pdfOf(100_000));
  for (const extension of Object.keys(packages)) await read(extension, packageWith(extension, await bomb('', 120)));
  for (const { extensions } of parsers) await read(extensions[0] ?? '', noise(200_000));
  const large = Array.from({ length: 5 }, (_file, index) => ({
    path: `${index}.txt`,
    content: noise(9_000_000, index),
  }));
  await host.unpack(zipArchive(large), { signal: never }).catch(quiet);
}

/** Waits until memory falls to the limit, or stays constant. */
async function leftAbove(bytes: number): Promise<number> {
  const deadline = performance.now() + 40_000;
  for (;;) {
    globalThis.gc?.();
    const left = (process.memoryUsage.rss() - bytes) / megabyte;
    if (left < 30 || performance.now() > deadline) return left;
    await later(500);
  }
}

// Whatever is loaded once is there before anything is measured.
for (const { extensions } of parsers) await read(extensions[0] ?? '', 'a text');
await read('pdf', pdfOf(1));
globalThis.gc?.();
const before = process.memoryUsage.rss();
let highest = before;
const watch = setInterval(() => {
  highest = Math.max(highest, process.memoryUsage.rss());
}, 20);

const leftMegabytes: number[] = [];
for (let times = 0; times < 3; times += 1) {
  await readMuch();
  leftMegabytes.push(await leftAbove(before));
}
clearInterval(watch);
await host.close();
const report: MemoryReport = {
  threads: host.threads,
  highestMegabytes: (highest - before) / megabyte,
  leftMegabytes,
};
console.log(JSON.stringify(report));
