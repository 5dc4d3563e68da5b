import { setTimeout as later } from 'node:timers/promises';
import { ParserHost } from '../../src/parser-host/parser-host.ts';
import { parsers } from '../../src/parsers/index.ts';
import { zipArchive } from '../factories/zip-archive.ts';
import { bomb, noise, packages, packageWith, pdfOf } from './hostile-content.ts';

/*
 * A process of its own, in which nothing but the host of parsers takes memory: reads files that take much of it and
 * tells how much was left in the end. Run with `--expose-gc`.
 */

export interface MemoryReport {
  threads: number;
  /** Above what it was before, while documents were read. */
  highestMegabytes: number;
  /** Above what it was before, when it was given up waiting or little enough. */
  leftMegabytes: number;
}

const megabyte = 1_048_576;
const never = new AbortController().signal;
const quiet = () => undefined;
const logger = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const host = new ParserHost(parsers, { logger, idleMilliseconds: 0, timeLimitMilliseconds: 30_000 });

async function read(extension: string, content: string | Uint8Array): Promise<void> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const parser = host.parserFor({ extension, media_type: '' });
  if (parser === null) return;
  const file = { name: `a.${extension}`, extension, media_type: '', bytes };
  await host.parse(parser, file, { signal: never }).catch(quiet);
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

for (let round = 0; round < 2; round += 1) {
  await read('txt', 'a\n\n'.repeat(3_000_000));
  await read('log', 'abcdefghi '.repeat(1_000_000));
  await read('md', `${'# Title\n\nSome *words* of [it](x)\n\n'.repeat(20_000)}`);
  await read('csv', ','.repeat(5_000_000));
  await read('json', '['.repeat(2_000_000));
  await read('pdf', pdfOf(100_000));
  for (const extension of Object.keys(packages)) await read(extension, packageWith(extension, await bomb('', 300)));
  for (const { extensions } of parsers) await read(extensions[0] ?? '', noise(1_000_000));
  const large = Array.from({ length: 9 }, (_file, index) => ({
    path: `${index}.txt`,
    content: noise(9_000_000, index),
  }));
  await host.unpack(zipArchive(large), { signal: never }).catch(quiet);
}
clearInterval(watch);
await host.close();

// V8 keeps pages of threads that have ended for some seconds.
const deadline = performance.now() + 60_000;
let left = Number.POSITIVE_INFINITY;
while (left > 40 && performance.now() < deadline) {
  await later(500);
  globalThis.gc?.();
  left = (process.memoryUsage.rss() - before) / megabyte;
}
const report: MemoryReport = {
  threads: host.threads,
  highestMegabytes: (highest - before) / megabyte,
  leftMegabytes: left,
};
console.log(JSON.stringify(report));
